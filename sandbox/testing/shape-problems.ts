/** The shape of a value: a type, a list of one shape, fields by name, a nullable shape, or one of several texts. */
export type Shape =
  | "text"
  | "number"
  | "whole number"
  | "boolean"
  | "null"
  | "local time"
  | "push time"
  | "whole number as text"
  | "amount as text"
  | readonly [Shape]
  | { readonly [field: string]: Shape }
  | { readonly $nullable: Shape }
  | { readonly $optional: Shape }
  | { readonly $oneOf: readonly string[] };

const kinds: Record<Extract<Shape, string>, (value: unknown) => boolean> = {
  text: (value) => typeof value === "string",
  number: (value) => typeof value === "number" && Number.isFinite(value),
  "whole number": (value) => Number.isSafeInteger(value),
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
  "local time": (value) => typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:00$/.test(value),
  "push time": (value) => typeof value === "string" && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value),
  "whole number as text": (value) => typeof value === "string" && /^\d+$/.test(value),
  "amount as text": (value) => typeof value === "string" && /^-?\d+\.\d\d$/.test(value),
};

/** Returns a line for each difference between a value and a shape. Additional fields are differences too. */
export function shapeProblems(value: unknown, shape: Shape, at = "answer"): string[] {
  if (typeof shape === "string")
    return kinds[shape](value) ? [] : [`${at} should be ${shape}, is ${JSON.stringify(value)}`];
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return [`${at} should be a list`];
    return value.flatMap((item, index) => shapeProblems(item, (shape as readonly [Shape])[0], `${at}[${index}]`));
  }
  if ("$nullable" in shape) return value === null ? [] : shapeProblems(value, shape.$nullable as Shape, at);
  if ("$oneOf" in shape)
    return (shape.$oneOf as readonly unknown[]).includes(value)
      ? []
      : [`${at} should be one of ${String(shape.$oneOf)}, is ${JSON.stringify(value)}`];
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [`${at} should be an object`];
  const fields = shape as Record<string, Shape>;
  const optional = (field: Shape | undefined): boolean => typeof field === "object" && "$optional" in field;
  return [
    ...Object.keys(fields)
      .filter((name) => !(name in value) && !optional(fields[name]))
      .map((name) => `${at}.${name} is missing`),
    ...Object.entries(value).flatMap(([name, inner]) => {
      const field = fields[name];
      if (field === undefined) return [`${at}.${name} is not documented`];
      return shapeProblems(inner, optional(field) ? (field as { $optional: Shape }).$optional : field, `${at}.${name}`);
    }),
  ];
}
