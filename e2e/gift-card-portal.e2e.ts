import type { FrameLocator, Page } from "@playwright/test";
import { clickInFrame } from "../packages/widget/browser-tests/click-in-frame.ts";
import { expect } from "./support/fixtures.ts";
import { openCardForm, payButton, payWith, placeOrder, portalIn, putInBasket, soldCards } from "./support/portal.ts";
import { type Shop, test } from "./support/shop.ts";

// A menu that slides after a change of the width would be checked half way.
test.use({ contextOptions: { reducedMotion: "reduce" } });

// The gift-card portal in the frame of a partner's page on another origin: from the search to codes and a refund, with
// the sandbox's issuer and card provider (G2, G4, G6).

interface Heard {
  type: string;
  payload: Record<string, unknown>;
}

/** Opens a partner's page with the portal, and keeps the frame's messages. */
async function openPortal(page: Page, shop: Shop): Promise<FrameLocator> {
  const markup = await shop.fill(
    `<script>window.heard = []; addEventListener("message", ({ data, source }) => source === frames[0] && heard.push(JSON.parse(data)));</script>
    <script async src="https://club.example/widget/farthing-widget.js"></script>
    <farthing-widget environment="production" publishable-key="pk_test_…" token="TOKEN" path="/portal" style="height: 700px"></farthing-widget>`,
  );
  await shop.open(page, markup);
  return portalIn(page);
}

const heard = (page: Page) => page.evaluate(() => (window as unknown as { heard: Heard[] }).heard);

test("G2 G4 G6 a visitor searches, buys three cards, and gets two codes and one refund", async ({
  page,
  shop,
  sandboxUrl,
  axe,
}) => {
  const frame = await openPortal(page, shop);
  const wanted = await soldCards();
  expect(wanted).toHaveLength(3);
  for (const [index, { name }] of wanted.entries()) {
    await putInBasket(frame, name);
    await axe(page);
    if (index < 2) await clickInFrame(frame.getByRole("link", { name: "Choose another card" }));
  }
  await frame.getByLabel("Your e-mail address").waitFor();
  await placeOrder(frame, "visitor");
  await openCardForm(frame);
  // Sold out between the checkout and the payment.
  const sayOutOfStock = (outOfStock: string[]) =>
    fetch(sandboxUrl("/control/issuer/faults"), {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ outOfStock }),
    });
  await sayOutOfStock([wanted[1]?.issuerId ?? ""]);
  try {
    await payWith(page, "4242424242424242");
    await expect(frame.getByRole("heading", { name: "Some of your cards are ready" })).toBeVisible({ timeout: 60_000 });
  } finally {
    await sayOutOfStock([]);
  }
  await expect(frame.getByText("The card was out of stock.")).toBeVisible();
  await expect(frame.getByText("Refunded", { exact: true })).toHaveCount(1);
  await expect(frame.locator(".portal-code")).toHaveCount(0);
  await axe(page);
  for (const count of [1, 2]) {
    await frame
      .getByRole("button", { name: /^Show the code/ })
      .first()
      .click();
    await expect(frame.locator(".portal-code")).toHaveCount(count);
  }
  await expect(frame.getByRole("button", { name: "Copy code" }).first()).toBeVisible();
  await axe(page);
  // The basket is bought, and the orders' list has the order.
  await clickInFrame(frame.getByRole("link", { name: "Orders" }));
  await expect(frame.getByRole("link", { name: "Some of your cards are ready" })).toBeVisible();
  await clickInFrame(frame.getByRole("link", { name: "Basket", exact: true }));
  await expect(frame.getByRole("heading", { name: "Your basket is empty" })).toBeVisible();

  const messages = await heard(page);
  expect(messages.some(({ type, payload }) => type === "RESIZE" && Number(payload["height"]) > 300)).toBe(true);
  expect(messages.find(({ type }) => type === "NAVIGATION_NO_BACK")?.payload["url"]).toMatch(/^\/portal\/orders\//);
});

test("G2 W9 in a browser that keeps no cookies in frames the first page says so, tells the page around it, and leads to no dead end", async ({
  page,
  shop,
  axe,
}) => {
  await page.addInitScript(() => Object.defineProperty(Document.prototype, "cookie", { get: () => "", set() {} }));
  const frame = await openPortal(page, shop);
  const words = frame.getByRole("alert");
  await expect(words).toContainText(/keeps no cookies for localhost here.*Allow them/);
  await expect
    .poll(async () => (await heard(page)).filter(({ type }) => type === "RESIZE").map(({ payload }) => payload))
    .toContainEqual(
      expect.objectContaining({ identifier: "load-error", status: 401, reason: "no-cookies" }) as unknown,
    );
  expect((await heard(page)).filter(({ payload }) => payload["identifier"] === "portal")).toEqual([]);
  await axe(page);
  await clickInFrame(frame.getByRole("link", { name: /^Basket/ }));
  await expect(words).toBeFocused();
  await frame.getByRole("searchbox").press("Enter");
  await expect(words).toBeFocused();
  await expect(frame.locator("html")).toHaveAttribute("data-portal-host", shop.origin);
});

test("G2 W8 a declined card leaves the order and the basket; another card pays for it", async ({ page, shop }) => {
  await page.setViewportSize({ width: 375, height: 720 });
  const frame = await openPortal(page, shop);
  const [card] = await soldCards();
  await putInBasket(frame, card?.name ?? "");
  await placeOrder(frame, "visitor");
  const button = frame.getByRole("button", { name: /^Pay £/ });
  await expect(button).toBeEnabled();
  const color = await button.evaluate((element) => getComputedStyle(element).backgroundColor);
  await openCardForm(frame);
  // The dialog's button has the colour of the portal's (W7), not that of one which waits.
  await expect(payButton(page)).toHaveCSS("background-color", color);
  await payWith(page, "4000000000000002");
  await expect(page.getByRole("dialog", { name: "Payment" })).toBeVisible();
  await payWith(page, "4242424242424242");
  await expect(frame.getByRole("heading", { name: "Your card is ready" })).toBeVisible({ timeout: 60_000 });
  await clickInFrame(frame.getByRole("button", { name: "Order again" }));
  await expect(frame.getByText("The same cards are in your basket.")).toBeVisible();
  await expect(frame.getByRole("heading", { name: card?.name ?? "" })).toBeVisible();
  const overflow = await frame.locator("html").evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});

test.describe("without script in the frame", () => {
  test.use({ noScript: true });

  test("P8 G2 the catalogue, the basket and the order work with forms alone", async ({ page, shop, brandUrl }) => {
    const [card] = await soldCards();
    // The widget needs script, so the page is opened as the frame's document is: with its token.
    const path = encodeURIComponent(`/portal/cards/${card?.slug ?? ""}`);
    await page.goto(brandUrl("chalkside", `/redirect?path=${path}&token=${await shop.token()}`));
    await page.goto(brandUrl("chalkside", `/portal/cards/${card?.slug ?? ""}`));
    await page.getByRole("button", { name: "Add to basket" }).click();
    await page.getByLabel("Your e-mail address").fill(`kim-${crypto.randomUUID()}@example.org`);
    await page.getByRole("button", { name: "Continue to payment" }).click();
    await expect(page.getByRole("heading", { name: "Pay for your order" })).toBeVisible();
    await expect(page.locator(".portal-pay noscript .notice")).toBeVisible();
    await page.getByRole("link", { name: "Change the basket" }).click();
    await page.getByRole("button", { name: /^Remove/ }).click();
    await expect(page.getByRole("heading", { name: "Your basket is empty" })).toBeVisible();
  });
});
