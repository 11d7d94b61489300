/**
 * The iframe's address, `{base URL}/redirect?path={URL-encoded}&token={token}` (W2).
 * `path` must be a path of the service: one leading slash, and nothing that a second decoding or a lenient parser could turn into another
 * host. Throws a TypeError that says what is wrong.
 */
export function frameAddress(baseUrl: string, path: string, token: string): URL {
  if (!isServicePath(path, baseUrl)) {
    throw new TypeError(`farthing-widget: path must be like "/gift-cards", not "${path}"`);
  }
  return new URL(`${baseUrl.replace(/\/+$/, "")}/redirect?path=${encodeURIComponent(path)}&token=${encodeURIComponent(token)}`);
}

function isServicePath(path: string, baseUrl: string): boolean {
  try {
    const origin = new URL(baseUrl).origin;
    return [path, decodeURIComponent(path)].every(
      // oxlint-disable-next-line no-control-regex -- control characters are exactly what is refused
      (form) => /^\/(?![/\\])[^\\\u0000-\u001f\u007f]*$/.test(form) && new URL(form, baseUrl).origin === origin,
    );
  } catch {
    return false; // a stray % or an address nobody can parse
  }
}
