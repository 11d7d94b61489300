import type { Frame, Page } from "@playwright/test";
import { partner, service } from "./origins.ts";
import { entries, expect, postFrom, redirect, settled, test } from "./partner-page.ts";

const size = (height: number) => JSON.stringify({ type: "RESIZE", payload: { height, width: 300 } });
/** The height of the portal's box, which its frame fills. */
const heightOf = (page: Page) =>
  page.locator("#host iframe").evaluate((frame) => [frame.clientHeight, frame.parentElement!.clientHeight]);

for (const entry of entries) {
  test(`G1 ${entry}: the portal shows /portal with the widget's properties, from 600 px on, on the same protocol`, async ({
    partnerPage,
    page,
  }) => {
    await partnerPage.open({ entry, giftCards: true });
    await page.evaluate(
      (given) =>
        window.harness.mount({ token: "gift", environment: "dev", redirect: given, className: "shop" } as never),
      redirect,
    );
    const frame = await partnerPage.frame("gift");
    expect(frame.url()).toBe(`${service}/redirect?path=%2Fportal&token=gift`);
    await expect(page.locator("#host iframe")).toHaveAttribute("title", "Gift cards");
    await expect.poll(() => frame.evaluate(() => window.heard.configurations[0])).toEqual(redirect);
    expect(await heightOf(page)).toEqual([600, 600]); // the page asked for 500 px
    // onEvent gets the content's own size.
    await expect
      .poll(() => partnerPage.events("RESIZE"))
      .toContainEqual({
        type: "RESIZE",
        payload: { identifier: null, height: 422, width: 1280 },
      });
    await partnerPage.askForPayment(frame);
    await partnerPage.payButton.click();
    await expect(partnerPage.dialog).toHaveCount(0);
    await expect.poll(() => frame.evaluate(() => window.heard.completed.length)).toBe(1);
    await page.evaluate(() => window.harness.unmount());
    await expect(page.locator("#host iframe")).toHaveCount(0);
  });

  test(`G1 ${entry}: the height follows RESIZE after 300 ms without another one, and never falls below 600 px`, async ({
    partnerPage,
    page,
  }) => {
    await partnerPage.stopTime();
    await partnerPage.open({ entry, giftCards: true });
    await page.evaluate(() => window.harness.mount({ token: "paced", environment: "dev", path: "/silent" }));
    const frame = await partnerPage.frame("paced");
    await page.clock.runFor(1000);
    await report(page, frame, 730.2);
    await page.clock.runFor(200);
    await report(page, frame, 910);
    await page.clock.runFor(270);
    expect(await heightOf(page)).toEqual([600, 600]);
    await page.clock.runFor(40);
    expect(await heightOf(page)).toEqual([910, 910]);
    await report(page, frame, -5);
    await page.clock.runFor(900);
    expect(await heightOf(page)).toEqual([910, 910]); // at most one change a second
    await page.clock.runFor(100);
    expect(await heightOf(page)).toEqual([600, 600]);
    await report(page, frame, 1e9);
    await page.clock.runFor(1000);
    expect(await heightOf(page)).toEqual([20_000, 20_000]);
  });

  test(`G1 ${entry}: of two portals on a page each follows its own content`, async ({ partnerPage, page }) => {
    await partnerPage.open({ entry, giftCards: true });
    const first = await partnerPage.mount({ token: "one", path: "/silent" });
    const second = await partnerPage.mount({ token: "two", path: "/silent" }, "second");
    await postFrom(first, size(700));
    await postFrom(second, size(800));
    await expect.poll(() => heightOf(page)).toEqual([700, 700]);
    await expect
      .poll(() => page.locator("#second iframe").evaluate(({ parentElement }) => parentElement!.clientHeight))
      .toBe(800);
    await page.evaluate(() => window.harness.unmount());
    await expect(page.locator("iframe")).toHaveCount(1);
  });
}

test("G1 StrictMode makes one portal and one request that spends the token; rendering again keeps its height", async ({
  partnerPage,
  page,
  request,
}) => {
  const token = `strict-portal-${Math.random()}`;
  await partnerPage.open({ entry: "react", giftCards: true });
  const frame = await partnerPage.mount({ token, path: "/silent" });
  await postFrom(frame, size(777));
  await expect.poll(() => heightOf(page)).toEqual([777, 777]);
  await page.evaluate(
    (same) => window.harness.update({ token: same, environment: "dev", path: "/silent", locale: "cy" }),
    token,
  );
  await settled(page);
  expect(await heightOf(page)).toEqual([777, 777]);
  const log = (await (await request.get(`${service}/requests`)).json()) as { url: string }[];
  expect(log.filter(({ url }) => url.includes(token))).toHaveLength(1);
});

test("G1 a content that is always taller than its box comes to rest", async ({ partnerPage, page }) => {
  await partnerPage.stopTime();
  await partnerPage.open({ giftCards: true });
  await page.evaluate(() => window.harness.mount({ token: "growing", environment: "dev", path: "/growing" }));
  await partnerPage.frame("growing");
  const heights: number[] = [];
  for (let round = 0; round < 30; round++) {
    const [height = 0] = await heightOf(page);
    heights.push(height);
    // The content has answered the box's last change before the next second passes.
    await expect
      .poll(async () => {
        await page.clock.runFor(20);
        return (await partnerPage.events("RESIZE")).at(-1)?.payload;
      })
      .toMatchObject({ height: height + 16 });
    await page.clock.runFor(1000);
  }
  expect(heights.slice(0, 3)).toEqual([600, 616, 632]);
  expect(new Set(heights.slice(15))).toEqual(new Set([600 + 12 * 16]));
});

test("G1 an element with attributes only is 600 px high before it has a token", async ({ partnerPage, page }) => {
  const script = `data-environment="staging" data-base-url="${service}" data-publishable-key="pk_test_1"`;
  await page.goto(
    `${partner}/declarative?${new URLSearchParams({ "gift-cards": "", attributes: 'environment="staging"', script })}`,
  );
  const element = page.locator("farthing-gift-cards");
  await expect(element).toHaveCSS("height", "600px");
  await expect(page.locator("iframe")).toHaveCount(0);
  await element.evaluate((portal) => Object.assign(portal, { token: "late" }));
  await partnerPage.frame("late");
  expect(await element.evaluate((portal) => portal.getAttributeNames())).toEqual(["environment", "style"]);
  expect(await page.evaluate(() => window.FarthingGiftCards!.version)).toMatch(/^\d+\.\d+\.\d+$/);
  expect(partnerPage.consoleLines.filter((line) => /^pageerror|farthing/.test(line))).toEqual([]);
});

test("G1 an element that can't be registered is an error on the console, and breaks nothing else", async ({
  partnerPage,
  page,
}) => {
  await page.goto(`${partner}/taken-name`);
  await expect
    .poll(() => partnerPage.consoleLines)
    .toEqual(["error: farthing-gift-cards: the element was not registered: the page has another element of this name"]);
  expect(await page.evaluate(() => typeof window.FarthingGiftCards!.mount)).toBe("function");
});

test("G1 unmounting forgets a height that waits, and gives the box back as it was", async ({ partnerPage, page }) => {
  await partnerPage.stopTime();
  await partnerPage.open({ giftCards: true });
  await page.evaluate(() => window.harness.mount({ token: "gone", environment: "dev", path: "/silent" }));
  const frame = await partnerPage.frame("gone");
  await page.clock.runFor(1000);
  await report(page, frame, 900);
  await page.evaluate(() => window.harness.unmount());
  await page.clock.runFor(5000);
  expect(await page.locator("#host").evaluate(({ style }) => [style.height, style.minHeight])).toEqual(["500px", ""]);
});

/** Posts a size while the clock stands still, and lets the portal hear it: the next animation frame, at most 20 ms later. */
async function report(page: Page, frame: Frame, height: number): Promise<void> {
  await page.evaluate(() => {
    const heard = new Promise<void>((resolve) => addEventListener("message", () => resolve(), { once: true }));
    Object.assign(window, { heard });
  });
  await postFrom(frame, size(height));
  await page.evaluate(() => (window as unknown as { heard: Promise<void> }).heard);
  await page.clock.runFor(20);
}
