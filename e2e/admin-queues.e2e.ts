import { signInAsOperator } from "./support/admin-pages.ts";
import { claimForPerson } from "./support/claim-for-person.ts";
import { expect, test } from "./support/fixtures.ts";

test.describe("A1 the queues of the admin", () => {
  // Without script, as any of its pages has to work.
  test.use({ noScript: true });

  test("A1 a claim goes from the home page through a pack to a decline, without script", async ({
    page,
    mainUrl,
    sandboxUrl,
  }) => {
    const claim = await claimForPerson(`QUEUE-${Date.now()}`, "pack");
    const url = (path: string) => mainUrl("chalkside", path);
    await signInAsOperator(page, { url, sandbox: sandboxUrl(""), role: "support" });
    await page.getByRole("link", { name: /claims? that needs? somebody/ }).click();
    await page.getByLabel("Find", { exact: true }).fill(claim);
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByRole("link", { name: claim }).click();
    await expect(page.getByRole("heading", { name: `Claim ${claim}` })).toBeVisible();

    await page.getByRole("link", { name: "Claim packs" }).first().click();
    await page.getByRole("button", { name: /Make a pack for Awin/i }).click();
    await expect(page.getByRole("status")).toContainText("send it to the network");

    await page.goto(url(`/admin/claims/${claim}`));
    await page.getByText("Decline: the retailer does not agree").click();
    await page.getByLabel("Reason").selectOption("not_found");
    await page.getByRole("button", { name: "Decline …" }).click();
    await page.getByLabel("Why").fill("answer to the pack");
    await page.getByRole("button", { name: "Decline", exact: true }).click();
    await expect(page.getByRole("status")).toContainText("Declined.");
  });
});
