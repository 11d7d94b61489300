/**
 * The iframe's address, `{base URL}/redirect?path={URL-encoded}&token={token}` (W2).
 * `path` must be a path of the service: one leading slash, and nothing that a second decoding or a lenient parser could turn into another
 * host. Throws a TypeError that says what is wrong.
 */
export function frameAddress(baseUrl: string, path: string, token: string): URL {
  if (!isServicePath(path)) {
    throw new TypeError('farthing-widget: path must be like "/gift-cards"');
  }
  return new URL(
    `${baseUrl.replace(/\/$/, "")}/redirect?path=${encodeURIComponent(path)}&token=${encodeURIComponent(token)}`,
  );
}

function isServicePath(path: string): boolean {
  try {
    // What decoding leaves alone was there before, so the decoded form has every fault of the path itself.
    // oxlint-disable-next-line no-control-regex -- control characters are exactly what is refused
    return /^\/(?!\/)[^\\\0-\x1f\x7f]*$/.test(decodeURIComponent(path));
  } catch {
    return false; // a stray %
  }
}
