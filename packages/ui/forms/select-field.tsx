import type { ChangeEvent, ReactNode } from "react";
import { useFieldError } from "./field-errors.ts";
import { fieldDescription, FieldFrame } from "./field-frame.tsx";

export interface Choice {
  value: string;
  label: string;
}

export interface ChoiceGroup {
  label: string;
  choices: Choice[];
}

export interface SelectFieldProps {
  name: string;
  label: string;
  choices: (Choice | ChoiceGroup)[];
  id?: string;
  autoComplete?: string;
  required?: boolean;
  defaultValue?: string | undefined;
  /** The chosen value, if the page controls it. */
  value?: string | undefined;
  /** The label of the empty option; null if there is always a choice. */
  emptyLabel?: string | null;
  help?: ReactNode;
  error?: string | undefined;
  onChange?: (event: ChangeEvent<HTMLSelectElement>) => void;
}

/** A select, with optional groups of choices. */
export function SelectField({
  name,
  label,
  choices,
  id = name,
  autoComplete = "off",
  required = false,
  defaultValue = "",
  value,
  emptyLabel = "Choose one",
  help,
  error: ownError,
  onChange,
}: SelectFieldProps) {
  const error = useFieldError(name, ownError);
  return (
    <FieldFrame id={id} label={label} isRequired={required} help={help} error={error}>
      <select
        id={id}
        name={name}
        className="select"
        autoComplete={autoComplete}
        required={required}
        {...(value === undefined ? { defaultValue } : { value })}
        data-label={label}
        aria-invalid={error ? true : undefined}
        aria-describedby={fieldDescription(id, { help, error })}
        onChange={onChange}
      >
        {emptyLabel !== null && <option value="">{emptyLabel}</option>}
        {choices.map((choice) => ("choices" in choice ? <Group key={choice.label} {...choice} /> : option(choice)))}
      </select>
    </FieldFrame>
  );
}

function Group({ label, choices }: ChoiceGroup) {
  return <optgroup label={label}>{choices.map(option)}</optgroup>;
}

function option({ value, label }: Choice) {
  return (
    <option key={value} value={value}>
      {label}
    </option>
  );
}
