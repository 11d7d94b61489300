import { randomInt } from "node:crypto";
import { newId } from "@farthing/db/uuid.ts";
import { withStackDatabase } from "./stack-database.ts";

/**
 * Adds one record of each kind that the admin's money pages show and the demo data does not have: a payout that failed, a batch
 * that was rejected, a report that was applied, a card payment that was cancelled. None of them moves money or waits for anybody.
 */
export async function knownMoney(): Promise<void> {
  await withStackDatabase(async (db) => {
    const now = new Date();
    const member = await db
      .selectFrom("members")
      .select(["id", "brand_id"])
      .where("email", "=", "member@chalkside.example")
      .executeTakeFirstOrThrow();
    const reference = `FP${String(randomInt(10 ** 9, 10 ** 10))}`;
    await db
      .insertInto("payouts")
      .values({
        ...{ id: newId(), brand_id: member.brand_id, member_id: member.id, method: "bank", bank_reference: reference },
        ...{ state: "failed", reason: "operator", amount_pence: 1_200, requested_at: now, failed_at: now },
      })
      .execute();
    await db
      .insertInto("payout_batches")
      .values({
        ...{ id: newId(), method: "bank", made_at: now, made_by: "a test" },
        ...{ processing_day: "2026-11-24", entry_day: "2026-11-25" },
        ...{ rejected_at: now, rejected_by: "another", rejected_because: "to have one to look at" },
      })
      .execute();
    await db
      .insertInto("payout_reports")
      .values({
        ...{
          id: newId(),
          file_name: "monday.csv",
          content_hash: Buffer.alloc(32, reference),
          read_at: now,
          read_by: "a test",
        },
        failures: JSON.stringify([{ reference, amountPence: 1_200, reason: "account_closed", said: "B" }]),
        ...{ applied_at: now, applied_by: "a test", outcomes: JSON.stringify(["already"]) },
      })
      .execute();
    const partner = await db.selectFrom("partners").select("id").orderBy("id").executeTakeFirstOrThrow();
    const id = newId();
    await db
      .insertInto("payments")
      .values({
        ...{ id, public_id: id.replaceAll("-", "").slice(-22), partner_id: partner.id, idempotency_key: id },
        ...{ amount_pence: 1_000, reference: "Basket 7", state: "cancelled", provider_payment_id: `pi_${id}` },
        ...{ created_at: now, changed_at: now },
      })
      .execute();
  });
}
