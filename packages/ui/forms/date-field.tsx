import { MAX_TYPED_DATE_LENGTH, typedDate, TYPED_DATE_PATTERN } from "@farthing/core/forms/rules.ts";
import { type FormEvent, useRef } from "react";
import { Field, type FieldProps } from "./field.tsx";

export interface DateFieldProps extends Pick<FieldProps, "name" | "label" | "id" | "required" | "help" | "error"> {
  autoComplete?: string;
  defaultValue?: string | undefined;
}

/**
 * A date typed as DD-MM-YY: the dashes are inserted, a day above 31 becomes 31, and a month above 12 becomes 12 (M3).
 */
export function DateField({
  autoComplete = "off",
  defaultValue = "",
  help = "Day, month and year, like 05-11-26.",
  ...field
}: DateFieldProps) {
  const before = useRef(defaultValue);

  function complete({ currentTarget: input }: FormEvent<HTMLInputElement>) {
    const text = typedDate(input.value, before.current);
    before.current = text;
    if (text !== input.value) input.value = text;
  }

  return (
    <Field {...field} help={help}>
      {(control) => (
        <input
          {...control}
          type="text"
          inputMode="numeric"
          className="is-short"
          autoComplete={autoComplete}
          defaultValue={defaultValue}
          maxLength={MAX_TYPED_DATE_LENGTH}
          pattern={TYPED_DATE_PATTERN}
          title="Day, month and year, like 05-11-26."
          data-typed-date="true"
          onInput={complete}
        />
      )}
    </Field>
  );
}
