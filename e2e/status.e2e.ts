import { signInAsOperator } from "./support/admin-pages.ts";
import { expect, test } from "./support/fixtures.ts";

test("P6 members find out from the foot of any page whether everything works", async ({ page, brandUrl, axe }) => {
  await page.goto(brandUrl("chalkside", "/faq"));
  await page.getByRole("contentinfo").getByRole("link", { name: "Does everything work?" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Does everything work?" })).toBeVisible();
  const areas = page.getByRole("main").getByRole("listitem");
  for (const area of ["The site and its offers", "Tracking of purchases", "Payouts", "E-mails", "Search"])
    await expect(areas.filter({ hasText: area })).toContainText(/Works|Late/);
  await axe(page);
});

test.describe("without script", () => {
  test.use({ noScript: true });

  test("P6 the page of each brand is whole without script", async ({ page, brandUrl, validHtml }) => {
    await page.goto(brandUrl("freshledge", "/status"));
    await expect(page.getByRole("main").getByRole("listitem").first()).toContainText("You are looking at it.");
    await validHtml(page, brandUrl("freshledge", "/status"));
  });
});

test("P6 what an operator writes is on every page of a brand and on its status page, until it is taken back", async ({
  page,
  browser,
  brandUrl,
  mainUrl,
  sandboxUrl,
  axe,
}) => {
  const url = (path: string) => mainUrl("mustermark", path);
  const title = `Payouts wait for the bank ${Date.now()}`;
  await signInAsOperator(page, { url, sandbox: sandboxUrl("") });
  await page.goto(url("/admin/notices/new"));
  await page.getByLabel("Who sees it").selectOption({ value: "mustermark" });
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Text").fill("What you have earned is safe. Nothing is lost.");
  await page.getByRole("button", { name: "Show it" }).click();
  await expect(page.getByRole("status")).toContainText(/./);

  const visitor = await (await browser.newContext({ viewport: { width: 375, height: 812 } })).newPage();
  const bar = visitor.getByRole("complementary", { name: "Trouble" });
  // A page is kept for some seconds.
  const shows = (isShown: boolean) =>
    expect(async () => {
      await visitor.goto(brandUrl("mustermark", "/faq"));
      await expect(bar.getByText(title)).toHaveCount(isShown ? 1 : 0, { timeout: 1 });
    }).toPass();
  await shows(true);
  expect(await visitor.evaluate(() => document.documentElement.scrollWidth)).toBe(375);
  await axe(visitor);
  await bar.getByRole("link", { name: title }).click();
  await expect(visitor.getByRole("list", { name: "Notices" })).toContainText("Nothing is lost.");
  await expect(visitor.getByText("Not everything works")).toBeVisible();
  // Others' members are not worried.
  await visitor.goto(brandUrl("chalkside", "/status"));
  await expect(visitor.getByText(title)).toHaveCount(0);

  await page.getByRole("link", { name: title }).click();
  await page.getByRole("button", { name: /^Remove/ }).click();
  await page.getByLabel("Why").fill("the bank has answered");
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await shows(false);
  await visitor.context().close();
});
