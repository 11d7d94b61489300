import type { Locator, Page } from "@playwright/test";
import brands from "../packages/db/seeds/brands.json" with { type: "json" };
import { expect, test } from "./support/fixtures.ts";
import { knownOffer } from "./support/known-offer.ts";
import { choose } from "./support/sent-events.ts";
import { sideways } from "./support/sideways.ts";

// A phone, held upright, and the narrowest one.
const WIDTH = 375;
const NARROWEST = 320;
const HEIGHT = 720;
test.use({ viewport: { width: WIDTH, height: HEIGHT }, contextOptions: { reducedMotion: "reduce" } });

/** Opens a page and doubles its text, as a person's own font size does (WCAG 1.4.4). */
async function openLarge(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
}

/** Returns a line where a control is not whole between the window's sides, or something lies over it; else nothing. */
async function outOfReach(control: Locator, name: string): Promise<string[]> {
  const room = control.page().viewportSize()?.width ?? WIDTH;
  const { x, width } = (await control.boundingBox()) ?? { x: Infinity, width: 0 };
  if (x < 0 || x + width > room) return [`${name} reaches from ${x} to ${x + width} px`];
  await control.click({ trial: true });
  return [];
}

const header = (page: Page) => page.getByRole("banner");

/** What is wrong with the open page: it scrolls sideways, or a control of its header can't be pressed. */
async function faultsOf(page: Page): Promise<string[]> {
  const found = await sideways(page);
  found.push(...(await outOfReach(header(page).getByRole("button", { name: "Menu" }), "Menu")));
  found.push(...(await outOfReach(page.getByRole("button", { name: "Search", exact: true }).first(), "Search")));
  for (const link of ["Profile", "Log in"]) {
    const shown = header(page).locator(".site-account").getByRole("link", { name: link });
    if (await shown.isVisible()) found.push(...(await outOfReach(shown, link)));
  }
  return found;
}

/** Returns the names of retailers and categories that have room for fewer than four letters in a line. */
const letterByLetter = (page: Page) =>
  page
    .locator(".offer-card-retailer, .retailer-tile a, .category-tile a")
    .evaluateAll((names) =>
      names
        .filter(
          (name) => name.clientWidth > 0 && name.clientWidth < 2 * Number.parseFloat(getComputedStyle(name).fontSize),
        )
        .map((name) => `${name.textContent} has ${name.clientWidth} px`),
    );

test("U1 with text of twice the size, no brand's home page scrolls sideways on a phone of 375 or 320 px, its header can be used, and no name is broken letter by letter", async ({
  page,
  brandUrl,
}) => {
  const problems: string[] = [];
  for (const { slug } of brands) {
    await choose(page.context(), brandUrl(slug, "/"), "none");
    for (const width of [WIDTH, NARROWEST]) {
      await page.setViewportSize({ width, height: HEIGHT });
      await openLarge(page, brandUrl(slug, "/"));
      problems.push(
        ...[...(await faultsOf(page)), ...(await letterByLetter(page))].map((one) => `${slug}, ${width} px: ${one}`),
      );
    }
  }
  expect(problems).toEqual([]);
  await header(page).getByRole("button", { name: "Menu" }).click();
  await expect(page.getByRole("link", { name: "Create account" })).toBeVisible();
});

test("U1 with text of twice the size, a member's pages do not scroll sideways on a phone, and the words of a card are whole", async ({
  page,
  brandUrl,
  logIn,
}) => {
  const url = (path: string) => brandUrl("chalkside", path);
  await choose(page.context(), url("/"), "none");
  await logIn(page, "chalkside");
  const problems: string[] = [];
  const { path: offer } = await knownOffer("code");
  for (const path of ["/search?q=boots", offer, "/retailers/fernhollow-boots", "/money", "/gift-cards", "/profile"]) {
    await openLarge(page, url(path));
    const cut = await page
      .locator(".offer-card-terms")
      .evaluateAll((all) => all.filter((terms) => terms.scrollHeight > terms.clientHeight + 3).length);
    const found = [...(await faultsOf(page)), ...(cut > 0 ? [`the terms of ${cut} cards are cut`] : [])];
    problems.push(...found.map((one) => `${path}: ${one}`));
  }
  expect(problems).toEqual([]);
});

test("U1 with text of twice the size, pages of the account, lists and answers do not scroll sideways on the narrowest phone, nor breaks a long word of a title", async ({
  page,
  brandUrl,
  logIn,
}) => {
  // The brand with the largest headings.
  const url = (path: string) => brandUrl("freshledge", path);
  await choose(page.context(), url("/"), "none");
  await logIn(page, "freshledge");
  const problems: string[] = [];
  const paths = ["/verification", "/favourites", "/money", "/profile/privacy", "/faq", "/search?q=boots", "/retailers"];
  for (const width of [WIDTH, NARROWEST]) {
    await page.setViewportSize({ width, height: HEIGHT });
    for (const path of paths) {
      await openLarge(page, url(path));
      problems.push(...(await sideways(page)).map((one) => `${path}: ${one}`));
    }
  }
  expect(problems).toEqual([]);
  await page.setViewportSize({ width: WIDTH, height: HEIGHT });
  await openLarge(page, url("/verification"));
  const title = page.getByRole("heading", { level: 1 });
  expect(await title.evaluate((heading) => heading.scrollWidth - heading.clientWidth)).toBe(0);
});

test("U1 M6 with text of twice the size, the QR code of the digital ID is whole on a phone's screen", async ({
  page,
  brandUrl,
  logIn,
}) => {
  const url = brandUrl("chalkside", "/digital-id");
  await choose(page.context(), url, "none");
  await logIn(page, "chalkside");
  await openLarge(page, url);
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Show QR code" }).click();
  const dialog = page.getByRole("dialog", { name: "Digital ID" });
  const code = dialog.getByRole("img", { name: /QR code/ });
  await code.scrollIntoViewIfNeeded();
  const [around, inside] = [(await dialog.boundingBox())!, (await code.boundingBox())!];
  expect(inside.x).toBeGreaterThanOrEqual(around.x);
  expect(inside.x + inside.width).toBeLessThanOrEqual(around.x + around.width);
  expect(around.x + around.width).toBeLessThanOrEqual(WIDTH);
  expect(inside.height).toBeLessThanOrEqual(around.height);
  expect(await dialog.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
});
