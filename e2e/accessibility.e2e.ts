import type { Page } from "@playwright/test";
import brands from "../packages/db/seeds/brands.json" with { type: "json" };
import { type BrandTheme, themeOf, wearTheme } from "./support/brand-theme.ts";
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

/** The themes in which every rule runs, for every role: the markup is the same in all. The other themes run the rules of looks. */
const WHOLE = ["chalkside", "freshledge"];

/** Opens a page of the site as a person with a mouse sees it first: light, in a wide window. */
async function open(page: Page, url: string): Promise<void> {
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(url);
  // FilePond loads after the page.
  if ((await page.locator("input[type=file]").count()) > 0) await page.waitForLoadState("networkidle");
}

/** Shows the open page in a narrow window, dark. */
async function narrow(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: 320, height: 640 });
}

for (const brand of WHOLE)
  test(`U1 every page of ${brand}: axe finds nothing serious, no link's text is vague, and the page does not scroll sideways at 320 px`, async ({
    page,
    brandUrl,
    logIn,
  }) => {
    test.setTimeout(1_200_000);
    const problems: string[] = [];
    for (const who of ["visitor", "newcomer", "member"] as const) {
      if (who !== "visitor") await page.context().clearCookies();
      // The question of consent lies over what happens to be at the lower edge; consent.e2e.ts looks at it in every theme.
      await choose(page.context(), brandUrl(brand, "/"), "none");
      if (who !== "visitor") await logIn(page, brand, `${who === "newcomer" ? "new" : "member"}@${brand}.example`);
      for (const sitePage of sitePages.filter(({ as }) => as.includes(who))) {
        const path = await pathOf(sitePage);
        await open(page, brandUrl(brand, path));
        const found = [...(await seriousFindings(page)), ...(await vagueLinks(page))];
        await narrow(page);
        found.push(...(await sideways(page)));
        found.push(...(await seriousFindings(page, { rules: rulesOfLooks })).map((one) => `dark: ${one}`));
        problems.push(...found.map((one) => `${path}, ${who}: ${one}`));
      }
    }
    expect(problems).toEqual([]);
  });

// A theme is a stylesheet: a page is loaded once and then shown in each.
for (const who of ["visitor", "member"] as const)
  test(`U1 every page of a ${who} in each other theme: contrast, targets and links are right, and nothing scrolls sideways at 320 px`, async ({
    page,
    brandUrl,
    logIn,
  }) => {
    test.setTimeout(1_200_000);
    const themes: [string, BrandTheme][] = [];
    for (const { slug, theme } of brands) {
      await page.goto(brandUrl(slug, "/"));
      themes.push([theme, await themeOf(page, theme)]);
    }
    const own = themes.find(([name]) => name === "chalkside")![1];
    const others = themes.filter(([name]) => !WHOLE.includes(name));
    await choose(page.context(), brandUrl("chalkside", "/"), "none");
    if (who === "member") await logIn(page, "chalkside");
    const problems: string[] = [];
    for (const sitePage of sitePages.filter(({ as }) => as.at(-1) === who)) {
      const path = await pathOf(sitePage);
      await open(page, brandUrl("chalkside", path));
      // The page of a payment is in the neutral theme.
      if ((await page.locator(`link[href="${own.stylesheet}"]`).count()) === 0) continue;
      let worn = own;
      const inEach = async (check: () => Promise<string[]>) => {
        for (const [name, theme] of others) {
          await wearTheme(page, worn, theme);
          worn = theme;
          problems.push(...(await check()).map((one) => `${path}, ${name}: ${one}`));
        }
      };
      await inEach(() => seriousFindings(page, { rules: rulesOfLooks }));
      await page.setViewportSize({ width: 320, height: 640 });
      await inEach(() => sideways(page));
    }
    expect(problems).toEqual([]);
  });

// The name, the menu and the texts of a brand are its own.
test("U1 each brand's home page and registration, with its own name and texts: axe finds nothing serious, and nothing scrolls sideways at 320 px", async ({
  page,
  brandUrl,
}) => {
  const problems: string[] = [];
  for (const { slug } of brands.filter(({ theme }) => !WHOLE.includes(theme))) {
    await choose(page.context(), brandUrl(slug, "/"), "none");
    for (const path of ["/", "/register"]) {
      await open(page, brandUrl(slug, path));
      const found = [...(await seriousFindings(page)), ...(await vagueLinks(page))];
      await narrow(page);
      found.push(...(await sideways(page)));
      problems.push(...found.map((one) => `${path} of ${slug}: ${one}`));
    }
  }
  expect(problems).toEqual([]);
});

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

test("U1 in forced colours a dropdown keeps its arrow, a filter its cross and the registration its bar", async ({
  page,
  brandUrl,
}) => {
  await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
  await page.goto(brandUrl("chalkside", "/categories/shoes-and-bags?kind=code"));
  expect(await page.getByLabel("Sort by").evaluate((select) => getComputedStyle(select).appearance)).toBe("auto");
  const drawn = (selector: string, pseudo?: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element, part) => getComputedStyle(element, part).backgroundImage, pseudo);
  expect(await drawn(".chip.is-active", "::after")).toContain("gradient");
  await page.goto(brandUrl("chalkside", "/register"));
  expect(await drawn(".registration-bar")).toContain("gradient");
});
