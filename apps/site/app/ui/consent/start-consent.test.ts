import { afterEach, expect, test, vi } from "vitest";

const SECONDS = Math.floor(Date.now() / 1000);
const consent = (purposes: string, version = 1) => `farthing_consent=${version}.${SECONDS}.${purposes}`;
const variables = {
  TELEMETRY_API_URL: "https://telemetry.example/api/Telemetry",
  TELEMETRY_ENABLED: true,
  TELEMETRY_USER_ID: null,
  TELEMETRY_AFFINITY_ID: "club",
  TAG_MANAGER_SCRIPT: null,
  OFFER_ID: "o1",
};

class KeptStorage {
  [key: string]: unknown;
  constructor(keys: readonly string[]) {
    for (const key of keys) this[key] = "1";
  }
}
Object.defineProperty(KeptStorage.prototype, "removeItem", {
  value(this: Record<string, unknown>, key: string) {
    delete this[key];
  },
});

/** The brand's other tabs. */
class Channel {
  static readonly open = new Set<Channel>();
  onmessage: (() => void) | null = null;
  readonly told = vi.fn<() => void>();
  constructor() {
    Channel.open.add(this);
  }
  close = () => Channel.open.delete(this);
  postMessage = this.told;
}
const toldOfOthers = () => {
  for (const { onmessage } of Channel.open) onmessage?.();
};

interface Opened {
  cookies: string[];
  /** As read-consent.ts has set it; null: not answered. */
  consent?: string | null;
  isRefused?: boolean;
  isSubscribed?: boolean;
}

/** Opens a page in a tab, as far as the script of consent reads it, and starts the script. */
async function openTab({ cookies, consent: read = null, isRefused = false, isSubscribed = false }: Opened) {
  const jar = new Map(cookies.map((cookie) => cookie.split("=", 2) as [string, string]));
  const keys = ["farthing.recent-searches", "half-filled /register", "__stripe_mid", "_tag"];
  const storages = [new KeptStorage(keys), new KeptStorage(keys)];
  const sent: string[] = [];
  const unsubscribe = vi.fn<() => void>();
  const loads: string[] = [];
  let onSubmit: (event: unknown) => void = () => {};
  const form = {
    action: "/cookies",
    matches: () => false,
    addEventListener: (_: string, listener: typeof onSubmit) => (onSubmit = listener),
  };
  const window = Object.assign(new EventTarget(), { BroadcastChannel: Channel, dataLayer: undefined as unknown });
  const document = Object.assign(new EventTarget(), {
    documentElement: {
      dataset: { consentAsks: "measurement tags messages", ...(read === null ? {} : { consent: read }) },
    },
    body: { dataset: { controller: "offers", action: "show" } },
    querySelectorAll: (selector: string) => (selector.includes("form") ? [form] : []),
    querySelector: (selector: string) => (isRefused && selector.includes(":disabled") ? form : null),
    getElementById: (id: string) =>
      id === "page-variables" ? { textContent: JSON.stringify(variables) } : { focus: () => {} },
  });
  Object.defineProperty(document, "cookie", {
    get: () => [...jar].map((pair) => pair.join("=")).join("; "),
    set(line: string) {
      jar.set(...(line.split(";", 1)[0]?.split("=", 2) as [string, string]));
    },
  });
  const registration = {
    pushManager: { getSubscription: async () => (isSubscribed ? { unsubscribe } : null) },
    getNotifications: async () => [],
    update: async () => {},
  };
  const location = {
    protocol: "http:",
    href: "http://club.test/offers/x?offer=o1#top",
    replace: (to: string) => loads.push(to),
  };
  const FormFields = class {
    *[Symbol.iterator]() {
      yield ["choice", "none"];
    }
  };
  for (const [name, value] of Object.entries({
    ...{ window, document, location, BroadcastChannel: Channel, FormData: FormFields },
    ...{ localStorage: storages[0], sessionStorage: storages[1] },
    Element: Object,
    navigator: {
      sendBeacon: () => false,
      serviceWorker: { getRegistration: async () => registration, register: async () => registration },
    },
    fetch: async (url: string, { body }: { body: string }) => {
      if (url !== "/cookies") {
        sent.push((JSON.parse(body) as { eventType: string }).eventType);
        return { ok: true };
      }
      jar.set(...(consent("none").split("=", 2) as [string, string]));
      return { status: 204 };
    },
  }))
    vi.stubGlobal(name, value);
  vi.resetModules();
  const { startConsent } = await import("./start-consent.ts");
  startConsent();
  const isStarted = read !== null && read !== "";
  if (isStarted) await vi.waitUntil(() => sent.length > 0 || window.dataLayer !== undefined || jar.has("started"));
  return {
    ...{ window, sent, unsubscribe, loads, jar },
    dataset: document.documentElement.dataset as { consent?: string },
    keys: () => storages.map((storage) => Object.keys(storage)),
    choose: (purposes: string) => jar.set(...(consent(purposes).split("=", 2) as [string, string])),
    refuse: async () => {
      onSubmit({ submitter: null, preventDefault: () => {} });
      await vi.waitUntil(
        () => document.documentElement.dataset.consentAsks && jar.get("farthing_consent")?.endsWith("none"),
      );
      await new Promise((resolve) => setTimeout(resolve, 0));
    },
    comeBack: () => window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true })),
    leave: () => window.dispatchEvent(new Event("pagehide")),
    wake: () => document.dispatchEvent(new Event("visibilitychange")),
    click: () =>
      document.dispatchEvent(
        Object.defineProperty(new Event("click"), "target", {
          value: { closest: () => ({ dataset: { tracking: "from_website" }, matches: () => false }) },
        }),
      ),
  };
}

const OURS = ["farthing.recent-searches", "half-filled /register", "__stripe_mid"];

afterEach(() => {
  vi.unstubAllGlobals();
  Channel.open.clear();
});

test("T6 a refusal deletes what tags and messages have stored, whatever was agreed to before, and nothing of ours", async () => {
  for (const cookies of [[], [consent("measurement-tags-messages", 0)]]) {
    const tab = await openTab({ cookies, isSubscribed: true });
    await tab.refuse();
    expect(tab.keys()).toEqual([OURS, OURS]);
    expect(tab.unsubscribe).toHaveBeenCalledOnce();
    expect(tab.dataset.consent).toBe("");
    // No tag has run here.
    expect(tab.loads).toEqual([]);
    expect([...Channel.open].at(-1)?.told).toHaveBeenCalledOnce();
  }
});

test("T6 where the page of the choice has no buttons, because of Global Privacy Control, the visit deletes it", async () => {
  const tab = await openTab({ cookies: [consent("tags-messages")], consent: "", isRefused: true, isSubscribed: true });
  await vi.waitUntil(() => tab.unsubscribe.mock.calls.length > 0);
  expect(tab.keys()).toEqual([OURS, OURS]);
  expect(tab.loads).toEqual([]);
});

test("T6 a tab in which a tag runs stops and loads again once another tab has taken the consent back", async () => {
  const tab = await openTab({ cookies: [consent("measurement-tags")], consent: "measurement tags" });
  tab.click();
  expect(tab.sent).toEqual(["OfferPage", "OfferRedeemed"]);
  expect(tab.window.dataLayer).toHaveLength(1);
  toldOfOthers();
  expect(tab.loads, "the choice is as it was").toEqual([]);
  tab.choose("measurement");
  toldOfOthers();
  expect(tab.window.dataLayer).toBeUndefined();
  expect(tab.keys()).toEqual([OURS, OURS]);
  expect(tab.loads).toEqual(["http://club.test/offers/x?offer=o1"]);
});

test("T6 a tab without a tag stops without loading again, and one that no message has reached sends nothing", async () => {
  const tab = await openTab({ cookies: [consent("measurement")], consent: "measurement" });
  tab.choose("none");
  tab.click();
  expect(tab.sent).toEqual(["OfferPage"]);
  toldOfOthers();
  tab.click();
  expect(tab.sent).toEqual(["OfferPage"]);
  expect(tab.dataset.consent).toBe("");
  expect(tab.loads).toEqual([]);
});

test("T6 a tab that slept, or that the browser kept for the way back, looks at the choice first", async () => {
  for (const wake of ["wake", "comeBack"] as const) {
    const tab = await openTab({ cookies: [consent("measurement-tags")], consent: "measurement tags" });
    tab.leave();
    tab.choose("none");
    toldOfOthers();
    expect(tab.loads, "a kept page hears nothing").toEqual([]);
    tab[wake]();
    expect(tab.loads, wake).toEqual(["http://club.test/offers/x?offer=o1"]);
    tab.click();
    expect(tab.sent).toEqual(["OfferPage"]);
  }
});

test("T6 T2 a visit is numbered only where somebody agrees to be counted", async () => {
  const open = (purposes: string) => openTab({ cookies: [consent(purposes)], consent: purposes });
  expect((await open("measurement")).jar.has("farthing_visit")).toBe(true);
  const tab = await openTab({ cookies: [consent("tags"), "started=1"], consent: "tags" });
  // It listens once its module is loaded, which nothing else shows.
  await vi.waitUntil(() => {
    tab.click();
    return tab.window.dataLayer !== undefined;
  });
  expect(tab.window.dataLayer).toHaveLength(1);
  expect(tab.jar.has("farthing_visit")).toBe(false);
});
