import type { Db } from "@farthing/db/client.ts";
import type { Pence } from "../money/money.ts";
import type { GoodwillReason, GoodwillState } from "./rules.ts";

export interface GoodwillItem {
  amountPence: Pence;
  reason: GoodwillReason;
  state: GoodwillState;
  givenAt: Date;
  reversedAt: Date | null;
}

/** Returns what a member was credited with, the newest first. */
export async function findGoodwill(
  db: Db,
  { memberId, max }: { memberId: string; max: number },
): Promise<GoodwillItem[]> {
  const rows = await db
    .selectFrom("goodwill_credits")
    .select(["amount_pence as amountPence", "reason", "state", "given_at as givenAt", "reversed_at as reversedAt"])
    .where("member_id", "=", memberId)
    .orderBy("given_at", "desc")
    .orderBy("id", "desc")
    .limit(max)
    .execute();
  return rows.map((row) => ({ ...row, reason: row.reason as GoodwillReason, state: row.state as GoodwillState }));
}
