import { dateText } from "@farthing/core/forms/rules.ts";
import { useEffect, useRef, useState } from "react";
import { ErrorMark, Field, type ControlAttributes, type FieldProps } from "./field.tsx";
import { useFieldError } from "./field-errors.ts";
import { useOwnCheck } from "./use-own-check.ts";
import { MONTH_NAMES } from "./month-names.ts";

export interface DateSelectsProps extends Pick<FieldProps, "required" | "help" | "error"> {
  /** The hidden field with the whole date, DD-MM-YYYY. */
  name: string;
  /** Prefix of the three selects' names: `dob` makes dob_day, dob_month and dob_year. */
  prefix: string;
  legend: string;
  /** From the first option to the last; usually the latest year comes first. */
  years: { first: number; last: number };
  defaultValue?: { day: string; month: string; year: string } | undefined;
  /** "bday" for a date of birth. */
  autoComplete?: "bday" | "off";
}

/**
 * A date from three selects, and the text DD-MM-YYYY that they add up to (M3). The server reports an error under the
 * name of the day's select, `dob_day`, where the person starts to correct it.
 */
export function DateSelects({
  name,
  prefix,
  legend,
  years,
  defaultValue = { day: "", month: "", year: "" },
  autoComplete = "off",
  required = false,
  help,
  error: ownError,
}: DateSelectsProps) {
  const errors = {
    day: useFieldError(`${prefix}_day`, ownError),
    month: useFieldError(`${prefix}_month`, undefined),
    year: useFieldError(`${prefix}_year`, undefined),
  };
  const [parts, setParts] = useState(defaultValue);
  const text = dateText(parts) ?? "";
  const day = useRef<HTMLSelectElement>(null);
  const fields = useRef<HTMLFieldSetElement>(null);
  const isWhole = parts.day !== "" && parts.month !== "" && parts.year !== "";
  useOwnCheck(day, () => (isWhole && text === "" ? "There is no such day. Check day and month." : ""));
  // On Back, browsers restore the choices without an event.
  useEffect(() => setParts(chosenParts(fields.current, prefix)), [prefix]);

  const select = (
    part: keyof typeof errors,
    label: string,
    options: [string, string][],
    { required: isRequired, ...control }: ControlAttributes,
  ) => (
    <div className="date-part">
      <label htmlFor={`${prefix}_${part}`}>
        {label}
        {errors[part] && <ErrorMark />}
      </label>
      <select
        ref={part === "day" ? day : undefined}
        id={`${prefix}_${part}`}
        name={`${prefix}_${part}`}
        className="select"
        autoComplete={autoComplete === "bday" ? `bday-${part}` : "off"}
        required={isRequired}
        defaultValue={defaultValue[part]}
        data-label={`${legend}, ${label.toLowerCase()}`}
        aria-invalid={control["aria-invalid"]}
        aria-describedby={control["aria-describedby"]}
        onChange={() => setParts(chosenParts(fields.current, prefix))}
      >
        <option value="">{label}</option>
        {options.map(([value, shown]) => (
          <option key={value} value={value}>
            {shown}
          </option>
        ))}
      </select>
    </div>
  );
  const months = MONTH_NAMES.map((month, index): [string, string] => [String(index + 1), month]);

  return (
    <Field
      ref={fields}
      layout="group"
      label={legend}
      error={errors.day ?? errors.month ?? errors.year}
      {...{ name, required, help }}
    >
      {(control) => (
        <>
          <div className="date-parts">
            {select("day", "Day", numbers(1, 31), control)}
            {select("month", "Month", months, control)}
            {select("year", "Year", numbers(years.first, years.last), control)}
          </div>
          <input type="hidden" name={name} value={text} />
        </>
      )}
    </Field>
  );
}

function chosenParts(fields: HTMLFieldSetElement | null, prefix: string) {
  const value = (part: string) => fields?.querySelector<HTMLSelectElement>(`[name="${prefix}_${part}"]`)?.value ?? "";
  return { day: value("day"), month: value("month"), year: value("year") };
}

function numbers(first: number, last: number): [string, string][] {
  const step = first <= last ? 1 : -1;
  return Array.from({ length: Math.abs(last - first) + 1 }, (_, index) => {
    const text = String(first + index * step);
    return [text, text];
  });
}
