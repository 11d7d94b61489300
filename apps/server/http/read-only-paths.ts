const READ_ONLY = /^\/(assets|art|brand|widget|healthz|readyz|metrics)(\/|$)/;

/** Returns whether a path is one of the server's own that only answers GET and HEAD. */
export function isReadOnly(path: string): boolean {
  return READ_ONLY.test(path);
}
