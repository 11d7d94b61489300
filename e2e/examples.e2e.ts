import type { Page } from "@playwright/test";
import { startDevSite, type DevSite } from "./support/dev-site.ts";
import { expect, test } from "./support/fixtures.ts";
import { seriousFindings } from "./support/serious-findings.ts";
import { sideways } from "./support/sideways.ts";

/** What the colour scheme and the width change; all other rules judge the same markup. */
const LOOKS = ["color-contrast", "link-in-text-block", "target-size", "scrollable-region-focusable"];

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

/** Looks at one page of examples: in light on a wide window, then in dark at 320 px. */
async function problemsOf(page: Page, url: string, { hasScript }: { hasScript: boolean }): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(url);
  // React marks the elements that it has taken over.
  if (hasScript) await page.waitForFunction(() => Object.keys(document.body).some((key) => key.startsWith("__react")));
  const found = await seriousFindings(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: 320, height: 640 });
  found.push(...(await sideways(page)));
  found.push(...(await seriousFindings(page, { rules: LOOKS })).map((one) => `dark: ${one}`));
  return found.map((one) => `${new URL(url).pathname}: ${one}`);
}

const title = "axe finds nothing serious in light and dark, and nothing scrolls sideways at 320 px";

test(`U1 every example with script, in the theme of chalkside: ${title}`, async ({ page }) => {
  test.setTimeout(1_200_000);
  const problems: string[] = [];
  for (const path of await examplePaths(page, "chalkside"))
    problems.push(...(await problemsOf(page, site.url("chalkside", path), { hasScript: true })));
  expect(problems).toEqual([]);
});

test.describe("without script", () => {
  test.use({ noScript: true });

  test(`U1 P8 every example without script, in the theme of freshledge: ${title}`, async ({ page }) => {
    test.setTimeout(1_200_000);
    const problems: string[] = [];
    for (const path of await examplePaths(page, "freshledge"))
      problems.push(...(await problemsOf(page, site.url("freshledge", path), { hasScript: false })));
    expect(problems).toEqual([]);
  });
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
  const sitemap = await page.goto(brandUrl("chalkside", "/sitemap.xml"));
  expect(await sitemap?.text()).not.toContain("/examples");
});
