import type { Page } from "@playwright/test";
import { sql } from "kysely";
import { clickInFrame } from "../packages/widget/browser-tests/click-in-frame.ts";
import { expect } from "./support/fixtures.ts";
import { type Shop, test } from "./support/shop.ts";
import { withStackDatabase } from "./support/stack-database.ts";

// What a person sees in the widget on a partner's page, on the real service and on an origin of its own (W2, W9).

/** Opens a partner's page with the documented lines and this path, and keeps the widget's messages and the console. */
async function openWidget(page: Page, shop: Shop, path: string, headers: Record<string, string> = {}) {
  const errors: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") errors.push(message.text());
  });
  const markup = await shop.fill(
    `<script>window.heard = []; addEventListener("message", ({ data, source }) => source === frames[0] && heard.push(JSON.parse(data)));</script>
    <script async src="https://club.example/widget/farthing-widget.js"></script>
    <farthing-widget environment="production" token="TOKEN" path="${path}" style="height: 700px"></farthing-widget>`,
  );
  await shop.open(page, markup, headers);
  return { frame: page.frameLocator("iframe"), errors, markup };
}

interface Heard {
  type: string;
  payload: Record<string, unknown>;
}
const heard = (page: Page) => page.evaluate(() => (window as unknown as { heard: Heard[] }).heard);
const problem = async (page: Page) =>
  (await heard(page)).find(({ payload }) => payload["identifier"] === "load-error")?.payload;

for (const policy of [null, "require-corp", "credentialless"])
  test(`W2 W9 a person walks from the search to an offer in the frame${policy ? ` of a page with COEP ${policy}` : ""}`, async ({
    page,
    shop,
  }) => {
    const headers: Record<string, string> = policy
      ? { "Cross-Origin-Embedder-Policy": policy, "Cross-Origin-Opener-Policy": "same-origin" }
      : {};
    const { frame, errors } = await openWidget(page, shop, "/", headers);
    await expect(frame.getByRole("link", { name: "Log in" })).toHaveCount(0);
    await frame.getByRole("link", { name: "Open in a new tab" }).waitFor();
    await frame.getByRole("searchbox").fill("tea");
    await clickInFrame(frame.getByRole("button", { name: "Search", exact: true }));
    await expect(frame.locator("body")).toHaveAttribute("data-controller", "search");
    await clickInFrame(frame.locator('main a[href^="/retailers/"], main a[href^="/offers/"]').first());
    await expect(frame.locator("body")).toHaveAttribute("data-controller", /retailers|offers/);
    await expect(frame.locator(".frame-bar")).toBeVisible();
    await expect(frame.locator("html")).toHaveAttribute("data-script", "started");
    expect(await frame.locator("html").getAttribute("data-frame-host")).toBe(shop.origin);
    expect(errors).toEqual([]);
  });

test("W5 W9 what may not be framed opens in a new tab, without an opener, and the frame stays where it was", async ({
  page,
  shop,
}) => {
  const { frame, errors } = await openWidget(page, shop, "/retailers");
  await clickInFrame(frame.locator('main a[href^="/retailers/"]').first());
  await expect(frame.locator("body")).toHaveAttribute("data-action", "show");
  // The script that opens tabs loads after the page's own.
  await expect(frame.locator("html")).toHaveAttribute("data-script", "started");
  const opening = page.waitForEvent("popup");
  await clickInFrame(frame.locator('main a[href^="/go/"]').first());
  const tab = await opening;
  await tab.waitForURL(/\/login|\/go\//);
  expect(await tab.evaluate(() => window.opener === null)).toBe(true);
  await expect(frame.locator("body")).toHaveAttribute("data-controller", "retailers");
  expect(errors).toEqual([]);
});

for (const { path, status, reason } of [
  { path: "/login", status: 404, reason: "not-found" },
  { path: "/nonsense", status: 404, reason: "not-found" },
  { path: "/retailers/no-such-retailer", status: 404, reason: "not-found" },
])
  test(`W9 the partner's page hears at once that ${path} can't be shown`, async ({ page, shop }) => {
    await openWidget(page, shop, path);
    await expect.poll(() => problem(page)).toMatchObject({ status, reason });
  });

/** What the widget's own events say of the frame: READY, and the reasons of LOAD_ERROR. */
const told = (page: Page) =>
  page.evaluate(() =>
    (window as unknown as { told: { type: string; payload: { reason?: string } }[] }).told.flatMap(
      ({ type, payload }) => (type === "READY" ? ["READY"] : type === "LOAD_ERROR" ? [payload.reason] : []),
    ),
  );

async function listen(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const heardByPage: unknown[] = [];
    Object.assign(window, { told: heardByPage });
    addEventListener("farthing-event", (event) => heardByPage.push((event as CustomEvent).detail), true);
  });
}

/** Ends the half hour of every visitor of the shop. */
const endSessions = (shop: Shop) =>
  withStackDatabase((db) =>
    db
      .updateTable("widget_sessions")
      .set((row) => ({ expires_at: sql<Date>`${row.ref("opened_at")} + interval '1 millisecond'` }))
      .where("origin", "=", shop.origin)
      .execute(),
  );

test("W9 the partner's page hears of a page that is not there, and of the end of the half hour, while a person walks; a new token goes on", async ({
  page,
  shop,
}) => {
  await listen(page);
  const { frame } = await openWidget(page, shop, "/retailers");
  await expect.poll(() => told(page)).toEqual(["READY"]);
  await frame.locator("body").evaluate((body) => {
    const link = Object.assign(document.createElement("a"), {
      href: "/retailers/no-such-retailer",
      textContent: "Gone",
    });
    body.prepend(link);
  });
  await clickInFrame(frame.getByRole("link", { name: "Gone" }));
  await expect.poll(() => told(page)).toEqual(["READY", "not-found"]);
  await clickInFrame(frame.locator(".frame-bar").getByRole("link").first());
  await expect.poll(() => told(page)).toEqual(["READY", "not-found", "READY"]);

  await endSessions(shop);
  await frame
    .locator('main a[href^="/retailers/"], main a[href^="/offers/"], main a[href^="/categories/"]')
    .first()
    .click();
  await expect(frame.getByRole("heading", { name: "Reload the page to go on" })).toBeVisible();
  await expect.poll(() => told(page)).toEqual(["READY", "not-found", "READY", "session-ended"]);
  const token = await shop.token();
  await page.evaluate((next) => Object.assign(document.querySelector("farthing-widget")!, { token: next }), token);
  await expect.poll(() => told(page)).toEqual(["READY", "not-found", "READY", "session-ended", "READY"]);
  await expect(frame.locator("body")).toHaveAttribute("data-controller", "retailers");
});

test("W9 Pay after the half hour takes nothing, says what to do, and tells the partner's page", async ({
  page,
  shop,
}) => {
  await listen(page);
  const { frame } = await openWidget(page, shop, "/pay");
  await frame.getByLabel("Amount").fill("7.00");
  await frame.getByLabel("Reference").fill("basket-1");
  await endSessions(shop);
  await clickInFrame(frame.getByRole("button", { name: "Continue to payment" }));
  await expect(frame.getByText(/The session on this page has ended\. If you have not paid, reload/)).toBeVisible();
  await expect.poll(() => told(page)).toEqual(["READY", "session-ended"]);
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("W9 the partner's page hears at once that its token is spent", async ({ page, shop }) => {
  const { markup } = await openWidget(page, shop, "/pay");
  await expect(page.frameLocator("iframe").getByRole("heading", { name: "Make a payment" })).toBeVisible();
  await shop.open(page, markup);
  await expect.poll(() => problem(page)).toMatchObject({ status: 410, reason: "spent" });
  await expect(page.frameLocator("iframe").getByText("already been opened")).toBeVisible();
});

for (const { button, title, event, offers } of [
  { button: "Authorise payment", title: "Your payment is being confirmed", event: "PAYMENT_COMPLETE", offers: 0 },
  { button: "Fail payment", title: "", event: "PAYMENT_ERROR", offers: 1 },
])
  test(`W8 a payer who leaves for their bank and comes back to the shop's page (${button}): ${event}, the frame ${title || "offers to pay"}, and no secret is left in the address`, async ({
    page,
    shop,
  }) => {
    await page.exposeFunction("mint", () => shop.token());
    const tag = await shop.fill('<script src="https://club.example/widget/farthing-widget.js"></script>');
    await shop.open(
      page,
      `${tag}<script type="module">
         const token = await mint();
         window.seen = [];
         Farthing.mount("#shop", { token, environment: "production", path: "/pay", onEvent: ({ type }) => seen.push(type) });
       </script>`,
    );
    const address = page.url();
    const frame = page.frameLocator('iframe[src*="/redirect"]');
    const next = frame.getByRole("button", { name: "Continue to payment" });
    await frame.getByLabel("Amount").fill("34.20");
    await frame.getByLabel("Reference").fill("basket-1042");
    await clickInFrame(next);
    await page.frameLocator('iframe[title="Secure payment input frame"]').getByLabel("Pay by bank").check();
    await page.getByRole("dialog", { name: "Payment" }).getByRole("button", { name: "Pay £34.20" }).click();
    await page.getByRole("button", { name: button }).click();
    await page.waitForURL(address);
    await expect.poll(() => page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toContain(event);
    if (title) await expect(frame.getByText(title)).toBeVisible();
    await expect(next).toHaveCount(offers);
  });
