import { test as base, expect, type Frame, type Locator, type Page } from "@playwright/test";
import type { WidgetEvent } from "../src/messages.ts";
import { clickInFrame } from "./click-in-frame.ts";
import type { TestProperties } from "./fixtures/harness.ts";
import { cards, partner, service } from "./origins.ts";

export { expect };

/** One of the three entries. */
export type Entry = "react" | "script" | "element";
export const entries: Entry[] = ["react", "script", "element"];

export const redirect = {
  paymentSuccess: { templateUrl: "https://shop.example/thanks/{id}?x=1", idPlaceholder: "{id}" },
};

type PageOptions = {
  /** `react-modules`: the React entry as modules with a chunk of its own for the payment, as a partner's bundler splits it. */
  entry?: Entry | "react-modules";
  strict?: boolean;
  shadow?: boolean;
  giftCards?: boolean;
  cardMode?: string;
  key?: string;
};

/** A partner's page with the widget, and a test's actions on it. */
export class PartnerPage {
  readonly page: Page;
  readonly consoleLines: string[] = [];
  readonly dialog: Locator;

  constructor(page: Page) {
    this.page = page;
    this.dialog = page.getByRole("dialog", { name: "Payment" });
    page.on("console", (message) => this.consoleLines.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => this.consoleLines.push(`pageerror: ${error.message}`));
  }

  async open({ entry = "script", strict, shadow, giftCards, cardMode, key }: PageOptions = {}): Promise<void> {
    const query = new URLSearchParams({
      entry,
      service,
      cards: `${cards}/card.js${cardMode ? `?mode=${cardMode}` : ""}`,
    });
    if (strict) query.set("strict", "");
    if (shadow) query.set("shadow", "");
    if (giftCards) query.set("gift-cards", "");
    if (key) query.set("key", key);
    await this.page.goto(`${partner}/?${query}`);
  }

  /**
   * Pauses the clock of the pages that are opened from now on: only `page.clock.runFor` advances it. With an installed clock that is not paused,
   * real time passes too, and a slow machine counts a second more.
   */
  async stopTime(): Promise<void> {
    const now = Date.now();
    await this.page.clock.install({ time: now });
    await this.page.clock.pauseAt(now + 1_000);
  }

  /** Opens a page and mounts one widget that shows the service's page. */
  async mounted(options: PageOptions = {}, properties: Partial<TestProperties> = {}): Promise<Frame> {
    await this.open(options);
    return this.mount(properties);
  }

  async mount(properties: Partial<TestProperties> = {}, id = "host"): Promise<Frame> {
    const all: TestProperties = { token: `t-${Math.random()}`, environment: "dev", path: "/", ...properties };
    await this.page.evaluate(([given, name]) => window.harness.mount(given, name), [all, id] as const);
    return this.frame(all.token);
  }

  /** Returns the loaded frame of the widget with this token. */
  async frame(token: string): Promise<Frame> {
    let found: Frame | undefined;
    await expect
      .poll(
        () => (found = this.page.frames().find((frame) => frame.url().includes(`token=${encodeURIComponent(token)}`))),
        "the widget's frame",
      )
      .toBeTruthy();
    await found!.waitForLoadState();
    return found!;
  }

  /** Returns the events of one type, or all that are not about the life of the widget: READY, LOAD_ERROR and the modal's. */
  events(type?: WidgetEvent["type"]): Promise<WidgetEvent[]> {
    return this.page.evaluate(
      (wanted) =>
        window.harness.events.filter((event) =>
          wanted
            ? event.type === wanted
            : !["READY", "LOAD_ERROR", "MODAL_OPENED", "MODAL_CLOSED", "PAYMENT_COMPLETE"].includes(event.type),
        ),
      type,
    );
  }

  /** Presses the service's button, which requests £12.34, and waits until the modal's button is enabled. */
  async askForPayment(frame: Frame, payment: Record<string, unknown> = {}): Promise<Locator> {
    await frame.evaluate((changes) => Object.assign(window.payment, changes), payment);
    await clickInFrame(frame.locator("#pay"));
    await expect(this.payButton).toBeEnabled();
    return this.dialog;
  }

  get payButton(): Locator {
    return this.dialog.getByRole("button");
  }

  async typeCard(number: string): Promise<void> {
    await this.dialog.frameLocator("iframe").getByLabel("Card number").fill(number);
  }

  confirmations(): Promise<Window["cardCalls"]["confirmations"]> {
    return this.page.evaluate(() => window.cardCalls.confirmations);
  }
}

/** Posts any data from a frame to the page, with the partner's origin as target. */
export async function postFrom(frame: Frame, data: unknown): Promise<void> {
  await frame.evaluate(([message, origin]) => parent.postMessage(message, origin as string), [data, partner] as const);
}

/** Waits until the page has handled all messages posted so far; it handles them in order. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
        port2.postMessage(0);
      }),
  );
}

export const intent = (changes: Record<string, unknown> = {}) =>
  JSON.stringify({
    type: "STRIPE_PAYMENT_INTENT",
    payload: {
      clientSecret: "pi_500_secret_9",
      ephemeralKey: "",
      customerId: "",
      paymentAmount: 5,
      context: { token: "t" },
      ...changes,
    },
  });

export const test = base.extend<{ partnerPage: PartnerPage }>({
  partnerPage: async ({ page }, use) => use(new PartnerPage(page)),
});
