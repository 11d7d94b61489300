/** A request's fields: text, or nested fields. Lists have fields named 0, 1, 2 … */
export interface Fields {
  [name: string]: string | Fields;
}

const MAX_DEPTH = 6;

/**
 * Reads the provider's form encoding, which nests with brackets: `metadata[order]=7`, `expand[0]=charge`, `items[][id]=x`.
 * Drops names that could change an object's prototype.
 */
export function readForm(text: string): Fields {
  const fields: Fields = Object.create(null) as Fields;
  for (const [name, value] of new URLSearchParams(text)) {
    const path = [...name.matchAll(/[^[\]]+|\[\]/g)].map(([part]) => part);
    if (
      path.length === 0 ||
      path.length > MAX_DEPTH ||
      path.some((part) => part === "__proto__" || part === "constructor" || part === "prototype")
    )
      continue;
    let place = fields;
    for (const [index, part] of path.entries()) {
      const key = part === "[]" ? String(Object.keys(place).length) : part;
      if (index === path.length - 1) place[key] = value;
      else {
        const inner = place[key];
        place = typeof inner === "object" ? inner : (place[key] = Object.create(null) as Fields);
      }
    }
  }
  return fields;
}

/** Returns a text field, or undefined if it is absent or nested. */
export function textOf(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" ? value : undefined;
}

/** Returns nested fields; empty if there are none. */
export function below(fields: Fields, name: string): Fields {
  const value = fields[name];
  return typeof value === "object" ? value : {};
}

/** Returns a list of texts. */
export function listOf(fields: Fields, name: string): string[] {
  return Object.values(below(fields, name)).filter((value) => typeof value === "string");
}
