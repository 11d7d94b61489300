import { signInAsOperator } from "./support/admin-pages.ts";
import { expect, test } from "./support/fixtures.ts";

test.describe("A2 the catalogue in the admin", () => {
  // Without script, as any of its pages has to work.
  test.use({ noScript: true });

  test("A2 an offer is drafted, previewed, published, on the site at once, and undone; codes are looked at before they are added", async ({
    page,
    mainUrl,
    sandboxUrl,
  }) => {
    const title = `Free laces ${Date.now()}`;
    const url = (path: string) => mainUrl("chalkside", path);
    await signInAsOperator(page, { url, sandbox: sandboxUrl(""), role: "catalogue" });
    const shop = url("/retailers/fernhollow-boots");
    await page.goto(url("/admin/offers/new?retailer=fernhollow-boots"));
    await page.getByLabel("Title").fill(title);
    await page.getByLabel("Where it leads").fill("https://fernhollow-boots.example/laces");
    await page.getByRole("button", { name: "Save the draft" }).click();
    await expect(page.getByRole("status")).toContainText("The draft is saved");
    const record = page.url();

    await page.getByRole("link", { name: "Chalkside", exact: true }).click();
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    await expect(page.getByRole("link", { name: "Get deal" })).toBeVisible();
    await page.goto(shop);
    await expect(page.getByText(title)).toHaveCount(0);

    await page.goto(record);
    await page.getByRole("button", { name: "Publish …" }).click();
    await page.getByLabel("Why").fill("agreed with the shop");
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await expect(page.getByRole("status")).toContainText("Published.");
    await expect(async () => {
      await page.goto(shop);
      await expect(page.getByText(title).first()).toBeVisible({ timeout: 1 });
    }).toPass();

    await page.goto(record);
    await page.getByRole("link", { name: "History and undo" }).click();
    await page.getByRole("button", { name: "Undo …" }).first().click();
    await page.getByLabel("Why").fill("too early");
    await page.getByRole("button", { name: "Undo the change" }).click();
    await expect(page.getByRole("status")).toContainText("are back");

    await page.goto(record);
    await page.getByRole("link", { name: "none: fill one" }).click();
    await page.getByLabel("Codes (optional)").fill("LACE-1\nLACE-2\nLACE-1");
    await page.getByRole("button", { name: "Look at them, without adding" }).click();
    await expect(page.getByText("is on line 1 already")).toBeVisible();
    await page.getByRole("button", { name: "Add 2 codes" }).click();
    await expect(page.getByRole("status")).toContainText("2 codes are added.");
  });

  test("A2 a shop that is here twice is found, looked at and merged, and its old address leads to the one that stays", async ({
    page,
    mainUrl,
    sandboxUrl,
  }) => {
    const url = (path: string) => mainUrl("chalkside", path);
    await signInAsOperator(page, { url, sandbox: sandboxUrl(""), role: "catalogue" });
    const shop = `Quimby ${Date.now()}`;
    for (const name of [shop, `${shop} UK`]) {
      await page.goto(url("/admin/retailers/new"));
      await page.getByLabel("Name").fill(name);
      await page.getByLabel("Home page").fill("https://quimby.example/");
      await page.getByLabel("Chalkside", { exact: true }).check();
      await page.getByRole("button", { name: "Add the retailer" }).click();
      await expect(page.getByRole("status")).toContainText("The retailer is added");
    }
    const twin = new URL(page.url()).pathname.split("/").at(-1)!;
    await page.getByRole("link", { name: "Merge into another …" }).click();
    await page.getByLabel("Find a retailer").fill(shop);
    await page.getByRole("button", { name: "Find" }).click();
    await page.getByRole("link", { name: shop, exact: true }).last().click();
    await expect(page.getByRole("heading", { name: `Merge ${shop} UK into ${shop}?` })).toBeVisible();
    await expect(page.getByText("This can’t be undone.")).toBeVisible();
    await page.getByLabel("Why").fill("the same shop twice");
    await page.getByRole("button", { name: `Merge into ${shop}` }).click();
    await expect(page.getByRole("status")).toContainText("Merged.");
    await expect(async () => {
      await page.goto(url(`/retailers/${twin}`));
      await expect(page.getByRole("heading", { level: 1, name: shop, exact: true })).toBeVisible({ timeout: 1 });
    }).toPass();
    await page.goto(url(`/admin/retailers/${twin}`));
    await expect(page.getByRole("status")).toContainText(`Merged into ${shop}`);
    await expect(page.getByRole("button", { name: "Save" })).toHaveCount(0);
  });
});
