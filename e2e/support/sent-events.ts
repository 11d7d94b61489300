import type { BrowserContext, Page } from "@playwright/test";

/** An event as it left the browser. */
export interface SentEvent {
  via: "beacon" | "fetch";
  body: Record<string, unknown> & { eventType: string; additionalFields: Record<string, unknown> };
}

/**
 * Collects the events that the pages of a context send, in their order. Bodies of beacons are not visible from outside of the page, so the page's
 * function is watched; it still sends.
 */
export async function sentEvents(context: BrowserContext): Promise<SentEvent[]> {
  const events: SentEvent[] = [];
  await context.exposeBinding("noteEvent", (_, via: SentEvent["via"], body: string) => {
    events.push({ via, body: JSON.parse(body) as SentEvent["body"] });
  });
  await context.addInitScript(() => {
    const note = (via: string, body: string) =>
      (window as unknown as { noteEvent(via: string, body: string): void }).noteEvent(via, body);
    const isTelemetry = (url: unknown) => String(url).endsWith("/api/Telemetry");
    const beacon = navigator.sendBeacon.bind(navigator);
    navigator.sendBeacon = (url, data) => {
      const isTaken = beacon(url, data);
      if (isTaken && isTelemetry(url)) void (data as Blob).text().then((body) => note("beacon", body));
      return isTaken;
    };
    const send = window.fetch.bind(window);
    window.fetch = (input, init) => {
      if (isTelemetry(input)) note("fetch", String(init?.body));
      return send(input, init);
    };
  });
  return events;
}

/** Stores the choice of consent in the browser, as the server does. `purposes` are joined by dashes, or `none`. */
export async function choose(context: BrowserContext, url: string, purposes: string): Promise<void> {
  const seconds = Math.floor(Date.now() / 1000);
  await context.addCookies([{ name: "farthing_consent", value: `1.${seconds}.${purposes}`, url }]);
}

/** Returns the data layer of a page; null: it has none. */
export const dataLayer = (page: Page) =>
  page.evaluate(() => (window as unknown as { dataLayer?: Record<string, unknown>[] }).dataLayer ?? null);
