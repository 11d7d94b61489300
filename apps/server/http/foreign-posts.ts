export interface PostOrigin {
  method: string;
  /** The Origin header as the client sent it. */
  origin: string | undefined;
  /** The Sec-Fetch-Site header as the client sent it. */
  fetchSite: string | undefined;
  /** Our origin, as the visitor sees it. */
  ownOrigin: string;
}

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Returns whether a request that changes something was sent by a page of another origin (S1, CSRF). Browsers say so
 * in Sec-Fetch-Site, which pages can't forge; if it is missing, Origin decides. "same-site" is foreign too: brands
 * share a domain and must not act for each other. A request with neither header comes from a program, which has no
 * cookies of a person.
 */
export function isForeignPost({ method, origin, fetchSite, ownOrigin }: PostOrigin): boolean {
  if (safeMethods.has(method)) return false;
  // After a page with Referrer-Policy: no-referrer, Origin is "null" even if the post is ours, so Sec-Fetch-Site
  // comes first.
  if (fetchSite !== undefined) return fetchSite !== "same-origin" && fetchSite !== "none";
  return origin !== undefined && origin !== ownOrigin;
}
