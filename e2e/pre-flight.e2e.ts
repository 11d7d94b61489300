import type { BrowserContext, Page } from "@playwright/test";
import { expect, test } from "./support/fixtures.ts";
import { knownOffer } from "./support/known-offer.ts";
import { newMember } from "./support/new-member.ts";

const dialog = (page: Page) => page.getByRole("dialog", { name: "Your cashback may not arrive" });
const dealLink = (page: Page) => page.getByRole("link", { name: "Get deal" });

/** The addresses of the deal links that are followed; a stand-in for the shop answers them. */
async function followedLinks(context: BrowserContext): Promise<URL[]> {
  const followed: URL[] = [];
  await context.route("**/go/offers/*", async (route) => {
    followed.push(new URL(route.request().url()));
    await route.fulfill({ contentType: "text/html", body: "<title>The shop</title>" });
  });
  return followed;
}
const findings = (followed: URL[]) => followed.map(({ searchParams }) => searchParams.get("pre_flight"));

/** Waits for the script of offers, which loads after the others. */
const readyForCheck = (page: Page) => expect(page.locator("html")).toHaveAttribute("data-script", "started");

/** Opens an offer as a member. `probe` is the address with which the page asks the network's host. */
async function openOffer(page: Page, brandUrl: (brand: string, path: string) => string): Promise<string> {
  const { path } = await knownOffer("longTitle");
  await page.goto(brandUrl("chalkside", path));
  await readyForCheck(page);
  const checkedBy = await dealLink(page).getAttribute("data-checked-by");
  const { origin } = (await page.evaluate(async (address) => (await fetch(address!)).json(), checkedBy)) as {
    origin: string;
  };
  return `${origin}/robots.txt`;
}

test.beforeEach(async ({ page, logIn }) => logIn(page, "chalkside", await newMember("chalkside")));

test("C1 a healthy click opens the shop after the button's half second, and carries the finding", async ({
  page,
  context,
  brandUrl,
}) => {
  await page.clock.install();
  const probe = await openOffer(page, brandUrl);
  const followed = await followedLinks(context);
  await page.clock.pauseAt(Date.now() + 60_000);
  const probed = page.waitForResponse(probe);
  await dealLink(page).click();
  await probed;
  await page.clock.runFor(499);
  expect(context.pages()).toHaveLength(1);
  const opened = context.waitForEvent("page");
  await page.clock.runFor(1);
  await (await opened).waitForURL("**/go/offers/**");
  expect(findings(followed)).toEqual(["healthy"]);
  await expect(dialog(page)).toBeHidden();
});

test("C1 a click waits for a slow host for 300 ms more, and then goes on", async ({ page, context, brandUrl }) => {
  await page.clock.install();
  const probe = await openOffer(page, brandUrl);
  const followed = await followedLinks(context);
  await context.route(probe, () => {}); // never answered
  await page.clock.pauseAt(Date.now() + 60_000);
  const probed = page.waitForRequest(probe);
  await dealLink(page).click();
  await probed;
  await page.clock.runFor(799);
  expect(context.pages()).toHaveLength(1);
  const opened = context.waitForEvent("page");
  await page.clock.runFor(1);
  await (await opened).waitForURL("**/go/offers/**");
  expect(findings(followed)).toEqual(["slow"]);
});

test("C1 where the browser blocks the network's host, the page says what would fail and what to do, before the member leaves", async ({
  page,
  context,
  brandUrl,
}) => {
  await page.clock.install();
  const probe = await openOffer(page, brandUrl);
  const followed = await followedLinks(context);
  await page.clock.pauseAt(Date.now() + 60_000);
  await context.route(probe, (route) => route.abort("blockedbyclient"));
  /** Presses the link, and lets its half second pass once the host has answered or was blocked. */
  const press = async (act: () => Promise<void>, { isBlocked }: { isBlocked: boolean }) => {
    const probed = isBlocked
      ? page.waitForEvent("requestfailed", (request) => request.url() === probe)
      : page.waitForResponse(probe);
    await act();
    await probed;
    await page.clock.runFor(500);
  };
  await press(() => dealLink(page).click(), { isBlocked: true });
  await expect(dialog(page).getByText(`Your browser blocks ${new URL(probe).hostname}`)).toBeVisible();
  await expect(dialog(page).getByText("turn off your ad blocker")).toBeVisible();
  await expect(dialog(page).getByText("accepts no cookies")).toBeHidden();
  expect(context.pages()).toHaveLength(1);

  // The member heeds the advice.
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();
  await expect(dealLink(page)).toBeFocused();
  await context.unroute(probe);
  const first = context.waitForEvent("page");
  await press(() => page.keyboard.press("Enter"), { isBlocked: false });
  await (await first).waitForURL("**/go/offers/**");
  expect(findings(followed)).toEqual(["healthy"]);

  // Or goes on without cashback.
  await context.route(probe, (route) => route.abort("blockedbyclient"));
  await page.bringToFront();
  await press(() => dealLink(page).click(), { isBlocked: true });
  const second = context.waitForEvent("page");
  await dialog(page).getByRole("button", { name: "Go on without cashback" }).click();
  await (await second).waitForURL("**/go/offers/**");
  expect(findings(followed)).toEqual(["healthy", "blocked"]);
});

/** Presses the deal link of an offer in a browser that blocks the network's host. */
async function openWarning(
  page: Page,
  context: BrowserContext,
  brandUrl: (brand: string, path: string) => string,
): Promise<void> {
  await page.clock.install();
  const probe = await openOffer(page, brandUrl);
  await page.clock.pauseAt(Date.now() + 60_000);
  await context.route(probe, (route) => route.abort("blockedbyclient"));
  const blocked = page.waitForEvent("requestfailed", (request) => request.url() === probe);
  await dealLink(page).click();
  await blocked;
  await page.clock.runFor(500);
  await expect(dialog(page)).toBeVisible();
  await page.clock.resume();
}

test("C1 U2 the warning offers the page for another browser or the phone, on a small screen and by keyboard", async ({
  page,
  context,
  brandUrl,
  axe,
}) => {
  await page.setViewportSize({ width: 375, height: 640 });
  const { path } = await knownOffer("longTitle");
  await openWarning(page, context, brandUrl);
  // The dialog is taller than the screen, and shows its start.
  expect(await dialog(page).evaluate((box) => box.scrollHeight > box.clientHeight)).toBe(true);
  await expect(dialog(page).getByRole("heading")).toBeInViewport({ ratio: 1 });
  await expect(dialog(page).getByRole("button", { name: "Close" })).toBeInViewport({ ratio: 1 });
  expect(await dialog(page).evaluate((box) => [box.scrollTop, box === document.activeElement])).toEqual([0, true]);
  await page.evaluate(() => {
    Object.assign(navigator.clipboard, { writeText: async (text: string) => void (document.title = text) });
  });
  await page.keyboard.press("Tab");
  await expect(dialog(page).getByRole("button", { name: "Copy link" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(dialog(page).getByRole("button", { name: "Copied" })).toBeVisible();
  await expect(page).toHaveTitle(brandUrl("chalkside", path));
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(dialog(page).getByRole("img", { name: /^QR code that opens this page/ })).toBeInViewport();
  const goOn = dialog(page).getByRole("button", { name: "Go on without cashback" });
  await page.keyboard.press("Tab");
  await expect(goOn).toBeFocused();
  await expect(goOn).toBeInViewport({ ratio: 1 });
  expect(await dialog(page).evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true);
  await axe(page);
  expect(context.pages()).toHaveLength(1);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 375, height: 640 }, hasTouch: true, isMobile: true });

  test("C1 U2 the warning on a phone speaks of another device, and shares or copies the link in place of a QR code", async ({
    page,
    context,
    brandUrl,
    axe,
  }) => {
    await page.addInitScript(() => {
      Object.assign(navigator, { share: async ({ url }: ShareData) => void (document.title = `shared ${url}`) });
    });
    const { path } = await knownOffer("longTitle");
    await openWarning(page, context, brandUrl);
    await expect(dialog(page).getByText("on another device")).toBeVisible();
    await expect(dialog(page).getByText("on your phone")).toBeHidden();
    await expect(dialog(page).getByText("Send to phone")).toBeHidden();
    await expect(page.locator("#pre-flight-link")).toBeHidden();
    await axe(page);
    await dialog(page).getByRole("button", { name: "Share link" }).tap();
    await expect(page).toHaveTitle(`shared ${brandUrl("chalkside", path)}`);
    // A clipboard that refuses leaves the link to select.
    await page.evaluate(() => Object.assign(navigator.clipboard, { writeText: () => Promise.reject(new Error("no")) }));
    await dialog(page).getByRole("button", { name: "Copy link" }).tap();
    await expect(page.locator("#pre-flight-link")).toBeVisible();
    await expect(dialog(page).getByText("Send to phone")).toBeHidden();
    expect(await page.evaluate(() => String(getSelection()))).toBe(brandUrl("chalkside", path));
  });
});

test("C1 the code of an offer is shown too where the member goes on without cashback", async ({
  page,
  context,
  brandUrl,
}) => {
  await page.clock.install();
  const { path } = await knownOffer("code");
  await page.goto(brandUrl("chalkside", path));
  const button = page.getByRole("button", { name: "Reveal code" });
  await readyForCheck(page);
  const followed = await followedLinks(context);
  await context.route("**/robots.txt", (route) => route.abort("blockedbyclient"));
  await page.clock.pauseAt(Date.now() + 60_000);
  const blocked = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/robots.txt"));
  await button.click();
  await blocked;
  await page.clock.runFor(500);
  await expect(dialog(page)).toBeVisible();
  await expect(button).toBeEnabled();
  const opened = context.waitForEvent("page");
  await dialog(page).getByRole("button", { name: "Go on without cashback" }).click();
  await (await opened).waitForURL("**/go/offers/**");
  expect(findings(followed)).toEqual(["blocked"]);
  await expect(page.locator("#offer-code")).toBeVisible();
});
