import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { chromium, type Browser, type Page } from "@playwright/test";
import { systemFamilies } from "../apps/site/fallback-faces/system-families.ts";
import brands from "../packages/db/seeds/brands.json" with { type: "json" };
import { expect, test } from "./support/fixtures.ts";

/** The max layout shift of a page, as Cumulative Layout Shift scores it. */
const MAX_SHIFT = 0.02;

/** Devices by the only fonts that they have. The fonts of "Arial" and "Times" are Arimo and Tinos. */
const devices = [
  { families: ["Arial", "Times"] },
  { families: ["Roboto"] },
  { families: ["Noto Sans", "Noto Serif"] },
  { families: ["DejaVu Sans", "DejaVu Serif"] },
];

/** 375 px is the width of small phones, 412 px that of large ones. */
const views = [
  { path: "/", width: 375 },
  { path: "/", width: 412 },
  { path: "/search?q=boots", width: 375 },
  { path: "/retailers/greyfinch-gardens", width: 412 },
];

/** Opens Chromium on a device that has the fonts of these families and no others. */
async function openBrowser(families: string[], folder: string): Promise<Browser> {
  const fonts = join(folder, "fonts");
  mkdirSync(fonts);
  for (const { regular, bold } of systemFamilies.filter(({ name }) => families.includes(name)))
    for (const { file } of [regular, bold]) copyFileSync(file, join(fonts, basename(file)));
  const configuration = join(folder, "fonts.conf");
  // Phones don't fit glyphs to the grid of pixels, which changes their widths.
  const unhinted = `<edit name="hinting" mode="assign"><bool>false</bool></edit>`;
  writeFileSync(
    configuration,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
      <dir>${fonts}</dir><cachedir>${join(folder, "cache")}</cachedir>
      <match target="pattern">${unhinted}</match><match target="font">${unhinted}</match>
    </fontconfig>`,
  );
  return chromium.launch({
    ...test.info().project.use.launchOptions,
    env: { ...process.env, FONTCONFIG_FILE: configuration },
  });
}

/** Shows a page in the fonts of the device, then in the theme's. Returns how far it moved. */
async function shiftOf(page: Page, url: string): Promise<number> {
  const { promise: shown, resolve: release } = Promise.withResolvers<void>();
  let fonts = 0;
  await page.route("**/*.woff2", async (route) => {
    fonts += 1;
    await shown;
    await route.continue();
  });
  // Script and pictures change nothing of where text is shown first, and take most of the time.
  await page.route(/\.js$|^[^?]*\/art\//, (route) => route.abort());
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(url, { waitUntil: "domcontentloaded" });
  await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
  release();
  await page.waitForLoadState("load");
  // A phone applies the theme's faces after the first paint, once they are there.
  await page.waitForFunction(() => {
    const { faces = "" } = document.documentElement.dataset;
    const sheet = [...document.styleSheets].find(
      ({ href, media }) => href?.endsWith(faces) && media.mediaText === "all",
    );
    const families = new Set(
      [...(sheet?.cssRules ?? [])].map((rule) =>
        (rule as CSSFontFaceRule).style.getPropertyValue("font-family").replaceAll('"', ""),
      ),
    );
    return [...document.fonts].some(({ family, status }) => families.has(family) && status === "loaded");
  });
  const shift = await page.evaluate(async () => {
    await document.fonts.ready;
    // A shift is reported after the frame in which it happens.
    for (let frames = 0; frames < 3; frames += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    return (window as unknown as { shifts: number[] }).shifts.reduce((sum, value) => sum + value, 0);
  });
  expect(fonts, `fonts held back at ${url}`).toBeGreaterThan(0);
  return shift;
}

for (const { families } of devices) {
  test(`U2 on a phone that has only ${families.join(" and ")}, nothing moves when a theme's fonts load`, async ({
    brandUrl,
  }) => {
    test.slow(); // every theme's fonts, held back page by page
    const folder = mkdtempSync(join(tmpdir(), "farthing-fonts-"));
    const browser = await openBrowser(families, folder);
    try {
      const shifts: { slug: string; path: string; width: number; shift: number }[] = [];
      for (const { slug } of brands)
        for (const { path, width } of views) {
          const page = await browser.newPage({ viewport: { width, height: 812 }, deviceScaleFactor: 2 });
          shifts.push({ slug, path, width, shift: await shiftOf(page, brandUrl(slug, path)) });
          await page.close();
        }
      expect(shifts.filter(({ shift }) => shift > MAX_SHIFT)).toEqual([]);
    } finally {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
