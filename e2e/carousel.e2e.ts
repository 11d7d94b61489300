import type { CDPSession, Locator, Page } from "@playwright/test";
import { expect, test } from "./support/fixtures.ts";

/** A brand whose home page has all three kinds of carousels. */
const BRAND = "freshledge";

const carousel = (page: Page, kind: string) => page.locator(`.carousel[data-kind="${kind}"]`);
/** Returns the numbers, from 1, of the reachable slides; slides out of view are inert. */
const slidesInView = (root: Locator) =>
  root
    .locator(".carousel-slide")
    .evaluateAll((slides) => slides.flatMap((slide, index) => (slide.hasAttribute("inert") ? [] : [index + 1])));

/** Opens the home page with one carousel in the middle of the screen, its script loaded, and a paused clock. */
async function openWithClock(page: Page, url: string, kind: string): Promise<Locator> {
  await page.clock.install();
  await page.goto(url);
  const root = carousel(page, kind);
  await root.evaluate((element) => element.scrollIntoView({ block: "center" }));
  await expect(async () => {
    await page.clock.runFor(100); // idle callbacks wait for the clock too
    await expect(root).toHaveAttribute("data-moves", "", { timeout: 500 });
  }).toPass();
  await page.mouse.move(1, 1);
  // From here on, only runFor advances the clock.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
  return root;
}

for (const [kind, everyMs] of [
  ["offers", 7_000],
  ["other", 3_500],
  ["logos", 2_500],
] as const) {
  test(`D8 the carousel of ${kind} moves on after exactly ${everyMs} ms`, async ({ page, brandUrl }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const root = await openWithClock(page, brandUrl(BRAND), kind);
    // Pressing Pause and then Play restarts the interval.
    await root.getByRole("button", { name: "Pause" }).click();
    const before = await slidesInView(root);
    await page.clock.runFor(20_000);
    expect(await slidesInView(root)).toEqual(before);
    await root.getByRole("button", { name: "Play" }).click();
    await page.clock.runFor(everyMs - 1);
    expect(await slidesInView(root)).toEqual(before);
    await page.clock.runFor(1);
    await expect.poll(() => slidesInView(root)).not.toEqual(before);
  });
}

test("D8 autoplay pauses under the pointer, with the focus inside, and on a hidden page", async ({
  page,
  brandUrl,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const root = await openWithClock(page, brandUrl(BRAND), "offers");
  const stays = async (why: string) => {
    const before = await slidesInView(root);
    await page.clock.runFor(15_000);
    expect(await slidesInView(root), why).toEqual(before);
  };
  const moves = async (why: string) => {
    const before = await slidesInView(root);
    await page.clock.runFor(7_000);
    await expect.poll(() => slidesInView(root), why).not.toEqual(before);
  };
  await moves("nothing holds it");
  await root.locator(".carousel-viewport").hover();
  await stays("the pointer is on it");
  await page.mouse.move(1, 1);
  await moves("the pointer has gone");
  await root.getByRole("button", { name: "Next" }).focus();
  await stays("the focus is in it");
  await page.locator("#search-field").focus();
  await root.evaluate((element) => element.scrollIntoView({ block: "center" }));
  await moves("the focus has gone");
  await setHidden(page, true);
  await stays("the page is hidden");
  await setHidden(page, false);
  await moves("the page is seen again");
});

async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);
}

test("D8 U1 with reduced motion nothing moves unless the person presses Play", async ({ page, brandUrl }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.setViewportSize({ width: 1440, height: 900 });
  const root = await openWithClock(page, brandUrl(BRAND), "offers");
  const before = await slidesInView(root);
  await page.clock.runFor(30_000);
  expect(await slidesInView(root)).toEqual(before);
  await root.getByRole("button", { name: "Play" }).click();
  await page.clock.runFor(7_000);
  await expect.poll(() => slidesInView(root)).not.toEqual(before);

  // After a resize the slides are in the right place, also without animation.
  await page.setViewportSize({ width: 1200, height: 900 });
  const inView = root.locator(".carousel-slide:not([inert]) > *").first();
  const distance = async () => {
    // The browser tells of a new size in its own time, and what follows takes that of the page.
    await page.clock.runFor(100);
    const view = (await root.locator(".carousel-viewport").boundingBox())!;
    return Math.abs((await inView.boundingBox())!.x - view.x - 8);
  };
  await expect.poll(distance).toBeLessThan(1);
});

test("D8 D9 each width shows its number of slides: 4 or 1, and in variant two 4, 3 or 2", async ({
  page,
  brandUrl,
}) => {
  await page.goto(brandUrl(BRAND));
  const seen = async (kind: string) => {
    const root = carousel(page, kind);
    return root.evaluate((element) => {
      const view = element.querySelector(".carousel-viewport")!.getBoundingClientRect();
      return [...element.querySelectorAll(".carousel-slide > *")].filter((card) => {
        const { left, right } = card.getBoundingClientRect();
        return left >= view.left - 1 && right <= view.right + 1;
      }).length;
    });
  };
  for (const [width, plain, variantTwo] of [
    [639, 1, 2],
    [640, 1, 2],
    [767, 1, 2],
    [768, 1, 3],
    [1023, 1, 3],
    [1024, 1, 3],
    [1025, 1, 4],
    [1026, 4, 4],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => seen("offers"), `offers at ${width}`).toBe(plain);
    await expect.poll(() => seen("logos"), `logos at ${width}`).toBe(variantTwo);
  }
});

test("D8 D9 the carousel adapts 300 ms after the last resize", async ({ page, brandUrl }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const root = await openWithClock(page, brandUrl(BRAND), "offers");
  expect(await slidesInView(root)).toHaveLength(4);
  await page.evaluate(() => {
    addEventListener("resize", () => (document.body.dataset["resized"] = "yes"), { once: true });
  });
  await page.setViewportSize({ width: 900, height: 900 });
  // The browser tells of a new size in its own time, and perhaps twice: the 300 ms begin when it does.
  await page.locator("body[data-resized]").waitFor();
  await page.clock.runFor(299);
  expect(await slidesInView(root)).toHaveLength(4);
  const adapted = async () => {
    await page.clock.runFor(50);
    return (await slidesInView(root)).length;
  };
  await expect.poll(adapted, { intervals: [10] }).toBe(1);
});

test("D8 U1 arrows and dots work by keyboard; slides out of view can't be reached; only the person's own actions are announced", async ({
  page,
  brandUrl,
  axe,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const root = await openWithClock(page, brandUrl(BRAND), "offers");
  await expect(root).toHaveRole("region");
  await expect(root).toHaveAccessibleName("Popular now");
  await expect(root.locator(".carousel-slide").first()).toHaveAccessibleName("1 of 8");
  expect(await slidesInView(root)).toEqual([1, 2, 3, 4]);
  await expect(root.getByRole("status")).toHaveText("");

  await root.getByRole("button", { name: "Pause" }).focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(root.getByRole("button", { name: "Next" })).toBeFocused();
  await page.keyboard.press("Enter");
  expect(await slidesInView(root)).toEqual([5, 6, 7, 8]);
  await expect(root.getByRole("status")).toHaveText("5 to 8 of 8");
  await page.clock.runFor(1_000);
  await page.keyboard.press("Tab");
  await expect(root.locator(".carousel-slide").nth(4).getByRole("link")).toBeFocused();

  const dots = root.getByRole("group", { name: "Choose what to show" }).getByRole("button");
  await expect(dots).toHaveCount(2);
  await dots.first().focus();
  await page.keyboard.press("Space");
  expect(await slidesInView(root)).toEqual([1, 2, 3, 4]);
  await expect(dots.first()).toHaveAttribute("aria-current", "true");
  await page.locator("#search-field").focus();
  await root.evaluate((element) => element.scrollIntoView({ block: "center" }));
  await page.clock.runFor(8_000);
  expect(await slidesInView(root)).toEqual([5, 6, 7, 8]);
  await expect(root.getByRole("status")).toHaveText("1 to 4 of 8");
  await page.clock.resume();
  await axe(page);
});

test.describe("by finger", () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } });

  test("D8 a swipe counts from 40 px on, and the page still scrolls over the carousel", async ({
    page,
    context,
    brandUrl,
  }) => {
    const root = await openWithClock(page, brandUrl(BRAND), "offers");
    await root.getByRole("button", { name: "Pause" }).click();
    const touch = await context.newCDPSession(page);
    expect(await slidesInView(root)).toEqual([1]);
    await swipe(page, touch, root, { x: -39, y: 0 });
    expect(await slidesInView(root)).toEqual([1]);
    await swipe(page, touch, root, { x: -41, y: 0 });
    expect(await slidesInView(root)).toEqual([2]);
    await swipe(page, touch, root, { x: 39, y: 0 });
    expect(await slidesInView(root)).toEqual([2]);
    await swipe(page, touch, root, { x: 41, y: 0 });
    expect(await slidesInView(root)).toEqual([1]);
    await swipe(page, touch, root, { x: -45, y: 120 });
    expect(await slidesInView(root)).toEqual([1]);
    expect(page.url()).toBe(brandUrl(BRAND));
  });
});

async function swipe(page: Page, touch: CDPSession, root: Locator, by: { x: number; y: number }): Promise<void> {
  const box = (await root.locator(".carousel-viewport").boundingBox())!;
  const from = { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) };
  const at = (share: number) => [{ x: from.x + Math.round(by.x * share), y: from.y + Math.round(by.y * share) }];
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(0) });
  for (const share of [0.25, 0.5, 0.75, 1]) {
    await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(share) });
    await page.clock.runFor(30);
  }
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await page.clock.runFor(1_500);
}

test.describe("without client script", () => {
  test.use({ noScript: true });

  test("P8 D8 without script a carousel is a scrollable row of the same size, without useless buttons", async ({
    page,
    brandUrl,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(brandUrl(BRAND));
    const root = carousel(page, "offers");
    await expect(root.getByRole("button", { name: "Next" })).toBeHidden();
    const row = await root.locator(".carousel-viewport").evaluate((element) => {
      element.scrollLeft = 300;
      const { scrollSnapType, overflowX } = getComputedStyle(element);
      return { scrollSnapType, overflowX, canMove: element.scrollWidth > element.clientWidth * 7 };
    });
    expect(row).toEqual({ scrollSnapType: "x mandatory", overflowX: "auto", canMove: true });
    await expect(root.locator("[inert]")).toHaveCount(0);
    await expect(root.getByRole("link")).toHaveCount(8);
  });
});

test("T5 if the carousel's script can't be loaded, the error names the part and address, and the row stays scrollable", async ({
  page,
  brandUrl,
}) => {
  const said: string[] = [];
  page.on("console", (message) => message.type() === "error" && said.push(message.text()));
  await page.route(/\/assets\/embla/, (route) => route.abort());
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(brandUrl(BRAND));
  await carousel(page, "offers").scrollIntoViewIfNeeded();
  await expect
    .poll(() => said.join("\n"))
    .toMatch(/Loading chunk 2 failed\s+\(error: http:\/\/\S+\/assets\/embla\S+\.js\)/);
  await expect(carousel(page, "offers").getByRole("link").first()).toBeVisible();
  await expect(carousel(page, "offers").getByRole("button", { name: "Next" })).toBeHidden();
});

test("D8 U3 nothing shifts when the carousels' script loads", async ({ page, brandUrl }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) shifts.push(entry.value);
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(brandUrl(BRAND));
  await expect(carousel(page, "offers")).toHaveAttribute("data-moves", "");
  const shifted = await page.evaluate(() =>
    (window as unknown as { shifts: number[] }).shifts.reduce((a, b) => a + b, 0),
  );
  expect(shifted).toBeLessThanOrEqual(0.02);
});
