import { expect, test } from "./support/fixtures.ts";
import { readyForScript } from "./support/ready-for-script.ts";

const hostile = `<script>alert(1)</script>'";--`;

test("D2 a query of markup, quotes and SQL is shown as the text that it is and does nothing", async ({
  page,
  brandUrl,
}) => {
  const dialogs: string[] = [];
  page.on("dialog", async (dialog) => {
    dialogs.push(dialog.message());
    await dialog.dismiss();
  });
  await page.goto(brandUrl("chalkside"));
  await page.getByLabel("Search", { exact: true }).fill(hostile);
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === "/search");
  await page.getByLabel("Search", { exact: true }).press("Enter");
  const response = await answered;
  expect(response.status()).toBe(200);
  expect(await response.text()).not.toContain("<script>alert(1)");

  const field = page.getByLabel("Search", { exact: true });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Results for “${hostile}”`);
  await expect(field).toHaveValue(hostile);
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

test.describe("without client script", () => {
  test.use({ noScript: true });

  test("P8 D4 the text of a category is all there", async ({ page, brandUrl }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(brandUrl("chalkside", "/categories/shoes-and-bags"));
    expect((await page.locator(".collapsible-text-body").boundingBox())?.height).toBeGreaterThan(43);
    await expect(page.getByRole("button", { name: "Read more" })).toBeHidden();
  });
});
