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
