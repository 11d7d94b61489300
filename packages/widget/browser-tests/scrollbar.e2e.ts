import { findBrowser } from "../../../bin/find-browser.mjs";
import { expect, test } from "./partner-page.ts";

const browser = findBrowser();
// Playwright hides scrollbars that take space.
test.use({ launchOptions: { ...(browser && { executablePath: browser }), ignoreDefaultArgs: ["--hide-scrollbars"] } });

for (const [kind, isTall] of [
  ["with a scrollbar", true],
  ["without one", false],
] as const) {
  test(`W7 opening the form does not shift a page ${kind}`, async ({ partnerPage, page }) => {
    const frame = await partnerPage.mounted();
    await page.evaluate((tall) => document.querySelector(".tall")!.toggleAttribute("hidden", !tall), isTall);
    const width = () => page.evaluate(() => document.body.getBoundingClientRect().width);
    const before = await width();
    const isNarrower = await page.evaluate(() => innerWidth > document.documentElement.clientWidth);
    expect(isNarrower).toBe(isTall); // control: the scrollbar takes space
    await partnerPage.askForPayment(frame);
    expect(await width()).toBe(before);
    await page.keyboard.press("Escape");
    await expect(partnerPage.dialog).toHaveCount(0);
    expect(await width()).toBe(before);
  });
}
