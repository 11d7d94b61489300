/**
 * Returns a path with its query. Undefined, null and empty parameters are left out, so that one page has one address.
 */
export function pagePath(path: string, parameters: Record<string, string | number | null | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null && value !== "") query.set(name, String(value));
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}
