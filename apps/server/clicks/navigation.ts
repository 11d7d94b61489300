/** The kind of request for a deal link. Only a person's navigation is a click (C1). */
export type RequestPurpose = "navigation" | "prefetch" | "embedded";

/**
 * Returns the kind of a request by headers that browsers set and pages can't forge (Fetch Metadata, Sec-Purpose). The
 * result of a prefetch may never be shown. An image, frame or script with a deal link is click stuffing. Old browsers
 * send no such headers, so requests without them are navigations.
 */
export function requestPurpose(headers: Headers): RequestPurpose {
  const purposes = ["sec-purpose", "purpose", "x-purpose", "x-moz"].map(
    (name) => headers.get(name)?.toLowerCase() ?? "",
  );
  if (purposes.some((purpose) => /\b(prefetch|prerender|preview)\b/.test(purpose))) return "prefetch";
  const mode = headers.get("sec-fetch-mode");
  const destination = headers.get("sec-fetch-dest");
  if (mode !== null && mode !== "navigate") return "embedded";
  if (destination !== null && destination !== "document" && destination !== "empty") return "embedded";
  return "navigation";
}
