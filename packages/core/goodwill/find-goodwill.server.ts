import type { Db } from "@farthing/db/client.ts";
import { keepPlan, unseenByPlanner } from "@farthing/db/kept-plans.ts";
import { sql } from "kysely";
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
  const { rows } = await sql<GoodwillItem>`${keepPlan}
    select amount_pence as "amountPence", reason, state, given_at as "givenAt", reversed_at as "reversedAt"
    from goodwill_credits where member_id = ${unseenByPlanner(memberId, "uuid")}
    order by given_at desc, id desc limit ${sql.lit(max)}`.execute(db);
  return rows;
}
