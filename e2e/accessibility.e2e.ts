import type { Page } from "@playwright/test";
import brands from "../packages/db/seeds/brands.json" with { type: "json" };
import { expect, test } from "./support/fixtures.ts";
import { newMember } from "./support/new-member.ts";
import { listedPaths, pathOf, sitePages } from "./support/pages.ts";
import { readyForScript } from "./support/ready-for-script.ts";
import { choose } from "./support/sent-events.ts";
import { rulesOfLooks, seriousFindings } from "./support/serious-findings.ts";
import { sideways } from "./support/sideways.ts";
import { vagueLinks } from "./support/vague-links.ts";

// Without animations, elements that fade in are checked in their final state.
test.use({ contextOptions: { reducedMotion: "reduce" } });

test("U1 the list of pages to look at has every page of the site", () => {
  const listed = new Set(sitePages.map(({ route }) => route));
  expect(listedPaths().filter((path) => !listed.has(path))).toEqual([]);
});

for (const { slug: brand } of brands) {
  // The markup is the same in every theme: two brands run every rule, in both schemes, for every role; the others run only the visual rules.
  const isWhole = brand === "chalkside" || brand === "freshledge";
  test(`U1 every page of ${brand}: axe finds nothing serious, no link's text is vague, and the page does not scroll sideways at 320 px`, async ({
    page,
    brandUrl,
    logIn,
  }) => {
    test.setTimeout(1_200_000);
    const problems: string[] = [];
    for (const who of ["visitor", "newcomer", "member"] as const) {
      const theirs = sitePages.filter(({ as }) => (isWhole ? as.includes(who) : as.at(-1) === who));
      if (who !== "visitor") await page.context().clearCookies();
      // The question of consent lies over what happens to be at the lower edge; consent.e2e.ts looks at it in every theme.
      await choose(page.context(), brandUrl(brand, "/"), "none");
      if (theirs.length > 0 && who !== "visitor") {
        await logIn(page, brand, `${who === "newcomer" ? "new" : "member"}@${brand}.example`);
      }
      for (const sitePage of theirs) {
        const path = await pathOf(sitePage);
        await page.emulateMedia({ colorScheme: "light" });
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.goto(brandUrl(brand, path));
        // FilePond loads after the page.
        if ((await page.locator("input[type=file]").count()) > 0) await page.waitForLoadState("networkidle");
        const found = await seriousFindings(page, isWhole ? {} : { rules: rulesOfLooks });
        found.push(...(await vagueLinks(page)));
        await page.emulateMedia({ colorScheme: isWhole ? "dark" : "light" });
        await page.setViewportSize({ width: 320, height: 640 });
        found.push(...(await sideways(page)));
        if (isWhole) found.push(...(await seriousFindings(page, { rules: rulesOfLooks })).map((one) => `dark: ${one}`));
        problems.push(...found.map((one) => `${path}, ${who}: ${one}`));
      }
    }
    expect(problems).toEqual([]);
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

/** Presses Tab until the element with `selector` and `text` has the focus. Fails after more presses than a person would make. */
async function tabTo(page: Page, selector: string, text = ""): Promise<void> {
  for (let press = 0; press < 40; press++) {
    await page.keyboard.press("Tab");
    await expectVisibleFocus(page);
    const focused = page.locator(`${selector}:focus`).filter({ hasText: text });
    if ((await focused.count()) > 0) return;
  }
  throw new Error(`40 presses of Tab do not lead to ${selector} ${text}`);
}

test("U1 search, an offer and its code work with the keyboard alone, and the focus is always visible (D2, O3)", async ({
  page,
  context,
  brandUrl,
  logIn,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: brandUrl("chalkside").slice(0, -1) });
  await logIn(page, "chalkside", await newMember("chalkside"));
  await page.goto(brandUrl("chalkside"));

  // The first Tab focuses the skip link.
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

  // The code has the focus; the next stop is Copy.
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Copy code" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("FERN15");
});
