import type { ChangeEvent, Ref } from "react";
import { Field, type FieldProps } from "./field.tsx";

export interface Choice {
  value: string;
  label: string;
}

export interface ChoiceGroup {
  label: string;
  choices: Choice[];
}

export interface SelectFieldProps extends Pick<
  FieldProps,
  "name" | "label" | "id" | "required" | "help" | "error" | "className"
> {
  choices: (Choice | ChoiceGroup)[];
  autoComplete?: string;
  defaultValue?: string | undefined;
  /** The chosen value, where the page controls it. */
  value?: string | undefined;
  /** The first, empty option; null where one of the choices always holds. */
  emptyLabel?: string | null;
  onChange?: (event: ChangeEvent<HTMLSelectElement>) => void;
  ref?: Ref<HTMLSelectElement>;
}

/** One of several choices, in groups where there are many. */
export function SelectField({
  choices,
  autoComplete = "off",
  defaultValue,
  value,
  emptyLabel = "Choose one",
  onChange,
  ref,
  ...field
}: SelectFieldProps) {
  return (
    <Field {...field}>
      {(control) => (
        <select
          {...control}
          ref={ref}
          className="select"
          autoComplete={autoComplete}
          {...(value === undefined ? { defaultValue: defaultValue || undefined } : { value })}
          onChange={onChange}
        >
          {emptyLabel !== null && <option value="">{emptyLabel}</option>}
          {choices.map((choice) => ("choices" in choice ? <Group key={choice.label} {...choice} /> : option(choice)))}
        </select>
      )}
    </Field>
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
