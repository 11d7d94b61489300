import type { HTMLInputTypeAttribute, ReactNode } from "react";
import type { Faults, Typed } from "./read-form.ts";

interface FieldProps {
  name: string;
  label: string;
  help?: ReactNode;
  /** What was typed, and what is wrong with it, by field (read-form.ts). */
  typed?: Typed | undefined;
  faults?: Faults | undefined;
  /** Shown where nothing was typed yet. */
  value?: string | number | null | undefined;
  isRequired?: boolean;
}

function shown({ name, typed, value }: FieldProps): string {
  return typed?.[name] ?? String(value ?? "");
}

function described({ name, help, faults }: FieldProps) {
  const ids = [help && `${name}-help`, faults?.[name] && `${name}-fault`].filter(Boolean).join(" ");
  return { "aria-describedby": ids || undefined, "aria-invalid": faults?.[name] ? true : undefined };
}

function Around(props: FieldProps & { children: ReactNode }) {
  const { name, label, help, faults, isRequired = true, children } = props;
  return (
    <div className="field" data-has-fault={faults?.[name] ? "" : undefined}>
      <label htmlFor={name}>
        {label} {!isRequired && <span className="soft">(optional)</span>}
      </label>
      {help && (
        <p className="field-help" id={`${name}-help`}>
          {help}
        </p>
      )}
      {children}
      {faults?.[name] && (
        <p className="field-fault" id={`${name}-fault`}>
          {faults[name]}
        </p>
      )}
    </div>
  );
}

export function TextField(
  props: FieldProps & {
    type?: HTMLInputTypeAttribute;
    autoComplete?: string;
    inputMode?: "numeric" | "decimal";
    max?: number;
    /** Of a date and time: 1 shows seconds. */
    step?: number;
  },
) {
  const { name, type = "text", autoComplete = "off", inputMode, max, step, isRequired = true } = props;
  return (
    <Around {...props}>
      <input
        id={name}
        name={name}
        type={type}
        defaultValue={type === "password" ? "" : shown(props)}
        autoComplete={autoComplete}
        inputMode={inputMode}
        maxLength={max}
        step={step}
        required={isRequired}
        {...described(props)}
      />
    </Around>
  );
}

/**
 * Boxes to tick. Each is a field of its own, `<name>-<value>`, so that a form with several ticks is text by name like any
 * other. `values` are ticked where nothing was typed yet.
 */
export function BoxesField({
  name,
  label,
  help,
  choices,
  values,
  typed,
  faults,
}: Pick<FieldProps, "name" | "label" | "help" | "typed" | "faults"> & {
  choices: readonly { value: string; label: string }[];
  values: readonly string[];
}) {
  return (
    <fieldset className="field boxes" id={name} data-has-fault={faults?.[name] ? "" : undefined}>
      <legend>{label}</legend>
      {help && <p className="field-help">{help}</p>}
      <div className="boxes-list">
        {choices.map(({ value, label: text }) => (
          <label key={value}>
            <input
              type="checkbox"
              name={`${name}-${value}`}
              value="yes"
              defaultChecked={typed ? typed[`${name}-${value}`] === "yes" : values.includes(value)}
            />{" "}
            {text}
          </label>
        ))}
      </div>
      {faults?.[name] && <p className="field-fault">{faults[name]}</p>}
    </fieldset>
  );
}

/** One box to tick; posts `yes`. */
export function TickField(props: Pick<FieldProps, "name" | "label" | "help" | "typed" | "faults">) {
  const { name, label, help, typed, faults } = props;
  return (
    <div className="field boxes" data-has-fault={faults?.[name] ? "" : undefined}>
      <label className="tick">
        <input
          type="checkbox"
          id={name}
          name={name}
          value="yes"
          defaultChecked={typed?.[name] === "yes"}
          {...described(props)}
        />
        <span>{label}</span>
      </label>
      {help && (
        <p className="field-help" id={`${name}-help`}>
          {help}
        </p>
      )}
      {faults?.[name] && (
        <p className="field-fault" id={`${name}-fault`}>
          {faults[name]}
        </p>
      )}
    </div>
  );
}

export function LongField(props: FieldProps & { rows?: number; max?: number }) {
  const { name, rows = 3, max, isRequired = true } = props;
  return (
    <Around {...props}>
      <textarea
        id={name}
        name={name}
        rows={rows}
        maxLength={max}
        required={isRequired}
        defaultValue={shown(props)}
        {...described(props)}
      />
    </Around>
  );
}

export function SelectField(
  props: FieldProps & { choices: readonly { value: string; label: string }[]; empty?: string },
) {
  const { name, choices, empty, isRequired = true } = props;
  return (
    <Around {...props}>
      <select id={name} name={name} defaultValue={shown(props)} required={isRequired} {...described(props)}>
        {empty !== undefined && <option value="">{empty}</option>}
        {choices.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </Around>
  );
}

/** Why something is done. It goes into the audit log, which is kept for good. */
export function WhyField({ typed, faults, isRequired = true }: Pick<FieldProps, "typed" | "faults" | "isRequired">) {
  return (
    <TextField
      name="why"
      label="Why"
      help="Goes into the audit log, which is kept for good: leave out names and addresses."
      max={500}
      {...{ typed, faults, isRequired }}
    />
  );
}

/**
 * Says what a form was opened with, so that its save notices what somebody else has saved since. A form that shows what was
 * typed keeps what it was posted with: a fault in it must not hide such a save. Below StaleSave, which has told of it, and where
 * nothing was typed yet, it is what is stored now.
 */
export function VersionField({
  name = "version",
  current,
  typed,
  stale,
}: {
  name?: string;
  current: number | string;
  /** What the form shows again; it has the version that was posted. */
  typed?: Typed | null | undefined;
  /** Set where the page shows StaleSave. */
  stale?: object | null | undefined;
}) {
  return <input type="hidden" name={name} value={(stale ? undefined : typed?.[name]) ?? current} />;
}

/** Says that a form has faults, and leads to each. `says`: what has not happened because of them. */
export function FaultSummary({
  faults,
  says = "Nothing was saved yet:",
}: {
  faults: Faults | undefined;
  says?: string;
}) {
  const list = Object.entries(faults ?? {});
  if (list.length === 0) return null;
  return (
    <div className="notice" data-tone="bad" role="alert">
      <p>{says}</p>
      <ul>
        {list.map(([name, fault]) => (
          <li key={name}>{name === "form" ? fault : <a href={`#${name}`}>{fault}</a>}</li>
        ))}
      </ul>
    </div>
  );
}
