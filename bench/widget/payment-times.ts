import { chromium, type Browser, type Frame, type Page } from "@playwright/test";
import { findBrowser } from "../../bin/find-browser.mjs";
import { originsAt } from "../../packages/widget/browser-tests/origins.ts";
import { MeasuredServer } from "../pages/measured-server.ts";

/** Milliseconds in the partner's page, from receiving STRIPE_PAYMENT_INTENT. */
export interface PaymentTime {
  /** Until the dialog is shown. */
  dialog: number;
  /** Until its button is enabled: the card form is ready and the provider has confirmed the amount. */
  ready: number;
}

declare global {
  interface Window {
    paymentTime: { heard?: number; dialog?: number; ready?: number };
  }
}

/** A widget to measure: its checkout's `packages/widget`, and the first of four free ports for its origins. */
export interface MeasuredWidget {
  folder: string;
  firstPort: number;
}

export interface PaymentTimes {
  first: PaymentTime[];
  next: PaymentTime[];
}

/**
 * Runs the browser tests' origins (partner, service, a stand-in card provider) of each widget and opens two payments up to the ready modal in a new
 * page each time: the first loads the provider's script, the second has it. The widgets take turns, so that they share whatever else the machine does.
 */
export async function paymentTimes(widgets: readonly MeasuredWidget[], runs: number): Promise<PaymentTimes[]> {
  const executablePath = findBrowser();
  const servers = widgets.map(
    ({ folder, firstPort }) =>
      new MeasuredServer({
        command: process.execPath,
        args: ["browser-tests/fixtures/serve.ts"],
        cwd: folder,
        port: firstPort,
        env: { WIDGET_TEST_PORT: String(firstPort) },
      }),
  );
  let browser: Browser | undefined;
  try {
    for (const server of servers) await server.ready("/leak");
    browser = await chromium.launch(executablePath ? { executablePath } : {});
    const times = widgets.map((): PaymentTimes => ({ first: [], next: [] }));
    for (const widget of widgets) await visit(browser, widget); // warm up
    for (let run = 0; run < runs; run++) {
      // The order alternates: whoever is second may find something warm.
      const turns = run % 2 ? widgets.toReversed() : widgets;
      for (const widget of turns) {
        const [first, next] = await visit(browser, widget);
        const own = times[widgets.indexOf(widget)]!;
        own.first.push(first);
        own.next.push(next);
      }
    }
    return times;
  } finally {
    await browser?.close();
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** Visits as a new visitor without a cache: opens the modal, closes it and opens it for another intent. */
async function visit(browser: Browser, widget: MeasuredWidget): Promise<[first: PaymentTime, next: PaymentTime]> {
  const { partner, service, cards } = originsAt(widget.firstPort);
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.addInitScript(watchPayments);
    const query = new URLSearchParams({ entry: "script", service, cards: `${cards}/card.js` });
    await page.goto(`${partner}/?${query}`);
    await page.evaluate(() => window.harness.mount({ token: "bench", environment: "dev", path: "/" }));
    const frame = await (await page.waitForSelector("#host iframe")).contentFrame();
    if (!frame) throw new Error("The widget has no frame.");
    await frame.waitForSelector("#pay");
    await frame.waitForLoadState();
    const first = await pay(page, frame, 1);
    await page.keyboard.press("Escape");
    await page.waitForSelector(".farthing-modal", { state: "detached" });
    return [first, await pay(page, frame, 2)];
  } finally {
    await context.close();
  }
}

async function pay(page: Page, frame: Frame, number: number): Promise<PaymentTime> {
  await page.evaluate(() => (window.paymentTime = {}));
  await frame.evaluate((secret) => {
    window.payment.clientSecret = secret;
    document.querySelector<HTMLElement>("#pay")!.click();
  }, `pi_1234_secret_${number}`);
  await page.waitForFunction(() => window.paymentTime.ready !== undefined);
  const { heard, dialog, ready } = await page.evaluate(() => window.paymentTime);
  if (heard === undefined || dialog === undefined || ready === undefined) throw new Error("A payment was not seen.");
  return { dialog: dialog - heard, ready: ready - heard };
}

/** Runs in the page before its own scripts, so that its listener is the first. */
function watchPayments(): void {
  window.paymentTime = {};
  addEventListener("message", ({ data }) => {
    if (typeof data === "string" && data.includes('"STRIPE_PAYMENT_INTENT"'))
      window.paymentTime.heard = performance.now();
  });
  new MutationObserver(() => {
    const button = document.querySelector<HTMLButtonElement>(".farthing-modal [role=dialog] button");
    if (!button) return;
    window.paymentTime.dialog ??= performance.now();
    if (!button.disabled) window.paymentTime.ready ??= performance.now();
  }).observe(document, { subtree: true, childList: true, attributeFilter: ["disabled"] });
}
