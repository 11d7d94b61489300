import { MAX_TYPED_DATE_LENGTH, TYPED_DATE_PATTERN } from "@farthing/core/forms/rules.ts";
import { Field, type FieldProps } from "./field.tsx";
import { completeDate, takeWholeYear } from "./typed-date.ts";

export interface DateFieldProps extends Pick<FieldProps, "name" | "label" | "id" | "required" | "help" | "error"> {
  autoComplete?: string;
  defaultValue?: string | undefined;
}

/**
 * A date typed as DD-MM-YY: the dashes are inserted, a day above 31 becomes 31, a month above 12 becomes 12, and of a
 * year with four digits the last two stay (M3).
 */
export function DateField({
  autoComplete = "off",
  defaultValue = "",
  help = "Day, month and year, like 05-11-26.",
  ...field
}: DateFieldProps) {
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
          onInput={({ currentTarget }) => completeDate(currentTarget)}
          onFocus={({ currentTarget }) => takeWholeYear(currentTarget)}
        />
      )}
    </Field>
  );
}
