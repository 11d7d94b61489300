import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./support/fixtures.ts";
import { knownOffer } from "./support/known-offer.ts";
import { readyForScript } from "./support/ready-for-script.ts";
import { choose } from "./support/sent-events.ts";

// Without animations, panels are checked in their final state.
test.use({ contextOptions: { reducedMotion: "reduce" } });

const wide = { width: 1280, height: 800 };
const narrow = { width: 375, height: 720 };
const LONG_PAGE = "/retailers";

/** Returns the attributes of <html> that styles depend on (D6). */
const states = (page: Page) =>
  page.evaluate(() => {
    const { search, overlay, header, headerMenu, mainNav } = document.documentElement.dataset;
    return { search, overlay, header, headerMenu, mainNav };
  });
const closed = { search: "closed", overlay: "closed", header: "inactive", headerMenu: "inactive", mainNav: "inactive" };
const sectionOf = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("button", { name, exact: true });
const field = (page: Page) => page.getByLabel("Search", { exact: true });
/** Scrolls, and waits until the page's listeners have handled it. */
const scrollTo = (page: Page, y: number) =>
  page.evaluate(
    (to) =>
      new Promise<void>((done) => {
        if (window.scrollY === to) return done();
        const onScroll = () => {
          if (window.scrollY !== to) return;
          removeEventListener("scroll", onScroll);
          done();
        };
        addEventListener("scroll", onScroll);
        window.scrollTo(0, to);
      }),
    y,
  );

async function openAt(page: Page, url: string, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await page.goto(url);
  await readyForScript(page.locator("#search-field"));
}
async function middleOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error("Not on the page.");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

test.describe("desktop", () => {
  test("D6 a mouse that rests on a section for 150 ms opens its panel; passing over it does not, and crossing another section on the way to the panel does not switch", async ({
    page,
    brandUrl,
  }) => {
    await page.clock.install();
    await openAt(page, brandUrl("chalkside", LONG_PAGE), wide);
    const fashion = sectionOf(page, "Fashion");
    await expect(fashion).toHaveAttribute("aria-expanded", "false");
    await page.clock.pauseAt(Date.now() + 600_000);
    const at = await middleOf(fashion);

    await page.mouse.move(at.x, at.y);
    await page.clock.runFor(149);
    await expect(fashion).toHaveAttribute("aria-expanded", "false");
    expect(await states(page)).toEqual(closed);
    await page.clock.runFor(1);
    await expect(fashion).toHaveAttribute("aria-expanded", "true");
    await expect(page.getByRole("link", { name: "All women’s fashion" })).toBeVisible();
    await expect
      .poll(() => states(page))
      .toEqual({ ...closed, overlay: "open", header: "active", headerMenu: "active" });

    // Moving along the row opens the next panel at once.
    const travel = sectionOf(page, "Travel");
    const next = await middleOf(travel);
    await page.mouse.move(next.x, next.y, { steps: 4 });
    await page.clock.runFor(0);
    await expect(travel).toHaveAttribute("aria-expanded", "true");
    await expect(fashion).toHaveAttribute("aria-expanded", "false");

    // Diagonally down to the panel, over a neighbour: the open panel stays for 300 ms.
    const own = (await travel.boundingBox())!;
    const neighbour = (await sectionOf(page, "Health and sport").boundingBox())!;
    await page.mouse.move(own.x + own.width - 4, own.y + 4);
    await page.mouse.move(neighbour.x + 6, own.y + 26, { steps: 12 });
    await page.clock.runFor(299);
    await expect(travel).toHaveAttribute("aria-expanded", "true");
    await page.mouse.move(neighbour.x + 10, neighbour.y + 120, { steps: 6 });
    await page.clock.runFor(1_000);
    await expect(travel).toHaveAttribute("aria-expanded", "true");

    // It closes 300 ms after the mouse has left.
    await page.mouse.move(640, 790);
    await page.clock.runFor(299);
    await expect(travel).toHaveAttribute("aria-expanded", "true");
    await page.clock.runFor(1);
    await expect(travel).toHaveAttribute("aria-expanded", "false");
    await expect.poll(() => states(page)).toEqual(closed);
  });

  test("D6 a press opens a panel and keeps it open; a press outside, Escape and scrolling to 200 px close it", async ({
    page,
    brandUrl,
  }) => {
    await page.clock.install();
    await openAt(page, brandUrl("chalkside", LONG_PAGE), wide);
    const fashion = sectionOf(page, "Fashion");
    await expect(fashion).toHaveAttribute("aria-expanded", "false");
    // With the clock paused, only the press opens the panel, not a resting mouse.
    await page.clock.pauseAt(Date.now() + 600_000);
    await fashion.click();
    await expect(fashion).toHaveAttribute("aria-expanded", "true");
    expect(new URL(page.url()).pathname).toBe(LONG_PAGE);

    await scrollTo(page, 199);
    await expect(fashion).toHaveAttribute("aria-expanded", "true");
    await scrollTo(page, 200);
    await expect(fashion).toHaveAttribute("aria-expanded", "false");
    await expect.poll(() => states(page)).toEqual(closed);

    await scrollTo(page, 0);
    await fashion.click();
    await expect(fashion).toHaveAttribute("aria-expanded", "true");
    await page.mouse.click(640, 780);
    await expect(fashion).toHaveAttribute("aria-expanded", "false");
    expect(new URL(page.url()).pathname).toBe(LONG_PAGE);

    await fashion.click();
    await page.keyboard.press("Escape");
    await expect(fashion).toHaveAttribute("aria-expanded", "false");
    await expect(fashion).toBeFocused();

    await fashion.click();
    await page.getByRole("link", { name: "All shoes & bags" }).click();
    await page.waitForURL(/\/categories\/shoes-and-bags$/);
  });

  test("D6 U1 the menu works with the keyboard alone: arrows along the row and into the panel, Home, End, Tab and Escape", async ({
    page,
    brandUrl,
  }) => {
    await openAt(page, brandUrl("chalkside", LONG_PAGE), wide);
    await sectionOf(page, "Books and gifts").focus();
    await page.keyboard.press("ArrowRight");
    await expect(sectionOf(page, "Fashion")).toBeFocused();
    await page.keyboard.press("End");
    await expect(
      page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "All retailers" }),
    ).toBeFocused();
    await page.keyboard.press("ArrowRight");
    await expect(sectionOf(page, "Books and gifts")).toBeFocused();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");

    const fashion = sectionOf(page, "Fashion");
    for (const key of ["Enter", "Space"]) {
      await page.keyboard.press(key);
      await expect(fashion).toHaveAttribute("aria-expanded", "true");
      await expect(fashion).toBeFocused();
      await page.keyboard.press(key);
      await expect(fashion).toHaveAttribute("aria-expanded", "false");
    }

    await page.keyboard.press("ArrowDown");
    const panel = page.locator(`#${await fashion.getAttribute("aria-controls")}`);
    await expect(panel.getByRole("link").first()).toBeFocused();
    await page.keyboard.press("ArrowDown");
    await expect(panel.getByRole("link").nth(1)).toBeFocused();
    await page.keyboard.press("End");
    await expect(panel.getByRole("link").last()).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(fashion).toBeFocused();
    await expect(panel).toBeHidden();

    // Tab moves through the panel in order; leaving the panel closes it.
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await expect(panel.getByRole("link").first()).toBeFocused();
    await panel.getByRole("link").last().focus();
    await page.keyboard.press("Tab");
    await expect(sectionOf(page, "Home and garden")).toBeFocused();
    await page.keyboard.press("Tab");
    await sectionOf(page, "Home and garden").press("Shift+Tab");
    await page.locator("#main").focus();
    await expect(panel).toBeHidden();
  });

  test("D6 the search closes on scrolling to 200 px, a press outside and Escape; menu and search are never open together", async ({
    page,
    brandUrl,
  }) => {
    await openAt(page, brandUrl("chalkside", LONG_PAGE), wide);
    await field(page).click();
    await expect.poll(() => states(page)).toEqual({ ...closed, search: "open", overlay: "open", header: "active" });
    await scrollTo(page, 199);
    await expect(page.getByRole("listbox", { name: "Suggestions" })).toBeVisible();
    await scrollTo(page, 200);
    await expect(page.getByRole("listbox", { name: "Suggestions" })).toBeHidden();
    await scrollTo(page, 0);

    await field(page).click();
    await sectionOf(page, "Fashion").click();
    await expect
      .poll(() => states(page))
      .toEqual({ ...closed, overlay: "open", header: "active", headerMenu: "active" });
    await field(page).click();
    await expect.poll(() => states(page)).toEqual({ ...closed, search: "open", overlay: "open", header: "active" });
    await page.mouse.click(100, 780);
    await expect.poll(() => states(page)).toEqual(closed);
    await field(page).click();
    await page.keyboard.press("Escape");
    await expect.poll(() => states(page)).toEqual(closed);
    await expect(field(page)).toBeFocused();
  });

  test.describe("touched", () => {
    test.use({ hasTouch: true });

    test("D6 D9 a tap opens a section, another tap opens another, and a link in it is followed", async ({
      page,
      brandUrl,
    }) => {
      await openAt(page, brandUrl("chalkside", LONG_PAGE), { width: 1024, height: 768 });
      await sectionOf(page, "Fashion").tap();
      await expect(sectionOf(page, "Fashion")).toHaveAttribute("aria-expanded", "true");
      await sectionOf(page, "Travel").tap();
      await expect(sectionOf(page, "Travel")).toHaveAttribute("aria-expanded", "true");
      await expect(sectionOf(page, "Fashion")).toHaveAttribute("aria-expanded", "false");
      await sectionOf(page, "Travel").tap();
      await expect(sectionOf(page, "Travel")).toHaveAttribute("aria-expanded", "false");
      await sectionOf(page, "Travel").tap();
      await page.getByRole("link", { name: "Hotels & UK breaks", exact: true }).first().tap();
      await page.waitForURL(/\/categories\/hotels-and-uk-breaks$/);
    });
  });
});

test.describe("suggestions", () => {
  test("D2 D6 typing suggests retailers, categories and offers; arrows choose, Enter opens, and the device remembers searches", async ({
    page,
    brandUrl,
  }) => {
    await openAt(page, brandUrl("chalkside", LONG_PAGE), wide);
    const list = page.getByRole("listbox", { name: "Suggestions" });
    await field(page).click();
    await expect(field(page)).toHaveRole("combobox");
    await expect(list.getByRole("group", { name: "Browse" }).getByRole("option").first()).toBeVisible();
    await page.keyboard.type("shoe");
    await expect(
      list.getByRole("group", { name: "Categories" }).getByRole("option", { name: /Shoes & bags/ }),
    ).toBeVisible();
    await expect(list.locator("mark").first()).toHaveText(/^shoe$/i);
    await expect(page.getByRole("status").filter({ hasText: /^\d+ suggestions$/ })).toBeAttached();

    await field(page).fill("fernhollow b");
    const boots = list.getByRole("group", { name: "Retailers" }).getByRole("option", { name: "Fernhollow Boots" });
    await expect(list).toHaveAttribute("aria-busy", "false");
    await expect(boots).toBeVisible();
    await page.keyboard.press("ArrowDown");
    await expect(boots).toHaveAttribute("aria-selected", "true");
    await expect(field(page)).toHaveAttribute("aria-activedescendant", (await boots.getAttribute("id")) ?? "");
    await expect(field(page)).toBeFocused();
    await page.keyboard.press("ArrowUp");
    await expect(field(page)).not.toHaveAttribute("aria-activedescendant");
    await page.keyboard.press("ArrowUp");
    await expect(list.getByRole("option", { name: "See all results for “fernhollow b”" })).toHaveAttribute(
      "aria-selected",
      "true",
    );
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/search\?q=fernhollow%20b$/);
    await expect(field(page)).toHaveValue("fernhollow b");

    await openAt(page, brandUrl("chalkside", LONG_PAGE), wide);
    await field(page).click();
    const recent = list.getByRole("group", { name: "Recent searches" }).getByRole("option");
    await expect(recent).toHaveText(["fernhollow b"]);
    await page.getByRole("button", { name: "Clear recent searches" }).click();
    await expect(recent).toHaveCount(0);
    await page.reload();
    await readyForScript(field(page));
    await field(page).click();
    await expect(list.getByRole("option").first()).toBeVisible();
    await expect(recent).toHaveCount(0);
  });

  test("D6 U1 a field low on the screen has its suggestions above it, and all of them can be reached", async ({
    page,
    brandUrl,
  }) => {
    const short = { width: 1280, height: 640 };
    await openAt(page, brandUrl("chalkside"), short);
    await field(page).click();
    await field(page).fill("boots");
    const all = page.getByRole("option", { name: "See all results for “boots”" });
    await expect(all).toBeAttached();
    // Wait for the complete list: a later response makes it taller.
    await expect(page.getByRole("listbox", { name: "Suggestions" })).toHaveAttribute("aria-busy", "false");
    await page.keyboard.press("ArrowUp");
    await expect(all).toHaveAttribute("aria-selected", "true");
    // Scrolling stops at whole pixels, so a fraction of a pixel may be cut off.
    await expect(all).toBeInViewport({ ratio: 0.99 });
    const list = await page.locator(".search-panel").boundingBox();
    expect(list?.y).toBeGreaterThanOrEqual(0);
    expect((list?.y ?? 0) + (list?.height ?? 0)).toBeLessThanOrEqual(short.height);
    await expect(page.locator("#search-field")).toBeInViewport();
  });

  test("D6 U1 an option chosen before the response arrives stays chosen, even if the response does not have it", async ({
    page,
    brandUrl,
  }) => {
    const shop = (name: string) => ({ name, path: `/retailers/${name.toLowerCase().replaceAll(" ", "-")}` });
    const answers: Record<string, string[]> = {
      fern: ["Fern Barn", "Fern Boots", "Fern Books"],
      "fern boo": ["Fern Books", "Fern Boots"],
      "fern boa": ["Fern Boats"],
    };
    const held = new Map<string, () => void>();
    await page.route("**/api/suggestions?*", async (route) => {
      const query = new URL(route.request().url()).searchParams.get("q") ?? "";
      if (query !== "fern") await new Promise<void>((release) => held.set(query, release));
      const retailers = answers[query]?.map(shop);
      await route.fulfill(retailers ? { json: { retailers, categories: [], offers: [] } } : { status: 500, body: "" });
    });
    // Records which response the page has read.
    await page.addInitScript(() => {
      const ask = window.fetch;
      window.fetch = async (...request) => {
        const answer = await ask(...request);
        const query = new URL(answer.url).searchParams.get("q");
        if (query)
          void answer
            .clone()
            .text()
            .then(() => sessionStorage.setItem("answered", query));
        return answer;
      };
    });
    await openAt(page, brandUrl("chalkside", LONG_PAGE), wide);
    const list = page.getByRole("listbox", { name: "Suggestions" });
    const option = (name: string) => list.getByRole("option", { name, exact: true });
    const expectChosen = async (name: string) => {
      await expect(option(name)).toHaveAttribute("aria-selected", "true");
      await expect(list.locator("[aria-selected=true]")).toHaveCount(1);
      await expect(field(page)).toHaveAttribute("aria-activedescendant", (await option(name).getAttribute("id")) ?? "");
    };
    const answer = async (query: string) => {
      await expect.poll(() => held.has(query)).toBe(true);
      held.get(query)?.();
      await expect.poll(() => page.evaluate(() => sessionStorage.getItem("answered"))).toBe(query);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    };
    await field(page).click();
    await page.keyboard.type("fern");
    await expect(option("Fern Boots")).toBeVisible();

    // The response has the option, in another place.
    await page.keyboard.type(" boo");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await expectChosen("Fern Boots");
    await answer("fern boo");
    await expect(list.getByRole("option")).toHaveText(["Fern Books", "Fern Boots", "See all results for “fern boo”"]);
    await page.keyboard.press("ArrowUp");
    await expectChosen("Fern Books");

    // The response does not have it: the list stays until the person is back in the field.
    await page.keyboard.press("Backspace");
    await page.keyboard.type("a");
    await page.keyboard.press("ArrowDown");
    await expectChosen("Fern Books");
    await answer("fern boa");
    await expectChosen("Fern Books");
    await page.keyboard.press("ArrowUp");
    await expect(list.getByRole("option")).toHaveText(["Fern Boats", "See all results for “fern boa”"]);
    await expect(field(page)).not.toHaveAttribute("aria-activedescendant");

    // No response: the same.
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Backspace");
    await page.keyboard.type("ro");
    await page.keyboard.press("ArrowUp");
    await expectChosen("See all results for “fern bro”");
    await answer("fern bro");
    await expectChosen("See all results for “fern bro”");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/search\?q=fern%20bro$/);
  });

  test("D6 the server is asked once typing pauses for 150 ms; a late response is dropped; an empty response and a failure are shown", async ({
    page,
    brandUrl,
  }) => {
    const asked: string[] = [];
    let releaseSlow = () => {};
    await page.route("**/api/suggestions?*", async (route) => {
      const query = new URL(route.request().url()).searchParams.get("q") ?? "";
      asked.push(query);
      const offers = [{ title: `An offer for ${query}`, headline: "1%", retailer: "R", path: "/offers/x?offer=y" }];
      if (query === "slow") await new Promise<void>((release) => (releaseSlow = release));
      if (query === "broken") return route.fulfill({ status: 500, body: "" });
      const none = query === "nothing";
      await route.fulfill({ json: { retailers: [], categories: [], offers: none ? [] : offers } }).catch(() => {});
    });
    await page.clock.install();
    await openAt(page, brandUrl("chalkside", LONG_PAGE), wide);
    // The suggestions' script loads when the field is pressed: until then nothing measures the pause.
    await field(page).click();
    await expect(field(page)).toHaveRole("combobox");
    await page.clock.pauseAt(Date.now() + 600_000);
    await field(page).fill("s");
    await page.clock.runFor(100);
    await field(page).fill("slow");
    await page.clock.runFor(149);
    expect(asked).toEqual([]);
    await page.clock.runFor(1);
    await expect.poll(() => asked).toEqual(["slow"]);

    await field(page).fill("quick");
    await page.clock.runFor(150);
    const list = page.getByRole("listbox", { name: "Suggestions" });
    await expect(list.getByRole("option", { name: "An offer for quick" })).toBeVisible();
    releaseSlow();
    await field(page).fill("nothing");
    await page.clock.runFor(150);
    await expect(page.getByText("No shop, category or offer begins like that.")).toBeVisible();
    await expect(list.getByRole("option")).toHaveText(["See all results for “nothing”"]);
    await expect(page.getByText("An offer for slow")).toHaveCount(0);
    await field(page).fill("broken");
    await page.clock.runFor(150);
    await expect(page.locator(".search-panel-note")).toHaveText(/^Suggestions can’t be had just now/);
    await expect(page.getByRole("status").filter({ hasText: "Suggestions can’t be had just now" })).toHaveCount(1);
    expect(asked).toEqual(["slow", "quick", "nothing", "broken"]);
  });

  test("U3 T5 a page for browsing loads no suggestions and no React until the search is touched; a failed load is tried again, and what is typed meanwhile gets suggestions", async ({
    page,
    brandUrl,
  }) => {
    const held: (() => void)[] = [];
    let failures = 0;
    await page.route("**/assets/mount-suggestions-*.js", async (route) => {
      if (failures++ === 0) return route.abort();
      await new Promise<void>((release) => held.push(release));
      await route.continue();
    });
    await openAt(page, brandUrl("chalkside", LONG_PAGE), wide);
    const loaded = () =>
      page.evaluate(() =>
        performance
          .getEntriesByType("resource")
          .flatMap(({ name }) => /\/assets\/(entry\.client|framework|mount-suggestions)/.exec(name)?.[1] ?? []),
      );
    expect(await loaded()).toEqual(["entry.client"]);

    const failed = page.waitForEvent("console", (message) => message.text().startsWith("Loading chunk 1 failed"));
    await field(page).hover();
    await failed;
    await page.mouse.move(640, 700);
    await field(page).click();
    await expect(field(page)).toHaveRole("searchbox");
    await page.keyboard.type("fernhollow");
    await expect.poll(() => held.length).toBe(1);
    held[0]?.();
    await expect(page.getByRole("option", { name: "Fernhollow Boots" }).first()).toBeVisible();
    await expect(field(page)).toHaveValue("fernhollow");
    expect(await loaded()).toContain("framework");
  });
});

test.describe("narrow windows", () => {
  test("D6 D9 the menu is a sheet of three levels, each with a name and a back button, and the focus follows", async ({
    page,
    brandUrl,
  }) => {
    await openAt(page, brandUrl("chalkside", LONG_PAGE), narrow);
    const menu = page.getByRole("button", { name: "Menu", exact: true });
    await menu.click();
    await expect.poll(() => states(page)).toEqual({ ...closed, overlay: "open", header: "active", mainNav: "active" });
    await expect(page.locator(".site-menu-title")).toBeFocused();

    // Nothing else can be focused or scrolled.
    for (let press = 0; press < 14; press += 1) {
      await page.keyboard.press("Tab");
      const isOutside = await page.evaluate(
        () => document.activeElement !== document.body && !document.activeElement?.closest("#site-menu"),
      );
      expect(isOutside).toBe(false);
    }
    await page.mouse.move(20, 400);
    await page.mouse.wheel(0, 600);
    expect(await page.evaluate(() => window.scrollY)).toBe(0);

    const fashion = sectionOf(page, "Fashion");
    await fashion.click();
    await expect(
      page.getByRole("navigation", { name: "Main" }).getByRole("heading", { name: "Fashion", exact: true }),
    ).toBeFocused();
    await expect(fashion).toBeHidden();
    await page.getByRole("button", { name: "Women’s fashion" }).click();
    await expect(page.getByRole("heading", { name: "Women’s fashion" })).toBeFocused();
    await expect(page.getByRole("link", { name: "All women’s fashion" })).toBeVisible();
    await page.getByRole("button", { name: "Back to Fashion" }).click();
    await expect(page.getByRole("button", { name: "Women’s fashion" })).toBeFocused();
    await page.getByRole("button", { name: "Back to Menu" }).click();
    await expect(fashion).toBeFocused();

    await page.keyboard.press("Escape");
    await expect.poll(() => states(page)).toEqual(closed);
    await expect(menu).toBeFocused();

    // It opens at its first level again, and a press outside closes it.
    await page.setViewportSize({ width: 1023, height: 720 });
    await menu.click();
    await fashion.click();
    await page.mouse.click(100, 500);
    await expect.poll(() => states(page)).toEqual(closed);
    await menu.click();
    await expect(fashion).toBeVisible();
    await page.getByRole("button", { name: "Close menu" }).click();
    await expect.poll(() => states(page)).toEqual(closed);
    await menu.click();
    await fashion.click();
    await page.getByRole("button", { name: "Shoes & bags" }).click();
    await page.getByRole("link", { name: "All shoes & bags" }).click();
    await page.waitForURL(/\/categories\/shoes-and-bags$/);
  });

  test("P8 D6 a sheet that is opened before the script has loaded is taken over as it is", async ({
    page,
    brandUrl,
  }) => {
    let release = () => {};
    const held = new Promise<void>((go) => (release = go));
    await page.route("**/assets/entry.client-*.js", async (route) => {
      await held;
      await route.continue();
    });
    await page.setViewportSize(narrow);
    await page.goto(brandUrl("chalkside", LONG_PAGE), { waitUntil: "commit" });
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    const main = page.getByRole("navigation", { name: "Main" });
    await expect(main.getByRole("link", { name: "Fashion", exact: true })).toBeVisible();
    release();
    await expect(page.locator(".site-menu-title")).toBeFocused();
    await expect.poll(() => states(page)).toEqual({ ...closed, overlay: "open", header: "active", mainNav: "active" });
    await sectionOf(page, "Fashion").click();
    await expect(main.getByRole("button", { name: "Back to Menu" })).toBeVisible();
  });

  test.describe("touched", () => {
    test.use({ hasTouch: true, isMobile: true });

    test("D6 the search moves to the top of the screen, and closes on scrolling or a press outside", async ({
      page,
      brandUrl,
    }) => {
      await openAt(page, brandUrl("chalkside", LONG_PAGE), narrow);
      await field(page).tap();
      await expect(page.getByRole("listbox", { name: "Suggestions" })).toBeVisible();
      expect((await page.locator("#search-field").boundingBox())?.y).toBeLessThan(40);
      await scrollTo(page, 40);
      await expect.poll(() => states(page)).toEqual(closed);
      await scrollTo(page, 0);
      await field(page).tap();
      await page.touchscreen.tap(180, 700);
      await expect.poll(() => states(page)).toEqual(closed);
      await field(page).tap();
      await field(page).fill("boots");
      await page.getByRole("option", { name: "Fernhollow Boots" }).first().tap();
      await page.waitForURL(/\/(retailers|offers)\//);
    });
  });
});

test("D6 back to top appears below one screen height, checked once a second; it scrolls up and moves the focus", async ({
  page,
  brandUrl,
}) => {
  await page.clock.install();
  await openAt(page, brandUrl("chalkside", LONG_PAGE), wide);
  await page.clock.pauseAt(Date.now() + 600_000);
  const up = page.getByRole("link", { name: "Back to top" });
  await expect(up).toBeHidden();
  await scrollTo(page, 800);
  await expect(up).toBeHidden();
  await scrollTo(page, 801);
  await page.clock.runFor(999);
  await expect(up).toBeHidden();
  await page.clock.runFor(1);
  await expect(up).toBeVisible();
  await up.click();
  await page.waitForFunction(() => window.scrollY === 0);
  await expect(page.locator("#site-header")).toBeFocused();
  await page.clock.runFor(1_000);
  await expect(up).toBeHidden();
});

test("D6 the banner, once closed, stays closed on every page, and a tooltip opens and closes at its button", async ({
  page,
  brandUrl,
}) => {
  await choose(page.context(), brandUrl("chalkside"), "none"); // the announcement waits for the answer
  await openAt(page, brandUrl("chalkside", LONG_PAGE), wide);
  const banner = page.getByRole("complementary", { name: "Announcement" });
  await banner.getByRole("button", { name: "Close announcement" }).click();
  await expect(banner).toBeHidden();
  await page.goto(brandUrl("chalkside"));
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(banner).toBeHidden();
  expect((await page.context().cookies()).map(({ name }) => name)).toEqual(["farthing_consent"]);

  const about = page.getByRole("button", { name: "About cashback" });
  const words = page.locator("#about-cashback");
  for (const close of [() => about.click(), () => page.keyboard.press("Escape"), () => page.mouse.click(5, 5)]) {
    await about.click();
    await expect(words).toBeVisible();
    await close();
    await expect(words).toBeHidden();
  }
});

test("U1 a dialog closes on a press outside, not on a drag that ends there, stops the page from scrolling and tells styles so", async ({
  page,
  brandUrl,
}) => {
  await page.setViewportSize(wide);
  await page.goto(brandUrl("chalkside", (await knownOffer("app")).path));
  const opener = page.getByRole("link", { name: "Use it in the app" });
  await readyForScript(opener);
  await opener.click();
  const dialog = page.getByRole("dialog", { name: "Open it on your phone" });
  await expect(dialog).toBeFocused();
  await expect(page.locator("[data-modal-wrap=active]")).toHaveCount(1);
  await page.mouse.wheel(0, 400);
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  const title = await middleOf(dialog.getByRole("heading"));
  await page.mouse.move(title.x, title.y);
  await page.mouse.down();
  await page.mouse.move(10, 10);
  await page.mouse.up();
  await expect(dialog).toBeVisible();
  await page.mouse.click(10, 10);
  await expect(dialog).toHaveCount(0);
  await expect(opener).toBeFocused();
  await expect(page.locator("[data-modal-wrap=active]")).toHaveCount(0);
});

test.describe("without client script", () => {
  test.use({ noScript: true });

  test("P8 D6 the menu opens on hover and focus, its entries are links, and the banner stays closed", async ({
    page,
    brandUrl,
  }) => {
    await page.setViewportSize(wide);
    await page.goto(brandUrl("chalkside", "/search?q=boots&sort=newest"));
    const main = page.getByRole("navigation", { name: "Main" });
    const all = page.getByRole("link", { name: "All women’s fashion" });
    await expect(all).toBeHidden();
    await main.getByRole("link", { name: "Fashion", exact: true }).focus();
    await expect(all).toBeVisible();
    await page.getByRole("banner").getByRole("link").first().focus();
    await main.getByRole("link", { name: "Travel", exact: true }).hover();
    await expect(page.getByRole("link", { name: "All hotels & UK breaks" })).toBeVisible();
    await expect(all).toBeHidden();

    const banner = page.getByRole("complementary", { name: "Announcement" });
    await page.getByRole("button", { name: "Refuse all" }).click();
    await banner.getByRole("button", { name: "Close announcement" }).click();
    await page.waitForURL(/\/search\?q=boots&sort=newest$/);
    await expect(banner).toHaveCount(0);
    await page.goto(brandUrl("chalkside", LONG_PAGE));
    await expect(banner).toHaveCount(0);

    await main.getByRole("link", { name: "Fashion", exact: true }).click();
    await page.waitForURL(/\/categories\/womens-fashion$/);
  });

  test("P8 D6 D9 in a narrow window the menu button shows links of two levels, and the link to the top is in the footer", async ({
    page,
    brandUrl,
  }) => {
    await page.setViewportSize(narrow);
    await page.goto(brandUrl("chalkside", LONG_PAGE));
    await page.getByRole("link", { name: "Back to top" }).click();
    await expect(page.getByRole("banner")).toBeInViewport();
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    await page
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: "Men’s fashion", exact: true })
      .click();
    await page.waitForURL(/\/categories\/mens-fashion$/);
    await field(page).fill("boots");
    await field(page).press("Enter");
    await page.waitForURL(/\/search\?q=boots$/);
  });
});

for (const [brand, colorScheme] of [
  ["chalkside", "light"],
  ["freshledge", "dark"],
] as const) {
  test(`U1 axe finds nothing serious on ${brand}, ${colorScheme}, with the menu, the sheet and the search open`, async ({
    page,
    brandUrl,
    axe,
    validHtml,
  }) => {
    await page.emulateMedia({ colorScheme });
    await openAt(page, brandUrl(brand, "/login"), wide);
    await validHtml(page, brandUrl(brand, "/login"));
    // A button once the page's script has taken over the menu; a link until then.
    const section = page.locator(".menu-trigger[aria-expanded]").first();
    await section.click();
    await expect(page.locator(".menu-panel").first()).toBeVisible();
    await axe(page);
    await field(page).click();
    await field(page).fill("fern");
    await expect(page.getByRole("option", { name: "Fernhollow Boots" }).first()).toBeVisible();
    await page.keyboard.press("ArrowDown");
    await axe(page);
    await openAt(page, brandUrl(brand, "/login"), { width: 320, height: 640 });
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    await section.click();
    await expect(page.getByRole("button", { name: "Back to Menu" })).toBeVisible();
    await axe(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  });
}
