import type { BrowserContext, Locator, Page } from "@playwright/test";
import config from "../playwright.config.ts";
import { newId } from "@farthing/db/uuid.ts";
import { expect, test } from "./support/fixtures.ts";
import { knownOffer } from "./support/known-offer.ts";
import { newMember } from "./support/new-member.ts";
import { readyForScript } from "./support/ready-for-script.ts";
import { withStackDatabase } from "./support/stack-database.ts";

// Playwright disables Chromium's pop-up blocker, which these tests need.
test.use({ launchOptions: { ...config.use?.launchOptions, ignoreDefaultArgs: ["--disable-popup-blocking"] } });

const revealButton = (page: Page) => page.getByRole("button", { name: "Reveal code" });
const dealLink = (page: Page) => page.getByRole("link", { name: "Get deal" });
const status = (page: Page, words: RegExp) => page.getByRole("status").filter({ hasText: words });
const comeBack = (page: Page) =>
  // The event of a page that is restored from the back/forward cache.
  page.evaluate(() => window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));

/** Opens the page with a paused clock, and waits until the script has taken over the button. */
async function openHeld(page: Page, url: string, button: Locator): Promise<void> {
  await page.clock.install();
  await page.goto(url);
  await readyForScript(button);
  await page.clock.pauseAt(Date.now() + 60_000);
}

/** The tabs that pages open, with a stand-in shop. */
async function countTabs(context: BrowserContext): Promise<Page[]> {
  const tabs: Page[] = [];
  context.on("page", (tab) => tabs.push(tab));
  await context.route("**/go/**", (route) =>
    route.fulfill({ contentType: "text/html", body: "<title>The shop</title>" }),
  );
  return tabs;
}

/** Makes a live offer a gift card, because the demo catalogue has none. */
async function newGiftCardOffer(): Promise<string> {
  const like = await knownOffer("longTitle");
  return withStackDatabase(async (db) => {
    const offer = await db
      .selectFrom("offers")
      .selectAll()
      .where("public_id", "=", like.publicId)
      .executeTakeFirstOrThrow();
    const { public_id: _, ...values } = offer;
    const id = newId();
    const made = await db
      .insertInto("offers")
      .values({ ...values, id, kind: "gift_card", network_offer_id: id, title: "A card for a bedspread" })
      .returning(["slug", "public_id"])
      .executeTakeFirstOrThrow();
    return `/offers/${made.slug}?offer=${made.public_id}`;
  });
}

test("O6 a form's button is disabled with a spinner on click, submits once after exactly 500 ms, and is enabled again on return", async ({
  page,
  brandUrl,
}) => {
  const { path } = await knownOffer("code");
  const sent: string[] = [];
  await page.route("**/login?*", async (route) => {
    sent.push(route.request().url());
    await route.fulfill({ status: 204 }); // the browser stays on the page, as it does while it waits for the response
  });
  const button = revealButton(page);
  await openHeld(page, brandUrl("chalkside", path), button);

  await button.dblclick();
  await expect(button).toBeDisabled();
  await expect(button.locator(".spinner")).toBeVisible();
  await expect(status(page, /^One moment$/)).toHaveCount(1);
  await page.clock.runFor(499);
  await button.click({ force: true }); // an impatient second click
  expect(sent).toEqual([]);
  const leaving = page.waitForRequest("**/login?*");
  await page.clock.runFor(1);
  await leaving;
  await page.clock.runFor(600);
  expect(sent).toHaveLength(1);
  expect(await button.evaluate((element: HTMLButtonElement) => element.disabled)).toBe(true);

  await comeBack(page);
  await expect(button).toBeEnabled();
  await expect(button.locator(".spinner")).toHaveCount(0);
  await expect(status(page, /^One moment$/)).toHaveCount(0);

  await page.unroute("**/login?*");
  await button.click();
  await page.clock.runFor(500);
  await page.waitForURL(/\/login/);
  await page.goBack();
  await expect(button).toBeEnabled();
});

test("O6 U1 Enter in a field and on the button submits once; the focus is unchanged when the button is enabled again", async ({
  page,
  brandUrl,
}) => {
  let sent = 0;
  await page.route("**/forgotten-password", (route) => {
    if (route.request().method() !== "POST") return route.continue();
    sent += 1;
    return route.fulfill({ status: 204 });
  });
  const button = page.getByRole("button", { name: "Send the link" });
  const email = page.getByLabel(/^Email/);
  await openHeld(page, brandUrl("wardlight", "/forgotten-password"), button);
  await email.fill("somebody@example.org");
  await page.keyboard.press("Enter");
  await expect(button).toBeDisabled();
  await page.keyboard.press("Enter");
  await page.clock.runFor(500);
  await expect.poll(() => sent).toBe(1);
  await comeBack(page);
  await expect(button).toBeEnabled();
  await expect(email, "who was in the field still is").toBeFocused();

  await page.keyboard.press("Tab");
  await expect(button).toBeFocused();
  await page.keyboard.press("Space");
  await expect(button).toBeDisabled();
  await page.clock.runFor(500);
  await expect.poll(() => sent).toBe(2);
  // After 15 seconds without a response, the button is enabled again.
  await page.clock.runFor(15_000);
  await expect(button).toBeEnabled();
  await expect(button).toBeFocused();

  // The form became invalid before it was submitted: it shows the error, and the button is enabled again.
  await button.click();
  await email.fill("somebody");
  await page.clock.runFor(500);
  await expect(page.getByRole("alert")).toContainText("Email");
  await expect(button).toBeEnabled();
  expect(sent).toBe(2);
});

test("O6 a link is disabled with a spinner on click, and followed after exactly 500 ms", async ({
  page,
  context,
  brandUrl,
}) => {
  const path = await newGiftCardOffer();
  await context.route("**/gift-cards?*", (route) =>
    route.fulfill({ contentType: "text/html", body: "<title>Cards</title>" }),
  );
  const link = page.getByRole("link", { name: "Choose a gift card" });
  await openHeld(page, brandUrl("chalkside", path), link);
  const followed: string[] = [];
  page.on("request", (request) => request.url().includes("/gift-cards") && followed.push(request.url()));
  await link.focus();
  await page.keyboard.press("Enter");
  await expect(link).toBeDisabled();
  await expect(link).toBeFocused();
  await expect(link.locator(".spinner")).toBeVisible();
  await page.keyboard.press("Enter");
  await page.clock.runFor(499);
  expect(followed).toEqual([]);
  await page.clock.runFor(1);
  await page.waitForURL("**/gift-cards?*");
  expect(followed).toHaveLength(1);
});

test("O6 O3 a link to a new tab opens it once after exactly 500 ms, past the pop-up blocker, without an opener", async ({
  page,
  context,
  brandUrl,
  logIn,
}) => {
  const { path } = await knownOffer("longTitle");
  await logIn(page, "chalkside");
  const tabs = await countTabs(context);
  const link = dealLink(page);
  await openHeld(page, brandUrl("chalkside", path), link);
  const href = (await link.getAttribute("href")) ?? "";
  for (const press of [() => link.dblclick(), () => link.press("Enter")]) {
    tabs.length = 0;
    await press();
    await expect(link).toBeDisabled();
    await expect(link).not.toHaveAttribute("href");
    await expect(link.locator(".spinner")).toBeVisible();
    await expect(status(page, /^One moment$/)).toHaveCount(1);
    await page.clock.runFor(499);
    expect(tabs).toEqual([]);
    const opening = context.waitForEvent("page");
    await page.clock.runFor(1);
    const tab = await opening;
    await tab.waitForURL(`**${href}`);
    expect(await tab.evaluate(() => window.opener === null)).toBe(true);
    await page.clock.runFor(600);
    expect(tabs).toHaveLength(1);
    await tab.close();
    await expect(link).toBeEnabled();
    await expect(link).toHaveAttribute("href", href);
    await expect(link).toBeFocused();
  }

  // A click with a modifier key is left to the browser, at once.
  const opening = context.waitForEvent("page");
  await link.click({ modifiers: ["ControlOrMeta"] });
  await (await opening).close();
  await expect(link).toBeEnabled();

  await link.click();
  await expect(link).toBeDisabled();
  await comeBack(page);
  await expect(link).toBeEnabled();
});

test("O6 U1 if the browser blocks the new tab, the page says so, and the next press opens it at once", async ({
  page,
  context,
  brandUrl,
  logIn,
  axe,
}) => {
  const { path } = await knownOffer("longTitle");
  await logIn(page, "chalkside");
  const tabs = await countTabs(context);
  // window.open() returns null if the person blocks tabs, or if the press was too long ago.
  await page.addInitScript(() => {
    window.open = () => null;
  });
  await page.goto(brandUrl("chalkside", path));
  const link = dealLink(page);
  await readyForScript(link);
  await link.focus();
  await page.keyboard.press("Enter");
  await expect(status(page, /kept the new tab closed/)).toBeVisible();
  expect(tabs).toEqual([]);
  await expect(link).toBeEnabled();
  await expect(link).toBeFocused();
  await axe(page);
  const opening = context.waitForEvent("page");
  await page.keyboard.press("Enter");
  expect(await (await opening).evaluate(() => window.opener === null)).toBe(true);
  await expect(status(page, /kept the new tab closed/)).toHaveCount(0);
  await expect(link).toBeEnabled();
});

test("O3 O6 if the browser blocks the new tab, Reveal code still shows the code, with a link to the retailer", async ({
  page,
  brandUrl,
  logIn,
}) => {
  const { path } = await knownOffer("code");
  await logIn(page, "chalkside", await newMember("chalkside"));
  await page.addInitScript(() => {
    window.open = () => null;
  });
  await page.goto(brandUrl("chalkside", path));
  await readyForScript(revealButton(page));
  await revealButton(page).click();
  await expect(page.locator("#offer-code")).toBeVisible();
  await expect(dealLink(page)).toBeVisible();
});

test("O3 O6 Reveal code: after 500 ms the retailer opens in a new tab and the page reloads with the code", async ({
  page,
  context,
  brandUrl,
  logIn,
}) => {
  const { path } = await knownOffer("code");
  await logIn(page, "chalkside", await newMember("chalkside"));
  const tabs = await countTabs(context);
  const button = revealButton(page);
  await openHeld(page, brandUrl("chalkside", path), button);
  await button.click();
  await expect(button).toBeDisabled();
  await page.clock.runFor(499);
  expect(tabs).toEqual([]);
  await expect(page.locator("#offer-code")).toHaveCount(0);
  const opening = context.waitForEvent("page");
  await page.clock.runFor(1);
  expect(await (await opening).evaluate(() => window.opener === null)).toBe(true);
  await expect(page.locator("#offer-code")).toBeVisible();
  expect(tabs).toHaveLength(1);
});

test("O3 O6 without a connection, Reveal code says what to do, keeps the offer's page and opens no tab; once connected, it reveals", async ({
  page,
  context,
  brandUrl,
  logIn,
  axe,
}) => {
  const { path } = await knownOffer("code");
  const url = brandUrl("mustermark", path);
  await logIn(page, "mustermark", await newMember("mustermark"));
  const tabs = await countTabs(context);
  await page.goto(url);
  const button = revealButton(page);
  await readyForScript(button);

  await context.setOffline(true);
  await button.click();
  await expect(page.getByRole("alert")).toHaveText(
    "You are offline, so nothing was sent. Nothing is lost: try again once you are connected.",
  );
  await expect(page.getByRole("alert")).toBeInViewport({ ratio: 1 });
  await expect(button).toBeEnabled();
  await axe(page); // the panel is dark here, in the light scheme too
  await expect(page).toHaveURL(url);
  expect(tabs, "a shop's page that can't load").toEqual([]);

  await context.setOffline(false);
  await expect(page.getByText("You are offline")).toHaveCount(0);
  await button.click();
  await expect(page.locator("#offer-code")).toHaveText("FERN15");
  expect(tabs).toHaveLength(1);
});

test("O3 O6 a visitor who presses Reveal code without a connection stays on the offer's page", async ({
  page,
  context,
  brandUrl,
}) => {
  const url = brandUrl("chalkside", (await knownOffer("code")).path);
  await page.goto(url);
  await readyForScript(revealButton(page));
  await context.setOffline(true);
  await revealButton(page).click();
  await expect(page.getByRole("alert")).toContainText("You are offline, so nothing was sent.");
  await expect(page).toHaveURL(url);
  await context.setOffline(false);
  await revealButton(page).click();
  await expect(page.getByLabel("Password", { exact: true })).toBeVisible();
});

test("O6 P8 a press before the form's script has loaded is held all the same, and nothing that was chosen is lost", async ({
  page,
  brandUrl,
  logIn,
}) => {
  await logIn(page, "chalkside", await newMember("chalkside"));
  let load = () => {};
  const isWanted = new Promise<void>((resolve) => {
    load = resolve;
  });
  await page.route(/\/assets\/close-form/, async (route) => {
    await isWanted;
    await route.continue();
  });
  let sent = 0;
  await page.route("**/profile/privacy/close", (route) => {
    if (route.request().method() !== "POST") return route.continue();
    sent += 1;
    return route.fulfill({ status: 204 });
  });
  const button = page.getByRole("button", { name: "Close my account" });
  const sure = page.getByLabel(/^Close my account/);
  await openHeld(page, brandUrl("chalkside", "/profile/privacy/close"), page.locator("main"));
  await sure.check();
  await button.click();
  await expect(button).toBeDisabled();

  load();
  await readyForScript(sure);
  await expect(sure).toBeChecked();
  await expect(button).toBeDisabled();
  await expect(button.locator(".spinner")).toBeVisible();
  await page.clock.runFor(500);
  await expect.poll(() => sent).toBe(1);
  await comeBack(page);
  await expect(button).toBeEnabled();
  await expect(button.locator(".spinner")).toHaveCount(0);

  // The form became invalid before it was submitted.
  await button.click();
  await sure.uncheck();
  await page.clock.runFor(500);
  await expect(page.getByRole("alert")).toContainText("I am sure");
  await expect(button).toBeEnabled();
  expect(sent).toBe(1);
});

test.describe("without script", () => {
  test.use({ noScript: true });

  test("P8 O6 the button submits its form and the link opens its tab at once", async ({ page, context, brandUrl }) => {
    const tabs = await countTabs(context);
    await page.goto(brandUrl("chalkside", (await knownOffer("longTitle")).path));
    const opening = context.waitForEvent("page");
    await dealLink(page).click();
    await opening;
    expect(tabs).toHaveLength(1);
    await page.goto(brandUrl("chalkside", (await knownOffer("code")).path));
    await revealButton(page).click();
    await page.waitForURL(/\/login/);
  });
});
