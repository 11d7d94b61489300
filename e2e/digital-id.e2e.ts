import type { Browser, Page } from "@playwright/test";
import { expect, test } from "./support/fixtures.ts";
import { slowLine } from "./support/slow-line.ts";

test.use({ serviceWorkers: "allow" });

const shownCode = (page: Page) => page.getByText(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/);
const isTooWide = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);

/** Scans a code at a till: another device without a session. Returns what it shows. */
async function openTill(browser: Browser) {
  const page = await (await browser.newContext()).newPage();
  const answer = async () => (await page.getByRole("heading", { level: 1 }).textContent()) ?? "";
  return {
    async scans(check: string, code: string) {
      await page.goto(`${check}?c=${code}`);
      return answer();
    },
    async types(code: string) {
      await page.getByLabel("Check another code").fill(code.toLowerCase().replaceAll("-", " "));
      await page.keyboard.press("Enter");
      await page.waitForURL(/c=.*\+/);
      return answer();
    },
    close: () => page.context().close(),
  };
}

const left = (page: Page) =>
  page.evaluate(async () => ({
    mark: localStorage.getItem("farthing_card"),
    databases: (await indexedDB.databases()).length,
    caches: (await caches.keys()).length,
  }));

test("M6 the code opens by keyboard, changes every thirty seconds, and a till accepts it only while it is shown", async ({
  page,
  browser,
  brandUrl,
  logIn,
  axe,
}) => {
  const till = await openTill(browser);
  await logIn(page, "mustermark");
  await page.clock.install();
  await page.goto(brandUrl("mustermark", "/digital-id"));
  const button = page.getByRole("button", { name: "Show QR code" });
  await expect(button).toHaveAttribute("aria-haspopup", "dialog");
  await button.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Digital ID" });
  await expect(dialog.getByRole("img", { name: /QR code/ })).toBeVisible();
  const check = brandUrl("mustermark", "/check");
  const first = (await shownCode(page).textContent()) ?? "";
  expect(await till.scans(check, first)).toBe("Valid");
  expect(await till.types(first)).toBe("Valid");
  expect(await till.scans(brandUrl("kindhold", "/check"), first)).toBe("Not valid");
  await axe(page);

  await page.clock.runFor(31_000);
  await expect(shownCode(page)).not.toHaveText(first);
  // A screenshot from two minutes ago: the device's code of that time.
  await page.clock.setSystemTime(Date.now() - 120_000);
  await page.clock.runFor(1_000);
  await expect(dialog.getByRole("timer")).toBeVisible();
  const old = (await shownCode(page).textContent()) ?? "";
  expect(await till.scans(check, old)).toBe("Not valid");
  await till.close();

  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(button).toBeFocused();
  await axe(page);
});

test("M6 on a line where nothing is answered, the card and its code come from the device", async ({
  page,
  brandUrl,
  logIn,
}) => {
  const url = (path: string) => brandUrl("tillside", path);
  await logIn(page, "tillside");
  await page.goto(url("/digital-id"));
  const button = page.getByRole("button", { name: "Show QR code" });
  await expect(button).toHaveAttribute("aria-haspopup", "dialog");
  const name = (await page.locator(".id-card-name").textContent()) ?? "";
  await page.route("**/digital-id/device", () => {});

  await page.goto(url("/digital-id/offline"));
  await expect(page.locator(".id-card-name")).toHaveText(name);
  await expect(page.getByText("The connection is bad. Your card works all the same")).toBeVisible();
  await button.click();
  await expect(page.getByRole("dialog", { name: "Digital ID" }).getByRole("img")).toBeVisible();

  await page.goto(url("/digital-id"));
  await expect(button).toHaveAttribute("aria-haspopup", "dialog");
});

test("M6 on a slow line the page comes from the server until the device keeps the card, and then from the device", async ({
  page,
  context,
  brandUrl,
  logIn,
}) => {
  const url = (path: string) => brandUrl("tillside", path);
  await logIn(page, "tillside");
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
  await slowLine(context, { answers: true });
  await page.goto(url("/digital-id"));
  await expect(page).toHaveURL(url("/digital-id"));
  await expect.poll(async () => (await left(page)).mark).toBe("1");
  await slowLine(context, { answers: false });
  await page.goto(url("/digital-id"));
  await expect(page).toHaveURL(url("/digital-id/offline"));
  await expect(page.locator(".id-card-name")).not.toBeEmpty();
});

test("M6 an installed page opens the card offline with a valid code; logging out removes it from the device", async ({
  page,
  context,
  browser,
  brandUrl,
  logIn,
  axe,
}) => {
  const url = (path: string) => brandUrl("tillside", path);
  await logIn(page, "tillside");
  await page.goto(url("/digital-id"));
  await expect(page.getByRole("button", { name: "Show QR code" })).toHaveAttribute("aria-haspopup", "dialog");
  const name = (await page.locator(".id-card-name").textContent()) ?? "";
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
  // Three pages without names and their assets: nothing else is stored.
  const kept = await page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (cache) => (await caches.open(cache)).keys()));
    return requests.flat().map((request) => new URL(request.url).pathname);
  });
  expect(kept.filter((path) => !path.startsWith("/assets/")).sort()).toEqual([
    "/digital-id/offline",
    "/money/gift-cards/offline",
    "/offline",
  ]);
  expect(kept.filter((path) => /-page-|\.island-/.test(path)).sort()).toEqual([
    expect.stringContaining("/kept-card.island-"),
    expect.stringContaining("/kept-gift-cards.island-"),
  ]);

  await context.setOffline(true);
  await page.goto(url("/digital-id"));
  await expect(page.locator(".id-card-name")).toHaveText(name);
  await expect(page.getByText("No connection. Your card works all the same")).toBeVisible();
  await axe(page);
  await page.getByRole("button", { name: "Show QR code" }).click();
  await expect(page.getByRole("dialog", { name: "Digital ID" }).getByRole("img")).toBeVisible();
  const code = (await shownCode(page).textContent()) ?? "";
  const till = await openTill(browser);
  expect(await till.scans(url("/check"), code)).toBe("Valid");
  await till.close();
  await page.goto(url("/retailers"));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("No connection");
  await axe(page);
  await context.setOffline(false);
  await page.getByRole("link", { name: "Try again" }).click();
  await expect(page).toHaveURL(url("/retailers"));
  await expect(page.locator("body")).toHaveAttribute("data-controller", "retailers");

  // Signed out elsewhere: the next page without a session removes the card.
  const cookies = await context.cookies();
  await context.clearCookies();
  await page.goto(url("/"));
  await expect.poll(async () => (await left(page)).mark).toBeNull();
  await context.addCookies(cookies);
  await page.goto(url("/digital-id"));
  await expect.poll(async () => (await left(page)).mark).toBe("1");

  await page.goto(url("/profile"));
  await page.getByRole("button", { name: "Log out" }).first().click();
  await page.waitForURL(url("/"));
  await expect.poll(() => left(page)).toEqual({ mark: null, databases: 0, caches: 0 });
});

test("M6 an unverified member sees the next step; every state fits 320 pixels, is valid HTML and accessible", async ({
  page,
  brandUrl,
  logIn,
  axe,
  validHtml,
}) => {
  const url = (path: string) => brandUrl("wardlight", path);
  await page.setViewportSize({ width: 320, height: 640 });
  for (const path of ["/check", "/check?c=K7Q2-9MXA-4TBD", "/offline", "/digital-id/offline"]) {
    await validHtml(page, url(path));
    if (path.endsWith("/digital-id/offline")) await expect(page.getByText("No card on this device")).toBeVisible();
    expect(await isTooWide(page), path).toBe(false);
    await axe(page);
  }
  await logIn(page, "wardlight", "new@wardlight.example");
  await validHtml(page, url("/digital-id"));
  expect(await isTooWide(page)).toBe(false);
  await axe(page);
  await page.getByRole("link", { name: "Prove your membership" }).click();
  await expect(page).toHaveURL(url("/verification"));
});

test.describe("without script", () => {
  test.use({ noScript: true });

  test("P8 without script the card has a code that is valid for half a minute, and a link to the next", async ({
    page,
    browser,
    brandUrl,
    logIn,
    validHtml,
  }) => {
    await logIn(page, "beaconry");
    await validHtml(page, brandUrl("beaconry", "/digital-id"));
    await expect(page.getByRole("button", { name: "Show QR code" })).toBeHidden();
    await page.getByRole("link", { name: "Get a new code" }).click();
    await expect(page.getByRole("img", { name: /QR code/ })).toBeVisible();
    const code = (await shownCode(page).textContent()) ?? "";
    const till = await openTill(browser);
    expect(await till.scans(brandUrl("beaconry", "/check"), code)).toBe("Valid");
    await till.close();
  });
});
