import { afterEach, expect, test, vi } from "vitest";
import { startTelemetry } from "./start-telemetry.ts";
import type { PageVariables } from "./telemetry-events.ts";

const variables: PageVariables = {
  TELEMETRY_API_URL: "https://telemetry.example/api/Telemetry",
  TELEMETRY_ENABLED: true,
  TELEMETRY_USER_ID: null,
  TELEMETRY_AFFINITY_ID: "club",
  TAG_MANAGER_SCRIPT: null,
  OFFER_ID: "o1",
};

/** A button that uses the offer and is tracked. */
class Button {
  readonly dataset = { tracking: "from_website" };
  closest = () => this;
  matches = () => false;
}

/** Opens the page of an offer as far as the client reads it. */
function openPage() {
  const sent: string[] = [];
  let onClick: ((event: { target: Button }) => void) | undefined;
  const take = (body: string) => void sent.push((JSON.parse(body) as { eventType: string }).eventType);
  const window: { dataLayer?: { event: string }[] } = {};
  vi.stubGlobal("window", window);
  vi.stubGlobal("Element", Button);
  vi.stubGlobal("location", new URL("https://one.test/offers/x?offer=o1"));
  vi.stubGlobal("navigator", { sendBeacon: () => false });
  vi.stubGlobal("fetch", async (_: string, { body }: { body: string }) => {
    take(body);
    return { ok: true };
  });
  vi.stubGlobal("document", {
    body: { dataset: { controller: "offers", action: "show" } },
    querySelectorAll: () => [{ dataset: { tracking: "offer_details" }, matches: () => false }],
    addEventListener: (_: string, listener: typeof onClick) => (onClick = listener),
    removeEventListener: () => (onClick = undefined),
  });
  return {
    sent,
    pushed: () => window.dataLayer?.map(({ event }) => event) ?? null,
    click: () => onClick?.({ target: new Button() }),
  };
}

afterEach(() => void vi.unstubAllGlobals());

test("T6 T1 each event and each push asks whether it is agreed to, so that a consent taken back in another tab holds at once", () => {
  const page = openPage();
  let agreed = ["measurement", "tags"];
  const stop = startTelemetry({
    variables,
    sessionId: "visit",
    sendsEvents: () => agreed.includes("measurement"),
    pushesData: () => agreed.includes("tags"),
  });
  page.click();
  expect(page.sent).toEqual(["OfferPage", "OfferRedeemed"]);
  expect(page.pushed()).toEqual(["offer_details", "from_website"]);

  agreed = ["tags"];
  page.click();
  expect(page.sent).toHaveLength(2);
  expect(page.pushed()).toHaveLength(3);

  agreed = [];
  page.click();
  expect(page.sent).toHaveLength(2);
  expect(page.pushed()).toHaveLength(3);

  stop();
  expect(page.pushed()).toBeNull();
  page.click();
  expect(page.sent).toHaveLength(2);
});

test("T6 T1 a consent that ends while the client loads sends and pushes nothing", () => {
  const page = openPage();
  startTelemetry({ variables, sessionId: "visit", sendsEvents: () => false, pushesData: () => false });
  page.click();
  expect(page.sent).toEqual([]);
  expect(page.pushed()).toBeNull();
});
