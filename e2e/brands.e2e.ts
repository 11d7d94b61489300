import brands from "@farthing/db/seeds/brands.json" with { type: "json" };
import type { Page } from "@playwright/test";
import { expect, test } from "./support/fixtures.ts";

test("B1 each of the eight brands answers at its own host, with its own theme only", async ({ page, brandUrl }) => {
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

/** Returns what a browser on the page gets from `path` of the page's host: content type, and bytes as text. */
const fetched = (page: Page, path: string) =>
  page.evaluate(async (asked) => {
    const answer = await fetch(asked);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const body = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
    return { status: answer.status, type: answer.headers.get("content-type"), body };
  }, path);

test("B3 U3 each brand has its own icons, manifest, social image and legal pages, and none of another brand", async ({
  page,
  brandUrl,
  mainUrl,
}) => {
  const seen = {
    icon: new Set<string>(),
    logo: new Set<string>(),
    social: new Set<string>(),
    colours: new Set<string>(),
  };
  for (const { slug, name, strapline, supportEmail } of brands) {
    await page.goto(brandUrl(slug, "/legal/privacy"));
    const others = brands.filter((brand) => brand.slug !== slug).map((brand) => new RegExp(`\\b${brand.name}\\b`, "i"));
    const text = await page.locator("body").innerText();
    expect(text).toContain(`${name} decides what is done with the data below`);
    expect(text).toContain(supportEmail);
    for (const other of others) expect(text, slug).not.toMatch(other);
    await expect(page.getByRole("navigation", { name: "Legal" }).getByRole("link")).toHaveText([
      "Terms",
      "Privacy",
      "Cookies",
      "Accessibility",
      "Cookie settings",
    ]);

    const head = await page
      .locator("link[rel~=icon], link[rel=apple-touch-icon], link[rel=manifest]")
      .evaluateAll((links) =>
        (links as HTMLLinkElement[]).map(({ rel, href }) => ({ rel, path: new URL(href).pathname })),
      );
    expect(head.map(({ rel }) => rel)).toEqual(["icon", "icon", "apple-touch-icon", "manifest"]);
    for (const { path } of head) expect((await fetched(page, path)).status, `${slug} ${path}`).toBe(200);

    const manifest = JSON.parse((await fetched(page, "/manifest.webmanifest")).body) as Record<string, string>;
    // The text has one character per byte, so non-ASCII text is compared in the same form.
    expect(manifest["name"]).toBe(name);
    expect(Buffer.from(manifest["description"] ?? "", "latin1").toString()).toBe(strapline);
    seen.colours.add(`${manifest["theme_color"]} ${manifest["background_color"]}`);

    const social = await page.locator("meta[property='og:image']").getAttribute("content");
    expect(social).toBe(mainUrl(slug, "/brand/social.png"));
    const image = await fetched(page, "/brand/social.png");
    expect(image.type).toBe("image/png");
    seen.social.add(image.body);
    seen.icon.add((await fetched(page, "/favicon.ico")).body);
    const logo = (await fetched(page, "/brand/logo.svg")).body;
    expect(logo).toContain(`<title>${name}</title>`);
    seen.logo.add(logo);
  }
  for (const [what, all] of Object.entries(seen)) expect(all.size, `${what}: eight of them`).toBe(8);
});

test("B3 an unknown legal page shows an error page in the brand's theme, and a real one prints without header and footer", async ({
  page,
  brandUrl,
  axe,
  validHtml,
}) => {
  await validHtml(page, brandUrl("tinrattle", "/legal/privacy"));
  expect((await page.goto(brandUrl("tinrattle", "/legal/nonsense")))?.status()).toBe(404);
  await expect(page).toHaveTitle(/Tinrattle$/);
  await page.goto(brandUrl("tinrattle", "/legal/cookies"));
  await axe(page);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("heading", { level: 1, name: "Cookies" })).toBeVisible();
  await expect(page.getByRole("contentinfo")).toBeHidden();
  await expect(page.getByRole("navigation", { name: "On this page" })).toBeHidden();
});
