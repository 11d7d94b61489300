import { readFile } from "node:fs/promises";
import { signInAsOperator } from "./support/admin-pages.ts";
import { expect, test } from "./support/fixtures.ts";

test.describe("T7 reports in the admin", () => {
  // Without script, as any of its pages has to work.
  test.use({ noScript: true });

  test("T7 an operator reads a report of one brand, corrects wrong days, goes on to another and takes its file", async ({
    page,
    mainUrl,
    sandboxUrl,
  }) => {
    const url = (path: string) => mainUrl("chalkside", path);
    await signInAsOperator(page, { url, sandbox: sandboxUrl(""), role: "finance" });
    await page.getByRole("link", { name: "All reports" }).click();
    await page.getByRole("link", { name: "Cashback and payouts" }).last().click();
    // Demo members have purchases of every month.
    await expect(page.locator("svg.chart-lines").first()).toBeVisible();
    await expect(page.getByRole("region", { name: "Table of cashback and payouts" })).toContainText("£");

    await page.getByLabel("From", { exact: true }).fill("2031-01-02");
    await page.getByLabel("To", { exact: true }).fill("2031-01-01");
    await page.getByRole("button", { name: "Show" }).click();
    await expect(page.getByRole("alert")).toContainText("To is before From");
    await expect(page.getByLabel("From", { exact: true })).toHaveValue("2031-01-02");
    await page.getByRole("link", { name: "A year", exact: true }).click();

    await page.getByRole("link", { name: "Brands side by side" }).click();
    await page.getByLabel("Brand", { exact: true }).selectOption("chalkside");
    await page.getByRole("button", { name: "Show" }).click();
    const table = page.getByRole("region", { name: "Table of brands side by side" });
    await expect(table).toContainText("chalkside");
    await expect(table).not.toContainText("tillside");
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Export CSV" }).click();
    const file = await (await download).path();
    expect(await readFile(file, "utf8")).toMatch(/^Brand,Searches,Views,.*\r\nchalkside,/);
  });
});
