import type { FrameLocator, Page } from "@playwright/test";
import { checkGiftCards } from "@farthing/core/gift-cards/check.server.ts";
import { clickInFrame } from "../../packages/widget/browser-tests/click-in-frame.ts";
import { expect } from "./fixtures.ts";
import { withStackDatabase } from "./stack-database.ts";

// What people do in the gift-card portal, in the frame of any page (G2).

/** The portal's frame in a page. */
export const portalIn = (page: Page): FrameLocator => page.frameLocator('iframe[src*="/redirect"]');

export interface SoldCard {
  name: string;
  slug: string;
  issuerId: string;
}

/** Returns three cards that are sold and that the issuer has, so that the tests name no product of the demo. */
export const soldCards = (): Promise<SoldCard[]> =>
  withStackDatabase((db) =>
    db
      .selectFrom("gift_card_products")
      .select(["name", "slug", "issuer_product_id as issuerId"])
      .where("withdrawn_at", "is", null)
      .where("stopped_at", "is", null)
      .where("is_reversible", "=", true)
      .where("amounts_pence", "is not", null)
      .where("category_id", "is not", null)
      .orderBy("name")
      .limit(3)
      .execute(),
  );

/** Searches for a card, opens its page and puts one of its least value into the basket. */
export async function putInBasket(frame: FrameLocator, name: string): Promise<void> {
  await frame.getByRole("searchbox", { name: "Search gift cards" }).fill(name);
  await clickInFrame(frame.getByRole("button", { name: "Search", exact: true }));
  await clickInFrame(frame.getByRole("link", { name, exact: true }).first());
  await expect(frame.getByRole("heading", { level: 1 })).toHaveText(`${name} gift card`);
  await clickInFrame(frame.locator(".portal-choice").first());
  await clickInFrame(frame.getByRole("button", { name: "Add to basket" }));
  await expect(frame.getByText("It is in your basket.")).toBeVisible();
}

/** Checks the basket out, as a visitor with an address of their own or as a member, and returns the order's id. */
export async function placeOrder(frame: FrameLocator, buyer: "visitor" | "member"): Promise<string> {
  if (buyer === "visitor")
    await frame.getByLabel("Your e-mail address").fill(`robin-${crypto.randomUUID()}@example.org`);
  await clickInFrame(frame.getByRole("button", { name: "Continue to payment" }));
  await expect(frame.getByRole("heading", { name: "Pay for your order" })).toBeVisible();
  const path = await frame.locator("[data-order]").getAttribute("data-order");
  return path?.replace("/portal/orders/", "") ?? "";
}

/** Opens the card form above the page. */
export const openCardForm = (frame: FrameLocator): Promise<void> =>
  clickInFrame(frame.getByRole("button", { name: /^Pay £/ }));

/** Enters a card, not key by key: the form is a frame in another process, which may not have the keyboard yet. */
export async function payWith(page: Page, number: string): Promise<void> {
  const form = page.frameLocator('iframe[title="Secure payment input frame"]');
  await form.getByLabel("Card number").fill(number);
  await form.getByLabel("Expiry date").fill("1240");
  await form.getByLabel("Security code").fill("123");
  await payButton(page).click();
}

/** The button that pays, in the card form above the page. */
export const payButton = (page: Page) =>
  page.getByRole("dialog", { name: "Payment" }).getByRole("button", { name: /^Pay £/ });

/** Waits for the only card of an order, shows its code, and returns it. */
export async function showCode(frame: FrameLocator): Promise<string> {
  await expect(frame.getByRole("heading", { name: "Your card is ready" })).toBeVisible({ timeout: 60_000 });
  await clickInFrame(frame.getByRole("button", { name: /^Show the code/ }));
  const code = frame.locator(".portal-code code").first();
  await expect(code).toBeVisible();
  await expect(frame.getByRole("button", { name: "Copy code" })).toBeVisible();
  return (await code.textContent()) ?? "";
}

/**
 * Expects that an order of one card ended as it should (G4, C4): one card, paid once, nothing refunded, and postings that
 * say the same.
 */
export async function expectBoughtOnce(order: string): Promise<void> {
  const { lines, payments, posted, faults } = await withStackDatabase(async (db) => {
    const lines = await db
      .selectFrom("gift_card_lines as line")
      .innerJoin("gift_card_orders as orders", "orders.id", "line.order_id")
      .select(["line.id", "line.state", "line.card_state as card", "orders.id as orderId"])
      .select(["line.cost_pence as costPence", "orders.total_pence as totalPence"])
      .where("orders.public_id", "=", order)
      .execute();
    const [line] = lines;
    const payments = await db
      .selectFrom("payments")
      .select(["state", "amount_pence as amountPence", "refunded_pence as refundedPence"])
      .where("idempotency_key", "=", `gift-card-${line?.orderId ?? ""}`)
      .execute();
    const posted = await db
      .selectFrom("ledger_transfers as transfer")
      .innerJoin("ledger_entries as entry", "entry.transfer_id", "transfer.id")
      .innerJoin("ledger_accounts as account", "account.id", "entry.account_id")
      .select(["account.account_kind as kind", "entry.amount_pence as pence"])
      .where("transfer.cause_kind", "=", "gift_card_line")
      .where("transfer.cause_id", "=", line?.id ?? "")
      .execute();
    return { lines, payments, posted, faults: await checkGiftCards(db) };
  });
  const [line] = lines;
  expect(lines.map(({ state, card }) => [state, card])).toEqual([["issued", "issued"]]);
  expect(payments).toEqual([{ state: "paid", amountPence: line?.totalPence, refundedPence: 0 }]);
  const sum = (of: string) => posted.filter(({ kind }) => kind === of).reduce((total, { pence }) => total + pence, 0);
  expect([sum("payment_held"), sum("issuer_float")]).toEqual([-(line?.totalPence ?? 0), line?.costPence]);
  expect(faults).toEqual([]);
}
