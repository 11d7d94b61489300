import { claimForm } from "@farthing/core/claims/claims.testing.ts";
import { makeClaim } from "@farthing/core/claims/operations.server.ts";
import { sql } from "kysely";
import { signInAsOperator } from "./support/admin-pages.ts";
import { expect, test } from "./support/fixtures.ts";
import { withStackDatabase } from "./support/stack-database.ts";

/** Makes a claim of a demo member at a network without an API for claims, about an order that nobody else names. */
function claimForPack(orderReference: string): Promise<string> {
  return withStackDatabase(async (db) => {
    const { rows } = await sql<{ memberId: string; brandId: string; clickNumber: string; at: Date }>`
      select click.member_id as "memberId", click.brand_id as "brandId", click.click_number as "clickNumber",
        click.created_at as at
      from clicks click join members member on member.id = click.member_id join networks network on network.id = click.network_id
      where member.email like 'member@%' and network.slug = 'awin' and click.rate_snapshot -> 'rates' <> '[]'
        and not exists (select from claims where click_id = click.id)
        and not exists (select from cashback_entries entry where entry.click_id = click.id)
      order by click.created_at desc limit 1`.execute(db);
    const [click] = rows;
    if (!click) throw new Error("No demo click is left to claim about.");
    const { memberId, brandId, clickNumber, at } = click;
    const form = claimForm({ orderReference, purchasedOn: at.toISOString().slice(0, 10) });
    // In the time in which claims about this visit can be filed.
    const now = new Date(at.getTime() + 60 * 86_400_000);
    const made = await makeClaim(db, { brandId, memberId, about: { clickNumber }, form, now });
    if (made.outcome !== "made") throw new Error(`The claim was not made: ${made.outcome}`);
    await db
      .updateTable("claims")
      .set({ awaits_pack: true })
      .where("public_id", "=", made.publicId)
      .where("state", "=", "open")
      .execute();
    return made.publicId;
  });
}

test.describe("A1 the queues of the admin", () => {
  // Without script, as any of its pages has to work.
  test.use({ noScript: true });

  test("A1 a claim goes from the home page through a pack to a decline, without script", async ({
    page,
    mainUrl,
    sandboxUrl,
  }) => {
    const claim = await claimForPack(`QUEUE-${Date.now()}`);
    const url = (path: string) => mainUrl("chalkside", path);
    await signInAsOperator(page, { url, sandbox: sandboxUrl(""), role: "support" });
    await page.getByRole("link", { name: /claims that need somebody/ }).click();
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
