import { cursorOf } from "@farthing/core/cashback/history-cursor.ts";
import { withStackDatabase } from "./stack-database.ts";

/**
 * Returns the addresses of a demo member's purchase in a state, and of the receipt of its click.
 * @throws Error if the member has no such purchase
 */
export async function knownPurchase(
  state: "tracked" | "confirmed" | "paid" | "declined",
  brand = "chalkside",
): Promise<{ path: string; receiptPath: string }> {
  const { id, click_number: number } = await withStackDatabase((db) =>
    db
      .selectFrom("cashback_entries as entry")
      .innerJoin("members as member", "member.id", "entry.member_id")
      .innerJoin("clicks as click", "click.id", "entry.click_id")
      .select(["entry.id", "click.click_number"])
      .where("member.email", "=", `member@${brand}.example`)
      .where("entry.state", "=", state)
      .where("entry.entry_kind", "=", "purchase")
      .orderBy("entry.purchased_at")
      .orderBy("entry.id")
      .executeTakeFirstOrThrow(),
  );
  return { path: `/money/purchases/${cursorOf(id)}`, receiptPath: `/money/receipts/${number}` };
}
