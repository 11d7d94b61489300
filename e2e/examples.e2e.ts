import type { Page } from "@playwright/test";
import { carouselsAreReady } from "./support/carousels-are-ready.ts";
import { startDevSite, type DevSite } from "./support/dev-site.ts";
import { expect, test } from "./support/fixtures.ts";
import { rulesOfLooks, seriousFindings } from "./support/serious-findings.ts";
import { sideways } from "./support/sideways.ts";

// One server renders the pages from source: the tests share it, one after the other.
test.describe.configure({ mode: "default" });
test.use({ contextOptions: { reducedMotion: "reduce" } });

let site: DevSite;
test.beforeAll(async () => {
  site = await startDevSite();
});
test.afterAll(async () => await site.stop());

/** Returns the paths of all pages of examples. */
async function examplePaths(page: Page, brand: string): Promise<string[]> {
  await page.goto(site.url(brand, "/examples"));
  const links = page.locator("main a");
  const paths = await links.evaluateAll((all: HTMLAnchorElement[]) => all.map((link) => new URL(link.href).pathname));
  expect(paths.length).toBeGreaterThan(20);
  return paths;
}

/** Returns the problems of one page of examples, in light on a wide window and in dark at 320 px. `rules` of axe: all by default. */
async function problemsOf(page: Page, url: string, rules?: string[]): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(url);
  // React marks the elements that it has taken over.
  await page.waitForFunction(
    () =>
      document.documentElement.dataset["script"] === "started" &&
      [...document.querySelectorAll("site-island")].every((island) =>
        Object.keys(island).some((key) => key.startsWith("__reactContainer")),
      ),
  );
  await carouselsAreReady(page);
  const found = await seriousFindings(page, rules === undefined ? {} : { rules });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: 320, height: 640 });
  found.push(...(await sideways(page)));
  found.push(...(await seriousFindings(page, { rules: rulesOfLooks })).map((one) => `dark: ${one}`));
  return found.map((one) => `${new URL(url).pathname}: ${one}`);
}

// The markup is the same in every theme, so the second one is checked for what a theme changes.
for (const { brand, rules } of [{ brand: "chalkside" }, { brand: "freshledge", rules: rulesOfLooks }])
  test(`U1 every example in the theme of ${brand}: axe finds nothing serious in light and dark, and nothing scrolls sideways at 320 px`, async ({
    page,
  }) => {
    test.setTimeout(1_200_000);
    const problems: string[] = [];
    for (const path of await examplePaths(page, brand))
      problems.push(...(await problemsOf(page, site.url(brand, path), rules)));
    expect(problems).toEqual([]);
  });

test("Z1 the examples exist in development only: the built site answers 404 and lists them nowhere", async ({
  page,
  brandUrl,
}) => {
  const statusOf = async (url: string) => (await page.goto(url))?.status();
  expect(await statusOf(site.url("chalkside", "/examples/cards"))).toBe(200);
  expect(await statusOf(site.url("chalkside", "/examples/no-such-part"))).toBe(404);
  for (const path of ["/examples", "/examples/cards", "/examples/layout/site-header-visitor"])
    expect(await statusOf(brandUrl("chalkside", path)), path).toBe(404);
  await page.goto(brandUrl("chalkside"));
  const sitemap = await page.evaluate(async () => (await fetch("/sitemaps/pages-1.xml")).text());
  expect(sitemap).toContain("<loc>");
  expect(sitemap).not.toContain("/examples");
});
