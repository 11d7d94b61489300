import fresh from "fresh";

/** Longer headers don't come from browsers; parsing them would only cost time. */
const MAX_HEADER_LENGTH = 4096;

/**
 * Returns whether the client already has the content with this ETag, so that it gets 304 (RFC 9110, 13.1.2:
 * weak comparison).
 */
export function isUnchanged(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined || ifNoneMatch.length > MAX_HEADER_LENGTH) return false;
  return fresh({ "if-none-match": ifNoneMatch }, { etag });
}
