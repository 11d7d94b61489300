import brands from "@farthing/db/seeds/brands.json" with { type: "json" };
import { expect, test } from "./support/fixtures.ts";

test("B1 each of the eight brands answers at its own host, in its own clothes and no other's", async ({
  page,
  brandUrl,
}) => {
  const themes = new Map<string, string>();
  for (const { slug, name, theme } of brands) {
    const response = await page.goto(brandUrl(slug));
    expect(response?.status(), slug).toBe(200);
    await expect(page).toHaveTitle(new RegExp(`\\b${name}$`));
    const sheets = await page
      .locator("link[rel=stylesheet]")
      .evaluateAll((links) =>
        (links as HTMLLinkElement[]).map(({ href, sheet }) => ({ href, isRead: Number(sheet?.cssRules.length) > 0 })),
      );
    expect(
      sheets.filter(({ isRead }) => !isRead),
      `stylesheets of ${slug} that the browser could not read`,
    ).toEqual([]);
    const clothes = sheets.filter(({ href }) => brands.some((brand) => href.includes(`/assets/${brand.theme}-`)));
    expect(clothes, slug).toEqual([{ href: expect.stringContaining(`/assets/${theme}-`), isRead: true }]);
    const colours = await page.evaluate(() => {
      const style = getComputedStyle(document.documentElement);
      return ["--action", "--ground", "--header", "--accent"].map((token) => style.getPropertyValue(token)).join();
    });
    themes.set(colours, slug);
  }
  expect([...themes.values()]).toEqual(brands.map(({ slug }) => slug));
  expect(brands).toHaveLength(8);
});
