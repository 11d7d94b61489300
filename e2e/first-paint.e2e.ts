import { expect, test } from "./support/fixtures.ts";
import { knownOffer } from "./support/known-offer.ts";

test("U3 every page requests its script after the first paint, not before", async ({ page, brandUrl }) => {
  const paths = [
    "/",
    "/search?q=boots",
    "/retailers/fernhollow-boots",
    (await knownOffer("code")).path,
    "/login",
    "/digital-id/offline",
  ];
  for (const path of paths) {
    const html = ((await (await page.goto(brandUrl("chalkside", path)))?.text()) ?? "").replaceAll(
      /<script>\(\(\)=>[\s\S]*?<\/script>/g,
      "",
    );
    expect(html, path).toContain("</main>");
    expect(html, path).not.toMatch(/rel="modulepreload"|<script[^>]*type="module"|<script[^>]* src=/);
  }
  await page.goto(brandUrl("chalkside", "/retailers/fernhollow-boots"));
  await expect(async () => {
    const isThere = await page.evaluate(() =>
      performance.getEntriesByType("resource").some(({ name }) => name.includes("entry.client")),
    );
    expect(isThere).toBe(true);
  }).toPass();
  const times = await page.evaluate(() => ({
    paint: performance.getEntriesByName("first-paint")[0]?.startTime ?? 0,
    script: performance.getEntriesByType("resource").find(({ name }) => name.includes("entry.client"))?.startTime ?? 0,
  }));
  expect(times.script).toBeGreaterThanOrEqual(times.paint);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 375, height: 812 } });

  test("U3 the brand's faces are requested after the first paint of the first page, and before that of the next", async ({
    page,
    brandUrl,
  }) => {
    const facesAndPaint = async () => {
      await page.waitForFunction(
        () =>
          // Faces from the browser's cache can be there before the paint has its entry.
          performance.getEntriesByName("first-paint").length > 0 &&
          [...document.fonts].filter(
            ({ family, status }) => /Newsreader|Public Sans Variable/.test(family) && status === "loaded",
          ).length === 2,
      );
      return page.evaluate(() => {
        const { faces = "" } = document.documentElement.dataset;
        const resources = performance.getEntriesByType("resource");
        return {
          faces: resources.find(({ name }) => name.endsWith(faces))?.startTime ?? NaN,
          fonts: resources.find(({ name }) => name.endsWith(".woff2"))?.startTime ?? NaN,
          paint: performance.getEntriesByName("first-paint")[0]?.startTime ?? NaN,
        };
      });
    };
    await page.goto(brandUrl("chalkside", "/retailers"));
    const first = await facesAndPaint();
    expect(first.faces).toBeGreaterThanOrEqual(first.paint);
    expect(first.fonts).toBeGreaterThanOrEqual(first.paint);
    await page.locator("main a[href^='/retailers/']").first().click();
    await page.waitForURL(/\/retailers\/./);
    const next = await facesAndPaint();
    expect(next.faces).toBeLessThan(next.paint);
  });

  test("U3 P8 without script the brand's faces load, too", async ({ browser, brandUrl }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 375, height: 812 } });
    const page = await context.newPage();
    const face = page.waitForResponse(/newsreader.*\.woff2$/);
    await page.goto(brandUrl("chalkside", "/retailers"));
    expect((await face).status()).toBe(200);
    await context.close();
  });
});
