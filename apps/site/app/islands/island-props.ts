import type { ReactNode } from "react";

/** What JSON can say, and dates. */
type Plain = string | number | boolean | null | undefined | Date | readonly Plain[] | { readonly [key: string]: Plain };

/** Refuses props that cannot be written into a page, such as functions. `children` stay the server's HTML. */
export type IslandData<Props> = {
  [Key in keyof Props]: Key extends "children"
    ? ReactNode
    : Props[Key] extends PlainOf<Props[Key]>
      ? Props[Key]
      : never;
};
type PlainOf<Value> = Value extends Plain
  ? Value
  : Value extends (...args: never[]) => unknown
    ? never
    : Value extends object
      ? { [Key in keyof Value]: PlainOf<Value[Key]> }
      : never;

const DATE_KEY = "$date";

/** Returns an island's props as text for its attribute. */
export function writeProps(props: object): string {
  // JSON.stringify calls a date's toJSON before the replacer, which therefore reads the date from its holder.
  return JSON.stringify(props, function (this: Record<string, unknown>, key, value: unknown) {
    const held = this[key];
    return held instanceof Date ? { [DATE_KEY]: held.getTime() } : value;
  });
}

/** Returns the props that `writeProps` wrote. */
export function readProps(text: string): Record<string, unknown> {
  return JSON.parse(text, (_, value: unknown) =>
    value !== null && typeof value === "object" && DATE_KEY in value ? new Date(Number(value[DATE_KEY])) : value,
  ) as Record<string, unknown>;
}
