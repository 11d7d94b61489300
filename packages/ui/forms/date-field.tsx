import { longestTypedDate, typedDate, typedDatePattern } from "@farthing/core/forms/rules.ts";
import { type FormEvent, type ReactNode, useRef } from "react";
import { useFieldError } from "./field-errors.ts";
import { fieldDescription, FieldFrame } from "./field-frame.tsx";

export interface DateFieldProps {
  name: string;
  label: string;
  id?: string;
  autoComplete?: string;
  required?: boolean;
  defaultValue?: string | undefined;
  help?: ReactNode;
  error?: string | undefined;
}

/** A date typed as DD-MM-YY. The dashes are added automatically; days above 31 and months above 12 are limited (M3). */
export function DateField({
  name,
  label,
  id = name,
  autoComplete = "off",
  required = false,
  defaultValue = "",
  help = "Day, month and year, like 05-11-26.",
  error: ownError,
}: DateFieldProps) {
  const error = useFieldError(name, ownError);
  const before = useRef(defaultValue);

  function complete({ currentTarget: input }: FormEvent<HTMLInputElement>) {
    const text = typedDate(input.value, before.current);
    before.current = text;
    if (text !== input.value) input.value = text;
  }

  return (
    <FieldFrame id={id} label={label} isRequired={required} help={help} error={error}>
      <input
        id={id}
        name={name}
        type="text"
        inputMode="numeric"
        className="is-short"
        autoComplete={autoComplete}
        required={required}
        defaultValue={defaultValue}
        maxLength={longestTypedDate}
        pattern={typedDatePattern}
        title="Day, month and year, like 05-11-26."
        data-label={label}
        aria-invalid={error ? true : undefined}
        aria-describedby={fieldDescription(id, { help, error })}
        onInput={complete}
      />
    </FieldFrame>
  );
}
