import { coveredFocus } from "./support/covered-focus.ts";
import { staysWithFocusIn } from "./support/stays-with-focus-in.ts";
import { expect, test } from "./support/fixtures.ts";
import { readyForScript } from "./support/ready-for-script.ts";
import { choose } from "./support/sent-events.ts";

const HOSTILE = `<script>alert(1)</script>'";--`;

test("D2 a query of markup, quotes and SQL is shown as text and has no effect", async ({ page, brandUrl }) => {
  const dialogs: string[] = [];
  page.on("dialog", async (dialog) => {
    dialogs.push(dialog.message());
    await dialog.dismiss();
  });
  await page.goto(brandUrl("chalkside"));
  await page.getByLabel("Search", { exact: true }).fill(HOSTILE);
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === "/search");
  await page.getByLabel("Search", { exact: true }).press("Enter");
  const response = await answered;
  expect(response.status()).toBe(200);
  expect(await response.text()).not.toContain("<script>alert(1)");

  const field = page.getByLabel("Search", { exact: true });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Results for “${HOSTILE}”`);
  await expect(field).toHaveValue(HOSTILE);
  await readyForScript(field);
  await expect(page).toHaveTitle(/<script>alert\(1\)<\/script>'";--/);
  expect(dialogs).toEqual([]);
});

test("D4 the text of a category is collapsed to 43 px, and Read more and Read less open and close it", async ({
  page,
  brandUrl,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(brandUrl("chalkside", "/categories/shoes-and-bags"));
  const more = page.getByRole("button", { name: "Read more" });
  await readyForScript(more);
  const text = page.locator(".collapsible-text-body");
  const height = async () => (await text.boundingBox())?.height ?? 0;
  const whole = await text.evaluate((element) => element.scrollHeight);
  expect(whole).toBeGreaterThan(43);
  expect(await height()).toBe(43);
  await expect(more).toHaveAttribute("aria-expanded", "false");

  await more.click();
  const less = page.getByRole("button", { name: "Read less" });
  await expect(less).toHaveAttribute("aria-expanded", "true");
  await expect(less).toBeFocused();
  expect(await height()).toBeGreaterThanOrEqual(whole);

  await less.click();
  await expect(more).toBeVisible();
  expect(await height()).toBe(43);
});

test("D1 each brand's home page has its own order of the same sections", async ({ page, brandUrl }) => {
  const sections = async (brand: string) => {
    await page.goto(brandUrl(brand));
    return page.locator("main h2").allInnerTexts();
  };
  const teachers = await sections("chalkside");
  const students = await sections("freshledge");
  expect(teachers.slice(0, 2)).toEqual(["Popular now", "Books and gifts"]);
  expect(students.slice(0, 3)).toEqual(["Popular now", "Browse by category", "Tech"]);
  for (const shown of [teachers, students])
    expect(shown).toEqual(
      expect.arrayContaining(["Popular now", "Cashback at", "Browse by category", "Just in", "Ending soon"]),
    );
});

test("D7 the logo grid has 3, 4, 6 or 7 columns and few rows, until View more shows the rest and View less hides it", async ({
  page,
  brandUrl,
  axe,
}) => {
  await page.goto(brandUrl("chalkside"));
  const grid = page.locator(".logo-grid");
  const tiles = grid.getByRole("listitem");
  const columns = () =>
    grid.getByRole("list").evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(" ").length);
  for (const [width, count, shown] of [
    [639, 3, 12],
    [640, 4, 12],
    [767, 4, 12],
    [768, 6, 18],
    [1023, 6, 18],
    [1024, 7, 21],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    expect(await columns(), `columns at ${width}`).toBe(count);
    await expect(tiles.filter({ visible: true }), `tiles at ${width}`).toHaveCount(shown);
  }
  const more = grid.getByRole("button", { name: "View more" });
  await readyForScript(more);
  await more.focus();
  await page.keyboard.press("Enter");
  await expect(tiles.filter({ visible: true })).toHaveCount(42);
  const less = grid.getByRole("button", { name: "View less" });
  await expect(less).toBeFocused();
  await expect(less).toHaveAttribute("aria-expanded", "true");
  await axe(page);
  await page.keyboard.press("Enter");
  await expect(tiles.filter({ visible: true })).toHaveCount(21);
  await expect(more).toBeFocused();
  await expect(more).toBeInViewport();
});

test("D5 D4 sorting changes the URL; kind and rate filter through the URL, appear as chips, and can be removed", async ({
  page,
  brandUrl,
}) => {
  const path = "/categories/shoes-and-bags";
  await page.goto(brandUrl("chalkside", path));
  const sort = page.getByLabel("Sort by");
  await readyForScript(sort);
  await sort.selectOption("Newest");
  await page.waitForURL(brandUrl("chalkside", `${path}?sort=newest`));
  await expect(sort).toHaveValue("newest");

  const codes = page.getByRole("navigation", { name: "Kinds of offer" }).getByRole("link", { name: /^Codes/ });
  const count = Number(/\d+/.exec(await codes.innerText())?.[0]);
  await codes.click();
  await page.waitForURL(brandUrl("chalkside", `${path}?kind=code&sort=newest`));
  await expect(page.locator(".list-count")).toContainText(`${count} offers`);
  await expect(page.locator('.offer-grid .offer-card:not([data-kind="code"])')).toHaveCount(0);

  await readyForScript(page.getByLabel("Shops paying"));
  await page.getByLabel("Shops paying").selectOption("5% or more");
  await page.waitForURL(brandUrl("chalkside", `${path}?kind=code&rate=5&sort=newest`));
  const chips = page.getByRole("list", { name: "Narrowed to" }).getByRole("link");
  await expect(chips).toHaveText(["Remove Codes", "Remove Pays 5% or more", "Clear all"]);
  await chips.first().click();
  await expect(page).toHaveURL(brandUrl("chalkside", `${path}?rate=5&sort=newest`));
  await page.goBack();
  await expect(page.getByLabel("Shops paying")).toHaveValue("5");
});

test("D5 P8 a choice before the script has loaded counts once it has, and Back leads to the list before it", async ({
  page,
  brandUrl,
}) => {
  let load = () => {};
  const isWanted = new Promise<void>((resolve) => {
    load = resolve;
  });
  await page.route(/\/assets\/entry\.client/, async (route) => {
    await isWanted;
    await route.continue();
  });
  const address = brandUrl("chalkside", "/categories/shoes-and-bags");
  await page.goto(address);
  const sort = page.getByLabel("Sort by");
  await sort.selectOption("Newest");
  load();
  await page.waitForURL(`${address}?sort=newest`);
  await page.goBack();
  await page.waitForURL(address);
  await readyForScript(sort);
  await expect(sort).toHaveValue("");
});

test("D3 the letters of the A to Z jump to their retailers, letters without one are no links, and a category filters the list", async ({
  page,
  brandUrl,
  axe,
}) => {
  await page.goto(brandUrl("chalkside", "/retailers"));
  const letters = page.getByRole("navigation", { name: "Letters" });
  await letters.getByRole("link", { name: /^F\b/ }).click();
  await expect(page.getByRole("heading", { name: "F", exact: true })).toBeInViewport();
  const empty = letters.locator('[aria-disabled="true"]').first();
  await expect(empty).toBeVisible();
  expect(await empty.getAttribute("href")).toBeNull();
  await axe(page);

  const category = page.getByLabel("Category");
  await readyForScript(category);
  await category.selectOption("Shoes & bags");
  await page.waitForURL(brandUrl("chalkside", "/retailers?category=shoes-and-bags"));
  await expect(page.getByText("for what you chose")).toBeVisible();
  await expect(page.getByRole("link", { name: "Fernhollow Boots" })).toBeVisible();
});

test("D3 U1 on the way up the A to Z no retailer has the focus under the letters", async ({ page, brandUrl }) => {
  await choose(page.context(), brandUrl("chalkside", "/"), "none");
  for (const width of [375, 1280]) {
    await page.setViewportSize({ width, height: 700 });
    await page.goto(brandUrl("chalkside", "/retailers"));
    await page.locator("main a").last().focus();
    expect(await coveredFocus(page, { key: "Shift+Tab", presses: 60 })).toEqual([]);
    await staysWithFocusIn(page, page.locator(".letters"));
  }
});

test("D2 a search can be filtered, and an empty result says what to do", async ({ page, brandUrl, axe }) => {
  await page.goto(brandUrl("chalkside", "/search?q=boots&kind=code"));
  await expect(page.locator('.offer-grid .offer-card:not([data-kind="code"])')).toHaveCount(0);
  await page
    .getByRole("navigation", { name: "Parts of the results" })
    .getByRole("link", { name: /^Retailers/ })
    .click();
  await page.waitForURL(/show=retailers/);
  await expect(page.getByRole("heading", { name: /offers/ })).toHaveCount(0);
  await page.goto(brandUrl("chalkside", "/search?q=gift+crad"));
  await expect(page.getByText("Looking for gift cards?").getByRole("link")).toHaveAttribute("href", "/gift-cards");
  await page.goto(brandUrl("chalkside", "/search?q=qqqxzzzv"));
  await expect(page.getByRole("heading", { name: /^Nothing found for/ })).toBeVisible();
  await axe(page);
});

test("O6 a spinner is 26 px, 3 px thick and grey, and turns in 0.75 s", async ({ page, brandUrl }) => {
  await page.goto(brandUrl("chalkside"));
  const spinner = await page.evaluate(() => {
    const element = document.body.appendChild(document.createElement("span"));
    element.className = "spinner";
    const { width, height, borderBottomWidth, borderBottomColor, animationDuration } = getComputedStyle(element);
    return { width, height, borderBottomWidth, borderBottomColor, animationDuration };
  });
  expect(spinner).toEqual({
    width: "26px",
    height: "26px",
    borderBottomWidth: "3px",
    borderBottomColor: "rgb(128, 128, 128)",
    animationDuration: "0.75s",
  });
});

test.describe("without client script", () => {
  test.use({ noScript: true });

  test("P8 D4 the text of a category is shown in full", async ({ page, brandUrl }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(brandUrl("chalkside", "/categories/shoes-and-bags"));
    expect((await page.locator(".collapsible-text-body").boundingBox())?.height).toBeGreaterThan(43);
    await expect(page.getByRole("button", { name: "Read more" })).toBeHidden();
  });

  test("P8 D5 D7 sorting is a form with a button, filters are links, and the logo grid is complete", async ({
    page,
    brandUrl,
  }) => {
    await page.goto(brandUrl("chalkside", "/categories/shoes-and-bags?kind=code"));
    await page.getByLabel("Sort by").selectOption("Ending soonest");
    await page.getByLabel("Shops paying").selectOption("2% or more");
    await page.getByRole("button", { name: "Go", exact: true }).click();
    await page.waitForURL(/kind=code&rate=2&sort=ending$/);
    await expect(page.getByRole("list", { name: "Narrowed to" }).getByRole("link")).toHaveCount(3);
    await page.goto(brandUrl("chalkside"));
    await expect(page.locator(".logo-grid").getByRole("listitem").filter({ visible: true })).toHaveCount(42);
    await expect(page.getByRole("button", { name: "View more" })).toBeHidden();
  });

  test("U3 the markup of home and listings is valid", async ({ page, brandUrl, validHtml }) => {
    for (const path of [
      "/",
      "/retailers",
      "/categories/shoes-and-bags?kind=code",
      "/search?q=boots",
      "/search?q=qqqxzzzv",
    ])
      await validHtml(page, brandUrl("freshledge", path));
  });
});
