import type { Page } from "@playwright/test";
import { expect, test } from "./support/fixtures.ts";
import { knownOffer } from "./support/known-offer.ts";
import { readyForScript } from "./support/ready-for-script.ts";

// What fades in is looked at when it is there.
test.use({ contextOptions: { reducedMotion: "reduce" } });

for (const brand of ["chalkside", "freshledge"]) {
  test(`U1 axe finds nothing serious on the pages of ${brand}`, async ({ page, brandUrl, logIn, axe }) => {
    test.setTimeout(180_000);
    const look = async (path: string, view: string) => {
      await page.goto(brandUrl(brand, path));
      await expect(page.locator(`body[data-controller="${view}"]`), path).toBeVisible();
      await axe(page);
    };
    await look("/", "home");
    await look("/retailers", "retailers");
    await look("/retailers/fernhollow-boots", "retailers");
    await look((await knownOffer("code")).path, "offers");
    await look((await knownOffer("inStore")).path, "offers");
    await look((await knownOffer("expired")).path, "offers");
    await look("/categories/shoes-and-bags", "categories");
    await look("/search?q=boots", "search");
    await look("/search?q=qqqxzzzv", "search");
    await look("/login", "sessions");
    await look("/no-such-page", "errors");
    await logIn(page, brand);
    await look("/profile", "profiles");
    await look("/favourites", "favourites");
    await look((await knownOffer("app")).path, "offers");
    await look((await knownOffer("code")).path, "offers");
  });

  test(`U1 nothing of ${brand} has to be pushed sideways at 320 px`, async ({ page, brandUrl, logIn }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    await logIn(page, brand);
    for (const path of [
      "/",
      (await knownOffer("code")).path,
      (await knownOffer("longTitle")).path,
      "/profile",
      "/favourites",
    ]) {
      await page.goto(brandUrl(brand, path));
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      const width = await page.evaluate(() => {
        window.scrollTo(1000, 0);
        return { scrolled: window.scrollX, page: document.documentElement.scrollWidth };
      });
      expect(width, path).toEqual({ scrolled: 0, page: 320 });
    }
  });
}

/** Fails when a person can't see where the focus is: an outline on what has it, or on the card or field that it is the whole of. */
async function expectVisibleFocus(page: Page): Promise<void> {
  const focus = await page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return { name: "nothing", isVisible: false };
    const outlined = [element, element.parentElement, element.parentElement?.parentElement].some((candidate) => {
      if (!candidate) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(candidate);
      return outlineStyle !== "none" && Number.parseInt(outlineWidth, 10) >= 2;
    });
    const { width, height } = element.getBoundingClientRect();
    return { name: element.outerHTML.slice(0, 120), isVisible: outlined && width > 1 && height > 1 };
  });
  expect(focus.isVisible, `where the focus is: ${focus.name}`).toBe(true);
}

/** Tab, as often as it takes, until the focus is on what `selector` and `text` describe; never so often that a person would give up. */
async function tabTo(page: Page, selector: string, text = ""): Promise<void> {
  for (let press = 0; press < 40; press++) {
    await page.keyboard.press("Tab");
    await expectVisibleFocus(page);
    const focused = page.locator(`${selector}:focus`).filter({ hasText: text });
    if ((await focused.count()) > 0) return;
  }
  throw new Error(`40 presses of Tab do not lead to ${selector} ${text}`);
}

test("U1 search, an offer and its code with the keyboard alone, and the focus is always to be seen (D2, O3)", async ({
  page,
  context,
  brandUrl,
  logIn,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: brandUrl("chalkside").slice(0, -1) });
  await logIn(page, "chalkside");
  await page.goto(brandUrl("chalkside"));

  // The first Tab offers to skip what every page begins with.
  await tabTo(page, "a", "Skip to content");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.locator("main")).toBeFocused();

  await page.reload();
  await tabTo(page, "#search-field");
  await page.keyboard.type("fernhollow boots");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/search\?q=fernhollow/);
  await tabTo(page, "a", "Skip to content");
  await page.keyboard.press("Enter");
  await tabTo(page, "a", "15% off walking boots");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/offers\//);

  await readyForScript(page.getByRole("button", { name: "Reveal code" }));
  await tabTo(page, "a", "Skip to content");
  await page.keyboard.press("Enter");
  await tabTo(page, "button", "Reveal code");
  const opened = context.waitForEvent("page");
  await page.keyboard.press("Enter");
  await opened;
  await expect(page.locator("#offer-code")).toHaveText("FERN15");
  await page.bringToFront();
  await readyForScript(page.getByRole("button", { name: "Copy code" }));

  // The code was brought to the focus: the next stop is Copy.
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Copy code" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("FERN15");
});
