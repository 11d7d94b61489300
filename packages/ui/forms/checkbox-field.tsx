import type { ReactNode } from "react";
import { useFieldError } from "./field-errors.ts";
import { ErrorMark, fieldDescription, FieldError } from "./field-frame.tsx";

export interface CheckboxFieldProps {
  name: string;
  /** What the list of errors calls it. */
  label: string;
  /** What stands beside the box, where that is more than the label: with a link, say. */
  children?: ReactNode;
  id?: string;
  value?: string;
  required?: boolean;
  defaultChecked?: boolean;
  help?: ReactNode;
  error?: string | undefined;
}

/** One box to tick. A consent is never ticked beforehand. */
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
