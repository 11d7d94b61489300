/**
 * Returns whether the browser keeps cookies for this frame: some keep none in foreign pages, and without one the next
 * page would not know its partner. The session's own cookie is out of reach of scripts.
 */
export function keepsCookies(): boolean {
  const name = "farthing_frame_probe";
  const attributes = "Path=/; Secure; SameSite=None; Partitioned";
  // oxlint-disable-next-line unicorn/no-document-cookie -- the Cookie Store API can't say it synchronously
  document.cookie = `${name}=1; Max-Age=60; ${attributes}`;
  const isKept = document.cookie.includes(name);
  // oxlint-disable-next-line unicorn/no-document-cookie
  document.cookie = `${name}=; Max-Age=0; ${attributes}`;
  return isKept;
}
