import { dateText } from "@farthing/core/forms/rules.ts";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useFieldError } from "./field-errors.ts";
import { ErrorMark, fieldDescription, FieldError, OptionalMark } from "./field-frame.tsx";
import { useOwnCheck } from "./use-own-check.ts";

export interface DateSelectsProps {
  /** The name of the hidden field with the whole date, DD-MM-YYYY. */
  name: string;
  /** The prefix of the selects' names: `dob` for dob_day, dob_month and dob_year. */
  prefix: string;
  legend: string;
  /** The first and the last year in the list; usually the latest year is first. */
  years: { first: number; last: number };
  defaultValue?: { day: string; month: string; year: string } | undefined;
  /** "bday" for a date of birth. */
  autoComplete?: "bday" | "off";
  required?: boolean;
  help?: ReactNode;
  error?: string | undefined;
}

const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/**
 * A date from three selects, and a hidden field with the date as DD-MM-YYYY (M3). Server errors have the name of the day's select, `dob_day`, where
 * the person starts to correct the date.
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
  const dayName = `${prefix}_day`;
  const dayError = useFieldError(dayName, ownError);
  const monthError = useFieldError(`${prefix}_month`, undefined);
  const yearError = useFieldError(`${prefix}_year`, undefined);
  const error = dayError ?? monthError ?? yearError;
  const [parts, setParts] = useState(defaultValue);
  const text = dateText(parts) ?? "";
  const day = useRef<HTMLSelectElement>(null);
  const fields = useRef<HTMLFieldSetElement>(null);
  const isWhole = parts.day !== "" && parts.month !== "" && parts.year !== "";
  useOwnCheck(day, () => (isWhole && text === "" ? "There is no such day. Check day and month." : ""));
  // On return to the page, browsers restore the choices without an event.
  useEffect(() => setParts(chosenParts(fields.current, prefix)), [prefix]);

  const select = (part: "day" | "month" | "year", label: string, options: [string, string][], partError?: string) => (
    <div className="date-part">
      <label htmlFor={`${prefix}_${part}`}>
        {label}
        {partError && <ErrorMark />}
      </label>
      <select
        ref={part === "day" ? day : undefined}
        id={`${prefix}_${part}`}
        name={`${prefix}_${part}`}
        className="select"
        autoComplete={autoComplete === "bday" ? `bday-${part}` : "off"}
        required={required}
        defaultValue={defaultValue[part]}
        data-label={`${legend}: ${label.toLowerCase()}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={fieldDescription(name, { help, error })}
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

  return (
    <fieldset ref={fields} className={error ? "field has-error" : "field"}>
      <legend>
        {legend}
        {!required && <OptionalMark />}
        {error && <ErrorMark />}
      </legend>
      {help && (
        <p id={`${name}-help`} className="field-help">
          {help}
        </p>
      )}
      <div className="date-parts">
        {select("day", "Day", numbers(1, 31), dayError)}
        {select(
          "month",
          "Month",
          months.map((month, index) => [String(index + 1), month]),
          monthError,
        )}
        {select("year", "Year", numbers(years.first, years.last), yearError)}
      </div>
      <input type="hidden" name={name} value={text} />
      {error && <FieldError id={name} message={error} />}
    </fieldset>
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
