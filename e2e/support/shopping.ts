import type { Locator, Page } from "@playwright/test";
import { expect } from "./fixtures.ts";

export interface Order {
  reference: string;
  /** The amount paid, in pence. */
  totalPence: number;
  /** The amount that the shop reports, in pence: without VAT and delivery. */
  countedPence: number;
}

/** Buys the first product on the shop's page, with an optional code, as a person would. */
export async function buySomething(shop: Page, code?: string): Promise<Order> {
  await shop
    .getByRole("button", { name: /^Add to basket/ })
    .first()
    .click();
  if (!(await shop.getByRole("button", { name: "Buy now" }).isVisible()))
    await shop
      .getByRole("link", { name: /basket/i })
      .first()
      .click();
  if (code) {
    await shop.getByLabel("Voucher code").fill(code);
    await shop.getByRole("button", { name: "Apply" }).click();
    await expect(shop.getByRole("status")).toContainText(`${code} is on`);
  }
  await shop.getByRole("button", { name: "Buy now" }).click();
  await expect(shop.getByRole("heading", { level: 1 })).toHaveText("Thank you for your order");
  const reference = await shop.locator(".reference").innerText();
  return {
    reference,
    totalPence: toPence(await shop.locator("dd.total").innerText()),
    countedPence: toPence(await shop.locator("dd.counted").innerText()),
  };
}

/** Converts a text such as `£1,234.56` to pence. */
export function toPence(text: string): number {
  const digits = /£([\d,]+)\.(\d\d)/.exec(text);
  if (!digits) throw new Error(`No amount in "${text}"`);
  return Number(digits[1]?.replaceAll(",", "")) * 100 + Number(digits[2]);
}

/** Reloads the page until it shows the member's entry for a purchase at `retailer` of which `counted` counts, and returns the entry. */
export async function cashbackEntry(
  page: Page,
  profileUrl: string,
  { retailer, counted, state }: { retailer: string; counted: string; state: string },
): Promise<Locator> {
  const entry = page
    .getByRole("listitem")
    .filter({ hasText: retailer })
    .filter({ hasText: `${counted} counted for cashback` });
  await expect(async () => {
    await page.goto(profileUrl);
    await expect(entry.getByText(state, { exact: true })).toBeVisible({ timeout: 2_000 });
  }).toPass();
  return entry;
}
