import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { clickInFrame } from "../packages/widget/browser-tests/click-in-frame.ts";
import { expect } from "./support/fixtures.ts";
import { type Shop, test as base } from "./support/shop.ts";

// Attacks across four origins, on the real service: the partner's page, the service, the card provider's stand-in and an attacker's site. Only
// their ports and host names differ from the real ones.

interface Attacker {
  origin: string;
  /** Sets the page's body. It records every message that it receives. */
  show(body: string): void;
  /** The referrers and addresses of the requests that it got. */
  got: string[];
}

const test = base.extend<{ attacker: Attacker; cleanConsole: void }>({
  // Browsers log an error for every frame that they block, which is what these tests want to see.
  cleanConsole: async ({}, use) => use(),
  attacker: async ({}, use) => {
    let body = "";
    const got: string[] = [];
    const server = createServer((request, response) => {
      got.push(`${request.url} ${request.headers.referer ?? ""}`);
      response
        .setHeader("Content-Type", "text/html; charset=utf-8")
        .end(
          `<!doctype html><title>Elsewhere</title><script>window.heard = []; addEventListener("message", ({ data }) => heard.push(String(data)));</script>${body}`,
        );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await use({ origin, got, show: (next) => (body = next) });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  },
});

/** Opens the partner's page with the widget at `path`, and beside it whatever `more` is. */
async function openPartner(page: Page, shop: Shop, { path = "/pay", more = "" } = {}) {
  const token = await shop.token();
  const markup = await shop.fill(
    `<script>window.heard = []; window.events = []; addEventListener("message", ({ data, source }) => source === document.querySelector("farthing-widget iframe")?.contentWindow && heard.push(JSON.parse(data).type));</script>
    <script async src="https://club.example/widget/farthing-widget.js"></script>
    <farthing-widget environment="production" token="${token}" path="${path}" style="height: 600px"></farthing-widget>${more}
    <script>document.querySelector("farthing-widget").addEventListener("farthing-event", ({ detail }) => events.push(detail.type));</script>`,
  );
  await shop.open(page, markup);
  await expect.poll(() => heardBy(page)).toContain("RESIZE");
  return { token, frame: page.frameLocator("farthing-widget iframe") };
}

interface Heard {
  payload: { identifier?: string; reason?: string; status?: number };
}
const heardBy = (page: Page) => page.evaluate(() => (window as unknown as { heard: string[] }).heard);
const blocked = "chrome-error://chromewebdata/";
const framesOf = (page: Page) => page.frames().map((frame) => frame.url());

test("W9 S1 an attacker's site can't frame the pages that a partner's visitor walks, with the visitor's own cookies", async ({
  page,
  shop,
  attacker,
}) => {
  const { frame } = await openPartner(page, shop, { path: "/retailers" });
  await expect(frame.locator("body")).toHaveAttribute("data-controller", "retailers");
  const service = (await shop.fill("https://club.example")).trim();
  const paths = ["/retailers", "/pay", "/", "/login", "/profile"];
  attacker.show(paths.map((path) => `<iframe src="${service}${path}"></iframe>`).join(""));
  const elsewhere = await page.context().newPage();
  await elsewhere.goto(attacker.origin);
  // The first three are pages for frames: without a session there, a sentence stands in for them. The others are blocked.
  await expect
    .poll(() => framesOf(elsewhere).slice(1))
    .toEqual([...paths.slice(0, 3).map((path) => service + path), blocked, blocked]);
  for (const framed of elsewhere.frames().slice(1, 4)) {
    await expect(framed.locator("h1")).toHaveText("Reload the page to go on");
    await expect(framed.locator("a, button, input, img")).toHaveCount(0);
  }
  const heard = (await heardBy(elsewhere)).map((data) => (JSON.parse(data) as Heard).payload);
  for (const { identifier, reason, status } of heard)
    expect({ identifier, reason, status }).toEqual({ identifier: "load-error", reason: "session-ended", status: 401 });
});

test("W3 S1 a frame that has been led to an attacker's site is told nothing, and nothing it says is believed", async ({
  page,
  shop,
  attacker,
}) => {
  attacker.show(`<script>
    const intent = { clientSecret: "pi_1_secret_2", ephemeralKey: "", customerId: "", paymentAmount: 5, context: { token: "x" } };
    parent.postMessage(JSON.stringify({ type: "STRIPE_PAYMENT_INTENT", payload: intent }), "*");
    parent.postMessage(JSON.stringify({ type: "NAVIGATION_NO_BACK", payload: { url: "x" } }), "*");
    parent.postMessage(JSON.stringify("sent"), "*");
  </script>`);
  await page.clock.install();
  await openPartner(page, shop, {
    more: `<script>
      const redirect = { paymentSuccess: { templateUrl: "https://shop.example/{id}", idPlaceholder: "{id}" } };
      document.querySelector("farthing-widget").redirect = redirect;
      addEventListener("message", ({ data }) => data === '"sent"' && (document.title = "sent"));
    </script>`,
  });
  // The frame may be gone before it has answered; the title says that it went.
  await page
    .frames()[1]!
    .evaluate((address) => location.assign(address), attacker.origin)
    .catch(() => {});
  await expect(page).toHaveTitle("sent");
  await page.clock.runFor(2400); // two more intervals of REDIRECT_CONFIG
  const led = page.frames().find((found) => found.url().startsWith(attacker.origin))!;
  // Messages between two windows keep their order: once this one has arrived, all earlier ones have too.
  await page.evaluate(() => window.frames[0]!.postMessage("the last one", "*"));
  const heard = () => led.evaluate(() => (window as unknown as { heard: string[] }).heard);
  await expect.poll(heard).toContain("the last one");
  expect(await heard()).toEqual(["the last one"]);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(await page.evaluate(() => (window as unknown as { events: string[] }).events)).not.toContain(
    "NAVIGATION_NO_BACK",
  );
});

test("W3 S1 the service's page in the frame holds no frame of another site that could speak through it", async ({
  page,
  shop,
  attacker,
}) => {
  await openPartner(page, shop, { path: "/retailers" });
  await page
    .frames()[1]!
    .evaluate((src) => document.body.append(Object.assign(document.createElement("iframe"), { src })), attacker.origin);
  await expect.poll(() => framesOf(page)[2]).toBe(blocked);
  expect(attacker.got).toEqual([]);
});

test("W3 S1 a window of the service that the partner's page has opened has no way back to it", async ({
  page,
  shop,
  context,
}) => {
  await openPartner(page, shop);
  const service = (await shop.fill("https://club.example")).trim();
  const opening = context.waitForEvent("page");
  await page.evaluate((address) => void window.open(address), `${service}/retailers`);
  const opened = await opening;
  await opened.waitForLoadState();
  expect(await opened.evaluate(() => window.opener as unknown)).toBeNull();
});

test("W9 S1 an attacker's frame beside the widget can neither open the card form nor speak to the service's page", async ({
  page,
  shop,
  attacker,
}) => {
  attacker.show(`<script>
    const intent = { clientSecret: "pi_1_secret_2", ephemeralKey: "", customerId: "", paymentAmount: 5, context: { token: "x" } };
    const done = { type: "STRIPE_PAYMENT_COMPLETE", payload: { context: { token: "x" } }, origin: "react" };
    parent.postMessage(JSON.stringify({ type: "STRIPE_PAYMENT_INTENT", payload: intent }), "*");
    parent.postMessage(JSON.stringify({ type: "NAVIGATION_NO_BACK", payload: { url: "x" } }), "*");
    for (let at = 0; at < parent.length; at += 1) if (parent[at] !== window) parent[at].postMessage(JSON.stringify(done), "*");
    parent.postMessage("sent", "*");
  </script>`);
  const { frame } = await openPartner(page, shop, {
    more: `<iframe id="beside" src="${attacker.origin}"></iframe><script>addEventListener("message", ({ data }) => data === "sent" && (document.title = "sent"));</script>`,
  });
  await expect(page).toHaveTitle("sent");
  // A real payment afterwards: whatever the attacker's messages did would show before it.
  await frame.getByLabel("Amount").fill("7.00");
  await frame.getByLabel("Reference").fill("basket-1");
  await clickInFrame(frame.getByRole("button", { name: "Continue to payment" }));
  await expect(page.getByRole("dialog", { name: "Payment" })).toHaveCount(1);
  await expect(page.getByRole("button", { name: "Pay £7.00" })).toBeEnabled();
  await expect(frame.getByText("Payment received")).toHaveCount(0);
  expect((await heardBy(page)).filter((type) => type !== "RESIZE")).toEqual(["STRIPE_PAYMENT_INTENT"]);
  expect(await page.evaluate(() => (window as unknown as { events: string[] }).events)).not.toContain(
    "NAVIGATION_NO_BACK",
  );
  const beside = page.frames().find((found) => found.url().startsWith(attacker.origin));
  expect(await beside?.evaluate(() => (window as unknown as { heard: string[] }).heard)).toEqual([]);
});

test("W9 S1 the service's page in the frame can't lead the partner's page away", async ({ page, shop, attacker }) => {
  await openPartner(page, shop);
  const inside = page.frames()[1];
  const outcome = await inside?.evaluate((address) => {
    try {
      (top as Window).location.href = address;
      return "led away";
    } catch (error) {
      return (error as Error).name;
    }
  }, attacker.origin);
  expect(outcome).toBe("SecurityError");
  expect(page.url()).toBe(`${shop.origin}/`);
});

test("W9 S1 the token goes to /redirect alone: to no other address, no referrer, and no address of the frame", async ({
  page,
  shop,
}) => {
  const requests: { url: string; referer: string }[] = [];
  page.on("request", (request) => requests.push({ url: request.url(), referer: request.headers()["referer"] ?? "" }));
  const { token, frame } = await openPartner(page, shop, { path: "/retailers" });
  await clickInFrame(frame.locator('main a[href^="/retailers/"]').first());
  await expect(frame.locator("body")).toHaveAttribute("data-action", "show");
  const carriers = requests.filter(({ url, referer }) => (url + referer).includes(token));
  expect(carriers.map(({ url }) => new URL(url).pathname)).toEqual(["/redirect"]);
  expect(carriers.map(({ referer }) => referer)).not.toContain(token);
  expect(framesOf(page).join()).not.toContain(token);
});

test("W9 S1 a token opens its own origin's page only: another site that takes it shows nothing, and it is spent", async ({
  page,
  shop,
  attacker,
}) => {
  const service = (await shop.fill("https://club.example")).trim();
  const address = `${service}/redirect?path=%2Fretailers&token=${encodeURIComponent(await shop.token())}`;
  attacker.show(`<iframe src="${address.replaceAll("&", "&amp;")}"></iframe>`);
  await page.goto(attacker.origin);
  await expect.poll(() => framesOf(page)).toEqual([`${attacker.origin}/`, blocked]);
  expect(await heardBy(page)).toEqual([]);
  expect((await page.request.get(address)).status()).toBe(410);
});
