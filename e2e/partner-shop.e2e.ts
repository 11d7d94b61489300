import { expect, test } from "./support/fixtures.ts";

test("Z7 U1 the demo partner's pages are valid and fit a phone", async ({ page, partnerUrl, axe, validHtml }) => {
  await page.setViewportSize({ width: 375, height: 800 });
  for (const path of ["/", "/gift-cards", "/playground", "/thanks?payment=abc"]) {
    await validHtml(page, partnerUrl(path));
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(375);
  }
  await axe(page);
});

test("U1 the checkout is accessible, the page in its frame included", async ({ page, partnerUrl, axe }) => {
  await page.emulateMedia({ reducedMotion: "reduce" }); // a button that is fading in has a lower contrast
  await page.goto(partnerUrl());
  await expect(page.frameLocator('iframe[src*="/redirect"]').getByRole("button", { name: /^Pay £/ })).toBeEnabled();
  await axe(page);
});
