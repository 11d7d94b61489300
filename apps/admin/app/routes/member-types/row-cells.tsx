import type { Faults, Typed } from "../../kit/read-form.ts";

/** The fields in a row of a form, named by what they say to assistive technology. */
interface Cell {
  typed: Typed;
  faults: Faults | undefined;
  name: string;
  label: string;
}

export function TextCell({
  typed,
  faults,
  name,
  label,
  isNumber = false,
  start = "",
}: Cell & { isNumber?: boolean; start?: string }) {
  return (
    <input
      id={name}
      name={name}
      aria-label={label}
      defaultValue={typed[name] ?? start}
      inputMode={isNumber ? "numeric" : undefined}
      size={isNumber ? 4 : undefined}
      maxLength={isNumber ? 4 : 200}
      autoComplete="off"
      aria-invalid={faults?.[name] ? true : undefined}
    />
  );
}

export function TickCell({ typed, name, label }: Cell) {
  return (
    <input type="checkbox" id={name} name={name} value="on" aria-label={label} defaultChecked={typed[name] === "on"} />
  );
}
