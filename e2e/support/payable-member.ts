import { randomInt } from "node:crypto";
import { makeClick, reportedSale } from "@farthing/core/cashback/cashback.testing.ts";
import { recordReportedTransaction } from "@farthing/core/cashback/operations.server.ts";
import { makeShop } from "@farthing/core/clicks/clicks.testing.ts";
import { newMember } from "./new-member.ts";
import { withStackDatabase } from "./stack-database.ts";

/** Creates a member of a brand for one test who can withdraw £12.00, and returns their e-mail. */
export async function payableMember(brand: string): Promise<string> {
  const email = await newMember(brand);
  await withStackDatabase(async (db) => {
    const { id: memberId, brand_id: brandId } = await db
      .selectFrom("members")
      .select(["id", "brand_id"])
      .where("email", "=", email)
      .executeTakeFirstOrThrow();
    const { id: networkId } = await db
      .selectFrom("networks")
      .select("id")
      .where("slug", "=", "awin")
      .executeTakeFirstOrThrow();
    const shop = await makeShop(db, { brandId, networkId });
    const club = { brandId, networkId, memberId, shop };
    const reported = reportedSale(club, await makeClick(db, club), {
      // Its own: runs of the same stack share a database.
      networkTransactionId: String(randomInt(10 ** 12, 10 ** 13)),
      saleMinor: 20_000,
      commissionMinor: 1_600,
      status: "approved",
      paidToPublisher: true,
    });
    await recordReportedTransaction(db, { networkId, reported, now: new Date() });
  });
  return email;
}
