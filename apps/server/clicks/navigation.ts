/** What sort of request follows a deal link. Only a person's own navigation is a click (product.md C1). */
export type RequestPurpose = "navigation" | "prefetch" | "embedded";

/**
 * Judges by the headers browsers set and pages cannot forge (Fetch Metadata, Sec-Purpose). A prefetch may never be looked at; an image,
 * frame or script that points at a deal link is someone stuffing clicks. Clients that send no such headers are people with old browsers.
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
