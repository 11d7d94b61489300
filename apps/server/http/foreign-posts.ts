export interface PostOrigin {
  method: string;
  /** Origin and Sec-Fetch-Site as sent by the client. */
  origin: string | undefined;
  fetchSite: string | undefined;
  /** Our own origin, as the visitor sees it. */
  ownOrigin: string;
}

const reading = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Whether a request that changes something was sent by a page of another origin (S1, CSRF). Browsers say so in Sec-Fetch-Site, which pages
 * can't forge; where it is missing, Origin decides. "same-site" is foreign too: brands are neighbours on one domain and must not act for each
 * other. A request with neither comes from a program, which has no cookies of a person.
 */
export function isForeignPost({ method, origin, fetchSite, ownOrigin }: PostOrigin): boolean {
  if (reading.has(method)) return false;
  // Origin is "null" after a page with Referrer-Policy: no-referrer, also when the post is our own: Sec-Fetch-Site is the better witness.
  if (fetchSite !== undefined) return fetchSite !== "same-origin" && fetchSite !== "none";
  return origin !== undefined && origin !== ownOrigin;
}
