import type { ReactNode } from "react";
import { useFieldError } from "./field-errors.ts";
import { ErrorMark, fieldDescription, FieldError } from "./field-frame.tsx";

export interface CheckboxFieldProps {
  name: string;
  /** The field's name in the list of errors. */
  label: string;
  /** The content beside the box if it is more than the label, for example with a link. */
  children?: ReactNode;
  id?: string;
  value?: string;
  required?: boolean;
  defaultChecked?: boolean;
  help?: ReactNode;
  error?: string | undefined;
}

/** A checkbox. Never check a consent by default. */
export function CheckboxField({
  name,
  label,
  children,
  id = name,
  value = "yes",
  required = false,
  defaultChecked = false,
  help,
  error: ownError,
}: CheckboxFieldProps) {
  const error = useFieldError(name, ownError);
  return (
    <div className={error ? "field is-checkbox has-error" : "field is-checkbox"}>
      <input
        id={id}
        name={name}
        type="checkbox"
        value={value}
        required={required}
        defaultChecked={defaultChecked}
        data-label={label}
        aria-invalid={error ? true : undefined}
        aria-describedby={fieldDescription(id, { help, error })}
      />
      <label htmlFor={id}>
        {children ?? label}
        {error && <ErrorMark />}
      </label>
      {help && (
        <p id={`${id}-help`} className="field-help">
          {help}
        </p>
      )}
      {error && <FieldError id={id} message={error} />}
    </div>
  );
}
