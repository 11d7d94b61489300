import { randomUUID } from "node:crypto";
import type { Browser, BrowserContext, Page } from "@playwright/test";
import { runReferralAction } from "../apps/server/commands/referral-actions.ts";
import { expect, test } from "./support/fixtures.ts";
import { newestMail } from "./support/mailbox.ts";
import { newMember } from "./support/new-member.ts";
import { buySomething } from "./support/shopping.ts";
import { withStackDatabase } from "./support/stack-database.ts";

// Without animations, elements that fade in are checked in their final state.
test.use({ contextOptions: { reducedMotion: "reduce" } });

// A whole journey of two people, on machines that do other things too.
test.slow();

const BRAND = "chalkside";
const PASSWORD = "Marigold-Kettle";
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

type Url = (slug: string, path?: string) => string;

/** Opens a new browser, in which nothing of another one is known. */
async function otherBrowser(browser: Browser): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ reducedMotion: "reduce" });
  return { context, page: await context.newPage() };
}

/** Joins by a link, as a person would, and confirms the address. An operator accepts the proof of membership. */
async function joinBy(page: Page, link: string, sandboxUrl: (path?: string) => string): Promise<string> {
  const email = `friend-${randomUUID().slice(0, 8)}@example.org`;
  await page.goto(link);
  await expect(page.getByText(/welcome bonus of £5\.00/).first()).toBeVisible();
  await page
    .getByRole("main")
    .getByRole("link", { name: /^Join / })
    .click();
  await expect(page.getByText("You are invited", { exact: true })).toBeVisible();
  await field(page, "Member type").selectOption({ label: "Education" });
  await field(page, "Member status").selectOption({ label: "Employed permanent" });
  await field(page, "Email").fill(email);
  await field(page, "Confirm email").pressSequentially(email);
  await field(page, "Password").fill(PASSWORD);
  await field(page, "Confirm password").fill(PASSWORD);
  await press(page, "Continue");
  await field(page, "Full name").fill("Grace Friend");
  await field(page, "Day").selectOption("29");
  await field(page, "Month").selectOption({ label: "February" });
  await field(page, "Year").selectOption("1988");
  await field(page, "Where you live").selectOption({ label: "United Kingdom" });
  await field(page, "School or trust").fill("St. Mary’s");
  await field(page, "Phase").selectOption("Primary");
  await field(page, "Job category").selectOption({ label: "Leadership" });
  await field(page, "Job role").selectOption({ label: "Head teacher" });
  await page.getByRole("checkbox", { name: /^I agree to the terms/ }).check();
  await press(page, "Create account");
  await expect(page.getByRole("heading", { name: "Check your inbox" })).toBeVisible();
  const subject = "Confirm your e-mail address";
  const [confirm = ""] = (await newestMail(sandboxUrl(""), { to: email, subject })).links;
  // The mail names the default host; this browser knows the brand's own.
  const { pathname, search } = new URL(confirm);
  await page.goto(new URL(pathname + search, link).href);
  await press(page, "Confirm email");
  await page.waitForURL("**/verification");
  await withStackDatabase((db) =>
    db.updateTable("members").set({ verification: "verified" }).where("email", "=", email).execute(),
  );
  return email;
}

/** Buys boots; the network approves the sale and pays the club for it. */
async function buyAndPay(
  { page, context }: { page: Page; context: BrowserContext },
  brandUrl: Url,
  sandboxUrl: (path?: string) => string,
): Promise<void> {
  await page.goto(brandUrl(BRAND, "/retailers/fernhollow-boots"));
  await page
    .getByRole("link", { name: /15% off walking boots/ })
    .first()
    .click();
  const opened = context.waitForEvent("page");
  await press(page, "Reveal code");
  const shop = await opened;
  await shop.waitForLoadState();
  const { reference } = await buySomething(shop);
  for (const button of ["Approve", "Pay publisher"]) {
    await shop.goto(sandboxUrl("/network"));
    await shop.getByRole("row", { name: reference }).getByRole("button", { name: button }).click();
  }
}

async function ownLink(page: Page): Promise<string> {
  return (await page.locator("#own-link").innerText()).trim();
}

/** Reloads the page until it says so. */
async function expectOn(page: Page, url: string, text: RegExp): Promise<void> {
  await expect(async () => {
    await page.goto(url);
    await expect(page.getByText(text).first()).toBeVisible({ timeout: 2_000 });
  }).toPass();
}

test("C8 a member invites a friend, who joins by the link and buys something: both see their bonus", async ({
  page,
  context,
  browser,
  brandUrl,
  sandboxUrl,
  logIn,
  axe,
}) => {
  const origin = new URL(brandUrl(BRAND)).origin;
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin });
  await logIn(page, BRAND, await newMember(BRAND));
  const friends = brandUrl(BRAND, "/money/friends");
  await page.goto(friends);
  await axe(page);
  const link = await ownLink(page);
  await press(page, "Copy link");
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);

  const friend = await otherBrowser(browser);
  await joinBy(friend.page, link, sandboxUrl);
  await expectOn(page, friends, /One friend has joined/);
  await expect(page.getByText("Grace")).toHaveCount(0);
  await buyAndPay(friend, brandUrl, sandboxUrl);
  await expectOn(page, friends, /you have earned £5\.00/);
  await expectOn(friend.page, brandUrl(BRAND, "/money/friends"), /We have put it into your balance/);
  for (const width of [375, 1440]) {
    for (const each of [page, friend.page]) {
      await each.setViewportSize({ width, height: 900 });
      await axe(each);
    }
  }
  await friend.context.close();
});

test("C8 two people in one browser: the bonus is checked, and is there when an operator has lifted the hold", async ({
  page,
  context,
  brandUrl,
  sandboxUrl,
  logIn,
  axe,
}) => {
  await logIn(page, BRAND, await newMember(BRAND));
  const friends = brandUrl(BRAND, "/money/friends");
  await page.goto(friends);
  const link = await ownLink(page);
  await page.getByRole("banner").getByRole("button", { name: "Log out" }).click();
  await page.waitForURL((url) => !url.pathname.startsWith("/money"));
  const email = await joinBy(page, link, sandboxUrl);
  await buyAndPay({ page, context }, brandUrl, sandboxUrl);
  await expectOn(page, friends, /We are checking this/);
  await axe(page);
  await withStackDatabase(async (db) => {
    const parts = { db, keys: ["a key that signs no link here"] as const, by: "e2e", now: () => new Date() };
    const { member_number: number } = await db
      .selectFrom("members")
      .select("member_number")
      .where("email", "=", email)
      .executeTakeFirstOrThrow();
    const shown = (await runReferralAction(parts, ["show", number])).join("\n");
    expect(shown).toContain("the same browser was used");
    const [, hold = ""] = /hold (\S+)/.exec(shown) ?? [];
    await runReferralAction(parts, ["lift", hold, "they", "live", "together"]);
  });
  await expectOn(page, friends, /We have put it into your balance/);
});

test("C8 an invitation is read and followed by keyboard, at every width", async ({
  page,
  brandUrl,
  logIn,
  axe,
  browser,
}) => {
  await logIn(page, BRAND, await newMember(BRAND));
  await page.goto(brandUrl(BRAND, "/money/friends"));
  const visitor = await otherBrowser(browser);
  await visitor.page.goto(await ownLink(page));
  for (const width of [375, 1440]) {
    await visitor.page.setViewportSize({ width, height: 900 });
    await axe(visitor.page);
  }
  await visitor.page
    .getByRole("main")
    .getByRole("link", { name: /^Join / })
    .focus();
  await visitor.page.keyboard.press("Enter");
  await expect(visitor.page.getByText("You are invited", { exact: true })).toBeVisible();
  await visitor.context.close();
  await page.getByRole("checkbox", { name: /Show my first name/ }).focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Saved.")).toBeVisible();
  await expect(page.getByRole("checkbox", { name: /Show my first name/ })).toBeChecked();
});

test.describe("without client script", () => {
  test.use({ noScript: true });

  test("C8 P8 the link can be read, sent by e-mail and replaced", async ({ page, brandUrl, logIn }) => {
    await logIn(page, BRAND, await newMember(BRAND));
    await page.goto(brandUrl(BRAND, "/money/friends"));
    const link = await ownLink(page);
    const mail = await page.getByRole("link", { name: "Send by e-mail" }).getAttribute("href");
    expect(decodeURIComponent(mail ?? "")).toContain(link);
    await expect(page.getByRole("button", { name: "Share" })).toBeHidden();
    await press(page, "Replace my link");
    await expect(page.getByText("You have a new link")).toBeVisible();
    expect(await ownLink(page)).not.toBe(link);
  });
});
