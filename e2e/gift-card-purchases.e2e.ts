import type { Page } from "@playwright/test";
import { clickInFrame } from "../packages/widget/browser-tests/click-in-frame.ts";
import { expect, test } from "./support/fixtures.ts";
import { newMember } from "./support/new-member.ts";
import {
  expectBoughtOnce,
  openCardForm,
  payButton,
  payWith,
  placeOrder,
  portalIn,
  putInBasket,
  showCode,
  soldCards,
} from "./support/portal.ts";
import { sideways } from "./support/sideways.ts";

// Whole purchases of gift cards where people make them: on the demo partner's page, whose origin is another, and on the
// club's own gift-card page (G1, G2). Each ends in one code, one payment and the right postings (G4).

// A menu that slides after a change of the width would be checked half way.
test.use({ contextOptions: { reducedMotion: "reduce" } });

const GIFT_CARDS = "/gift-cards";
const bankOf = (page: Page) => page.frameLocator('iframe[title="Authentication by your bank"]');

/** Puts the first card that is sold into the basket, and places the order. */
async function order(page: Page, buyer: "visitor" | "member" = "visitor"): Promise<{ order: string; name: string }> {
  const [card] = await soldCards();
  const name = card?.name ?? "";
  await putInBasket(portalIn(page), name);
  return { order: await placeOrder(portalIn(page), buyer), name };
}

test("G1 G2 G4 a visitor buys a gift card on the demo partner's page, and has the code there", async ({
  page,
  partnerUrl,
  brandUrl,
  axe,
}) => {
  await page.setViewportSize({ width: 375, height: 740 });
  await page.goto(partnerUrl(GIFT_CARDS));
  const bought = await order(page);
  await openCardForm(portalIn(page));
  await payWith(page, "4242424242424242");
  const code = await showCode(portalIn(page));
  expect(code).not.toBe("");
  expect(await sideways(page)).toEqual([]);
  await axe(page);
  await expectBoughtOnce(bought.order);
  // The page around the frame is the shop's: it has neither the code nor an address with it.
  expect(new URL(page.url()).origin).not.toBe(new URL(brandUrl("chalkside")).origin);
  expect((await page.content()) + page.url()).not.toContain(code);
});

test("W8 G4 a card that the bank asks about pays for a gift card once the buyer has agreed", async ({
  page,
  partnerUrl,
}) => {
  await page.goto(partnerUrl(GIFT_CARDS));
  const bought = await order(page);
  await openCardForm(portalIn(page));
  await payWith(page, "4000000000003220");
  await bankOf(page).getByLabel("One-time code").fill("123456");
  await clickInFrame(bankOf(page).getByRole("button", { name: "Complete" }));
  await showCode(portalIn(page));
  await expectBoughtOnce(bought.order);
});

test("W8 G4 after a refused question of the bank nothing is taken, and another card pays for the same order", async ({
  page,
  brandUrl,
}) => {
  await page.goto(brandUrl("chalkside", GIFT_CARDS));
  const bought = await order(page);
  await openCardForm(portalIn(page));
  await payWith(page, "4000000000003220");
  await clickInFrame(bankOf(page).getByRole("button", { name: "Fail" }));
  // The form stays open and says why, and the order waits.
  await expect(page.getByRole("alert").filter({ hasText: "unable to authenticate your payment method" })).toBeVisible();
  await expect(payButton(page)).toBeEnabled();
  await expect(portalIn(page).getByRole("heading", { name: "Pay for your order" })).toBeVisible();
  await payWith(page, "4242424242424242");
  await showCode(portalIn(page));
  await expectBoughtOnce(bought.order);
});

test("W5 W6 W8 G2 the portal sends a visitor to the bank; refused there and then paid, the order is back on the partner's page with its code", async ({
  page,
  partnerUrl,
  axe,
}) => {
  await page.goto(partnerUrl(GIFT_CARDS));
  const bought = await order(page);
  const isBack = (url: URL) => url.href.startsWith(`${partnerUrl(GIFT_CARDS)}?order=${bought.order}&`);
  const toBank = portalIn(page).getByRole("button", { name: "Pay by bank instead" });
  await toBank.click();
  await page.getByRole("button", { name: "Fail payment" }).click();
  await page.waitForURL(isBack);
  await expect(portalIn(page).getByRole("heading", { name: "A payment did not go through" })).toBeVisible();
  await axe(page);
  await toBank.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Authorise payment" }).click();
  await page.waitForURL(isBack);
  await showCode(portalIn(page));
  await expectBoughtOnce(bought.order);
});

test("W8 G4 a visitor pays in the card form by bank, and comes back to the club's gift-card page with the code", async ({
  page,
  brandUrl,
}) => {
  await page.goto(brandUrl("chalkside", GIFT_CARDS));
  const bought = await order(page);
  await openCardForm(portalIn(page));
  await page.frameLocator('iframe[title="Secure payment input frame"]').getByLabel("Pay by bank").check();
  await payButton(page).click();
  await page.getByRole("button", { name: "Authorise payment" }).click();
  await page.waitForURL((url) => url.pathname === GIFT_CARDS && url.searchParams.get("order") === bought.order);
  await showCode(portalIn(page));
  await expectBoughtOnce(bought.order);
});

test("G1 G6 a member buys on the club's page, finds the card in the wallet, and opens it there again", async ({
  page,
  brandUrl,
  logIn,
  axe,
}) => {
  const email = await newMember("tillside");
  await logIn(page, "tillside", email);
  await page.goto(brandUrl("tillside"));
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Gift cards" }).click();
  const bought = await order(page, "member");
  await openCardForm(portalIn(page));
  await payWith(page, "4242424242424242");
  const code = await showCode(portalIn(page));
  await expectBoughtOnce(bought.order);

  await page.goto(brandUrl("tillside", "/money/gift-cards"));
  expect(await page.content()).not.toContain(code);
  await page.locator(".wallet-card a").filter({ hasText: bought.name }).click();
  await page.getByRole("button", { name: "Show the code" }).click();
  await expect(page.locator(".gift-card-code code").first()).toHaveText(code);
  await axe(page);
});

const THEMES = ["chalkside", "wardlight", "tinrattle", "freshledge"];

for (const [index, brand] of THEMES.entries())
  test(`U1 G2 in ${brand}'s theme, catalogue, card, basket and order are accessible and fit 375 and 1440 px`, async ({
    page,
    brandUrl,
    axe,
  }) => {
    const sold = await soldCards();
    const name = sold[index % sold.length]?.name ?? "";
    const frame = portalIn(page);
    const look = async () => {
      for (const width of [375, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await sideways(page)).toEqual([]);
        expect(await frame.locator("html").evaluate((html) => html.scrollWidth - html.clientWidth)).toBeLessThanOrEqual(
          0,
        );
        await axe(page);
      }
    };
    await page.goto(brandUrl(brand, GIFT_CARDS));
    await expect(frame.getByRole("searchbox")).toBeVisible();
    await look();
    await frame.getByRole("searchbox").fill(name);
    await clickInFrame(frame.getByRole("button", { name: "Search", exact: true }));
    await clickInFrame(frame.getByRole("link", { name, exact: true }).first());
    await expect(frame.getByRole("heading", { level: 1 })).toHaveText(`${name} gift card`);
    await look();
    await clickInFrame(frame.locator(".portal-choice").first());
    await clickInFrame(frame.getByRole("button", { name: "Add to basket" }));
    await expect(frame.getByText("It is in your basket.")).toBeVisible();
    await look();
    await placeOrder(frame, "visitor");
    await expect(frame.getByRole("button", { name: "Pay by bank instead" })).toBeVisible();
    await look();
  });
