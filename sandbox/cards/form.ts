/** A request's fields: text, or more fields below a name. Lists come as fields named 0, 1, 2 … */
export interface Fields {
  [name: string]: string | Fields;
}

const deepest = 6;

/**
 * Reads the provider's form encoding, where brackets nest: `metadata[order]=7`, `expand[0]=charge`, `items[][id]=x`.
 * Names that could reach an object's own machinery are dropped.
 */
export function readForm(text: string): Fields {
  const fields: Fields = Object.create(null) as Fields;
  for (const [name, value] of new URLSearchParams(text)) {
    const path = [...name.matchAll(/[^[\]]+|\[\]/g)].map(([part]) => part);
    if (
      path.length === 0 ||
      path.length > deepest ||
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

/** A text field, or nothing when it is absent or nested. */
export function textOf(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" ? value : undefined;
}

/** The fields below a name; none when it is absent. */
export function below(fields: Fields, name: string): Fields {
  const value = fields[name];
  return typeof value === "object" ? value : {};
}

/** A list of texts. */
export function listOf(fields: Fields, name: string): string[] {
  return Object.values(below(fields, name)).filter((value) => typeof value === "string");
}
