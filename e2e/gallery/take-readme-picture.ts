import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import sharp from "sharp";
import brands from "../../packages/db/seeds/brands.json" with { type: "json" };
import startStackForTests from "../support/start-stack.ts";

// Takes the picture of README.md, docs/images/eight-brands.png: the home page of every brand, side by side.

const PICTURE = join(import.meta.dirname, "../../docs/images/eight-brands.png");
const WINDOW = { width: 1440, height: 900 };
const COLUMNS = 4;
const TILE = { width: 480, height: 300 };
const GAP = 12;

const stop = await startStackForTests();
const browser = await chromium.launch({
  ...(process.env["CHROMIUM_PATH"] && { executablePath: process.env["CHROMIUM_PATH"] }),
  args: ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const tiles: { input: Buffer; left: number; top: number }[] = [];
try {
  const context = await browser.newContext({
    viewport: WINDOW,
    locale: "en-GB",
    timezoneId: "Europe/London",
    reducedMotion: "reduce",
    colorScheme: "light",
  });
  const page = await context.newPage();
  for (const [index, { slug }] of brands.entries()) {
    await page.goto(`http://${slug}.localhost:${process.env["FARTHING_E2E_PORT"]}/`, { waitUntil: "networkidle" });
    tiles.push({
      input: await sharp(await page.screenshot())
        .resize(TILE)
        .toBuffer(),
      left: GAP / 2 + (index % COLUMNS) * (TILE.width + GAP),
      top: GAP / 2 + Math.floor(index / COLUMNS) * (TILE.height + GAP),
    });
  }
} finally {
  await browser.close();
  await stop();
}
const picture = await sharp({
  create: {
    width: COLUMNS * (TILE.width + GAP),
    height: Math.ceil(brands.length / COLUMNS) * (TILE.height + GAP),
    channels: 3,
    background: "#e8e8e4",
  },
})
  .composite(tiles)
  .png({ palette: true, effort: 10 })
  .toBuffer();
writeFileSync(PICTURE, picture);
process.stdout.write(
  `docs/images/eight-brands.png: ${brands.length} brands, ${Math.round(picture.length / 1000)} kB\n`,
);
process.exit(0);
