import type { ReactNode } from "react";
import { Field, type FieldProps } from "./field.tsx";

export interface RadioChoice {
  value: string;
  label: ReactNode;
  help?: ReactNode;
}

export interface RadioFieldProps extends Pick<FieldProps, "name" | "label" | "labelClassName" | "className" | "error"> {
  /** At least one; the first is chosen unless `defaultValue` names another. */
  choices: readonly RadioChoice[];
  defaultValue?: string | undefined;
  choiceClassName?: string;
  helpClassName?: string;
  onChoose?: (value: string) => void;
}

/** One of a few choices, each with its explanation. One is always chosen, so the field cannot be left empty. */
export function RadioField({
  name,
  choices,
  defaultValue = choices[0]?.value,
  choiceClassName = "radio-choice",
  helpClassName = "field-help",
  onChoose,
  ...field
}: RadioFieldProps) {
  return (
    <Field {...field} name={name} required layout="group">
      {({ "data-label": label, "aria-describedby": describedBy }) => (
        <ul className="radio-choices" role="list">
          {choices.map(({ value, label: choiceLabel, help }) => {
            const id = `${name}-${value}`;
            return (
              <li key={value} className={choiceClassName}>
                <input
                  type="radio"
                  id={id}
                  name={name}
                  value={value}
                  defaultChecked={value === defaultValue}
                  data-label={label}
                  aria-describedby={[help && `${id}-help`, describedBy].filter(Boolean).join(" ") || undefined}
                  onChange={() => onChoose?.(value)}
                />
                <label htmlFor={id}>{choiceLabel}</label>
                {help && (
                  <div id={`${id}-help`} className={helpClassName}>
                    {help}
                  </div>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </Field>
  );
}
