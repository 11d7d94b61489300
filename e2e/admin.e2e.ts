import { expect, test } from "./support/fixtures.ts";
import { adminPages, signInAsOperator, unlistedAdminPages } from "./support/admin-pages.ts";
import { knownMoney } from "./support/known-money.ts";
import { knownNotice } from "./support/known-notice.ts";
import { rulesOfLooks, seriousFindings } from "./support/serious-findings.ts";

test("A1 A3 an operator signs in with a code, decides proof, suspends a member, and finds both in the log", async ({
  page,
  mainUrl,
  sandboxUrl,
}) => {
  const url = (path: string) => mainUrl("chalkside", path);
  await signInAsOperator(page, { url, sandbox: sandboxUrl("") });

  await page.getByRole("link", { name: /proofs? of membership to decide/ }).click();
  await page
    .getByRole("row", { name: /Freshledge/ })
    .getByRole("link")
    .first()
    .click();
  await expect(page.getByRole("img", { name: /What the member sent/ })).toHaveJSProperty("complete", true);
  await page.getByRole("button", { name: "Reject" }).click();
  await expect(page.getByRole("alert")).toContainText("Choose a reason");
  await page.getByLabel(/Part of it is cut off/).check();
  await page.getByRole("button", { name: "Reject" }).click();
  await expect(page).toHaveURL(/\/admin\/verifications/);

  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Go to" }).fill("new@tillside.example");
  await page.keyboard.press("Enter");
  await page
    .getByRole("row", { name: /new@tillside/ })
    .getByRole("link")
    .click();
  await page.getByRole("button", { name: "Suspend" }).click();
  await page.getByLabel("Why").fill("Tested from end to end");
  await page.getByRole("button", { name: "Suspend" }).first().click();
  await expect(page.getByRole("status")).toContainText("suspended and signed out");
  await page.getByRole("button", { name: "Restore" }).click();
  await page.getByLabel("Why").fill("The test is over");
  await page.getByRole("button", { name: "Restore" }).first().click();
  await expect(page.getByRole("status")).toContainText("can log in again");

  await page.goto(url("/admin/audit"));
  for (const action of ["Member restored", "Member suspended", "Verification rejected"])
    await expect(page.getByRole("row", { name: new RegExp(action) }).first()).toBeVisible();
  await page.getByLabel("Action").selectOption("Member suspended");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByRole("row", { name: /Member restored/ })).toHaveCount(0);
  await page
    .getByRole("row", { name: /Member suspended/ })
    .first()
    .getByRole("link")
    .click();
  await expect(page.getByText("Tested from end to end").first()).toBeVisible();
});

test("U1 every page of the admin has a state for axe and for pictures", () => {
  expect(unlistedAdminPages, "pages without a state in e2e/support/admin-pages.ts").toEqual([]);
});

// The markup is the same in both, so the second is checked for what the scheme and the width change.
for (const [width, colorScheme, rules] of [
  [768, "dark", { rules: rulesOfLooks }],
  [1440, "light", {}],
] as const)
  test(`U1 axe finds nothing on any page of the admin, ${colorScheme}, at ${width} pixels`, async ({
    page,
    mainUrl,
    sandboxUrl,
  }) => {
    test.setTimeout(1_200_000); // every page of the admin
    const url = (path: string) => mainUrl("chalkside", path);
    const check = async () => expect(await seriousFindings(page, rules), `axe at ${page.url()}`).toEqual([]);
    await page.setViewportSize({ width, height: 1000 });
    await page.emulateMedia({ colorScheme });
    await page.goto(url("/admin/sign-in"));
    await check();
    await knownMoney();
    await knownNotice();
    await signInAsOperator(page, { url, sandbox: sandboxUrl("") });
    for (const { path, opensFirst, links = [] } of Object.values(adminPages)) {
      await page.goto(url(path));
      if (opensFirst) await page.locator("table tbody a").first().click();
      for (const link of links) await page.locator(link).first().click();
      await page.getByRole("heading", { level: 1 }).waitFor();
      await check();
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
        page.url(),
      ).toBeLessThanOrEqual(0);
    }
  });

test.describe("without script", () => {
  test.use({ noScript: true });
  test("P8 an operator without script signs in, filters and saves a view", async ({ page, mainUrl, sandboxUrl }) => {
    const url = (path: string) => mainUrl("chalkside", path);
    await signInAsOperator(page, { url, sandbox: sandboxUrl(""), role: "support" });
    await page.goto(url("/admin/members"));
    await page.getByLabel("Brand").selectOption("kindhold");
    await page.getByRole("button", { name: "Filter" }).click();
    await expect(page).toHaveURL(/brand=kindhold/);
    await page.getByText(/^Views/).click();
    await page.getByLabel("Save these filters as").fill("Kindhold's");
    await page.getByRole("button", { name: "Save view" }).click();
    await expect(page).toHaveURL(/brand=kindhold/);
    await page.getByText(/^Views/).click();
    await expect(page.getByRole("link", { name: "Kindhold's" })).toBeVisible();
  });
});
