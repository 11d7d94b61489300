import type { GlobalData, TelemetryEvent } from "./telemetry-events.ts";

/**
 * Sends one event (T1). OfferRedeemed goes as a beacon, because the page is about to be left, and as a request where the browser refuses the beacon.
 * A request outlives its page, too. Both are text, which the collector reads as JSON and for which browsers ask no permission first (CORS). An event
 * that is not taken is only logged, and never sent again.
 */
export function sendEvent(url: string, global: GlobalData, event: TelemetryEvent): void {
  const body = JSON.stringify({ ...global, ...event });
  if (event.eventType === "OfferRedeemed" && isBeaconTaken(url, body)) return;
  fetch(url, { method: "POST", body, keepalive: true, credentials: "omit" }).then(
    ({ ok, status }) => {
      if (!ok) console.error(`Telemetry: ${event.eventType} was answered with ${status}`);
    },
    (error: unknown) => console.error(`Telemetry: ${event.eventType} was not sent`, error),
  );
}

function isBeaconTaken(url: string, body: string): boolean {
  try {
    return navigator.sendBeacon(url, new Blob([body], { type: "text/plain" }));
  } catch {
    return false; // blockers take the function away
  }
}
