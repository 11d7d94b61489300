/**
 * Whether a URL may be opened or returned to: absolute, http or https, no credentials, nothing a parser would quietly remove or bend
 * (white space, control characters, backslashes). Everything else is refused (W5, Y4).
 */
export function isHttpUrl(url: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are exactly what is refused
  return /^https?:\/\/[^\0- \\/?#@]+([/?#][^\0- \\]*)?$/i.test(url) && URL.canParse(url);
}
