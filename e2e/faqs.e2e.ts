import { expect, test } from "./support/fixtures.ts";

test("M8 questions open and close with the keyboard, and a #link opens its question", async ({
  page,
  brandUrl,
  axe,
}) => {
  await page.goto(brandUrl("chalkside", "/faq/cashback"));
  const question = page.locator("summary").filter({ hasText: "How does cashback work?" });
  const answer = page.getByText("The retailer tells its network");
  await expect(answer).toBeHidden();
  await question.focus();
  await page.keyboard.press("Enter");
  await expect(answer).toBeVisible();
  await axe(page);
  await page.keyboard.press("Space");
  await expect(answer).toBeHidden();

  await page.goto(brandUrl("chalkside", "/faq/cashback#how-does-cashback-work"));
  await expect(answer).toBeVisible();
});

test.describe("without script", () => {
  test.use({ noScript: true });

  test("M8 categories, search and the address of one answer work", async ({ page, brandUrl, validHtml }) => {
    await page.goto(brandUrl("freshledge", "/faq"));
    await page.getByRole("link", { name: "Your account" }).click();
    await expect(page.getByRole("link", { name: "Your account" })).toHaveAttribute("aria-current", "page");
    await page.getByLabel("Search the answers").fill("forgoten pasword");
    await page.getByRole("button", { name: "Search answers" }).click();
    await page.locator("summary").filter({ hasText: "I can’t log in" }).click();
    await page.getByRole("link", { name: "Link to this answer" }).filter({ visible: true }).click();
    await expect(page).toHaveURL(/\/faq\/account\/i-cannot-log-in$/);
    await expect(page.getByText("Nobody is ever locked out")).toBeVisible();
    await validHtml(page, brandUrl("freshledge", "/faq/offers"));
  });
});
