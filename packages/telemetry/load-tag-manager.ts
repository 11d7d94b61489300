import { push } from "./data-layer.ts";

/** Loads the tag manager's script (T4), as its provider says: the data layer has the time of its start first. */
export function loadTagManager(address: string): void {
  push({ event: "gtm.js", "gtm.start": Date.now() });
  const script = document.createElement("script");
  script.async = true;
  script.src = address;
  document.head.append(script);
}
