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

/** Opens a page once its script runs: Vite reloads a page when it finds another package to prepare. */
async function open(page: Page, url: string): Promise<void> {
  await page.goto(url, { waitUntil: "networkidle" });
  await page.waitForFunction(() => Object.keys(document.body).some((key) => key.startsWith("__reactProps")));
}

for (const brand of ["chalkside", "freshledge"]) {
  test(`U1 every example in the theme of ${brand}: axe finds nothing serious in light and dark, and nothing scrolls sideways at 320 px`, async ({
    page,
  }) => {
    test.setTimeout(1_200_000);
    await open(page, site.url(brand, "/examples"));
    const paths = await page
      .locator("main a")
      .evaluateAll((links: HTMLAnchorElement[]) => links.map((link) => new URL(link.href).pathname));
    expect(paths.length).toBeGreaterThan(20);
    const problems: string[] = [];
    for (const path of paths) {
      await page.emulateMedia({ colorScheme: "light" });
      await page.setViewportSize({ width: 1280, height: 800 });
      await open(page, site.url(brand, path));
      const found = await seriousFindings(page);
      await page.emulateMedia({ colorScheme: "dark" });
      await page.setViewportSize({ width: 320, height: 640 });
      found.push(...(await sideways(page)));
      found.push(...(await seriousFindings(page, { rules: LOOKS })).map((one) => `dark: ${one}`));
      problems.push(...found.map((one) => `${path}: ${one}`));
    }
    expect(problems).toEqual([]);
  });
}

test("Z1 the examples exist in development only: the built site answers 404 and lists them nowhere", async ({
  request,
  brandUrl,
}) => {
  expect((await request.get(site.url("chalkside", "/examples/cards"))).status()).toBe(200);
  for (const path of ["/examples", "/examples/cards", "/examples/layout/site-header-visitor"])
    expect((await request.get(brandUrl("chalkside", path))).status(), path).toBe(404);
  expect((await request.get(site.url("chalkside", "/examples/no-such-part"))).status()).toBe(404);
  const sitemap = await request.get(brandUrl("chalkside", "/sitemap.xml"));
  expect(await sitemap.text()).not.toContain("/examples");
});
