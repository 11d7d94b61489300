/**
 * Whether a URL may be opened or returned to: absolute, http or https, no credentials, nothing a parser would quietly
 * remove or bend (white space, control characters, backslashes). Everything else is refused (W5, Y4).
 */
export function isHttpUrl(url: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are exactly what is refused
  if (!/^https?:\/\/[^\s\\\u0000-\u0020\u007f]+$/i.test(url)) return false;
  try {
    const { username, password } = new URL(url);
    return !username && !password;
  } catch {
    return false;
  }
}
