/**
 * Returns whether a URL may be opened or returned to (W5, Y4): absolute, http or https, without credentials, and without characters that a
 * parser would silently remove or change (white space, control characters, backslashes).
 */
export function isHttpUrl(url: string): boolean {
  // oxlint-disable-next-line no-control-regex -- it refuses control characters
  return /^https?:\/\/[^\0- \\/?#@]+([/?#][^\0- \\]*)?$/i.test(url) && URL.canParse(url);
}
