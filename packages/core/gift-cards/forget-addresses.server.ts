import type { Db } from "@farthing/db/client.ts";

const KEPT_MS = 30 * 86_400_000;

/** Removes the addresses that visitors typed for orders of more than 30 days ago; run by a regular job. */
export async function forgetBuyersAddresses(db: Db, { now }: { now: Date }): Promise<void> {
  await db
    .updateTable("gift_card_orders")
    .set({ buyer_email: null })
    .where("buyer_email", "is not", null)
    .where("placed_at", "<", new Date(now.getTime() - KEPT_MS))
    .execute();
}
