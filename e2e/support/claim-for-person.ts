import { claimForm } from "@farthing/core/claims/claims.testing.ts";
import { makeClaim } from "@farthing/core/claims/operations.server.ts";
import { sql } from "kysely";
import { withStackDatabase } from "./stack-database.ts";

/**
 * Makes a claim of a demo member that waits for a person, about an order that nobody else names, and returns its number.
 * @param why "pack": its network has no API for claims; "given up": the server could not file it
 */
export function claimForPerson(orderReference: string, why: "pack" | "given up"): Promise<string> {
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
      .set(why === "pack" ? { awaits_pack: true } : { given_up_at: new Date() })
      .where("public_id", "=", made.publicId)
      .where("state", "=", "open")
      .execute();
    return made.publicId;
  });
}
