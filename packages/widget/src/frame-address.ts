/**
 * Returns the iframe's address, `{base URL}/redirect?path={URL-encoded}&token={token}` (W2). `path` must be a path of the service: one
 * leading slash, and nothing that a second decoding or a lenient parser could turn into another host.
 * @throws TypeError for any other path
 */
export function frameAddress(baseUrl: string, path: string, token: string): URL {
  if (!isServicePath(path)) {
    throw new TypeError('farthing-widget: path must be like "/pay"');
  }
  return new URL(
    `${baseUrl.replace(/\/$/, "")}/redirect?path=${encodeURIComponent(path)}&token=${encodeURIComponent(token)}`,
  );
}

function isServicePath(path: string): boolean {
  try {
    // Decoding removes none of the refused characters, so checking the decoded path also checks the path itself.
    // oxlint-disable-next-line no-control-regex -- it refuses control characters
    return /^\/(?!\/)[^\\\0-\x1f\x7f]*$/.test(decodeURIComponent(path));
  } catch {
    return false; // a stray %
  }
}
