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
