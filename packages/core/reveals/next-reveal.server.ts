import type { Db, Trx } from "@farthing/db/client.ts";
import { keepPlanIfDirect, unseenByPlanner } from "@farthing/db/kept-plans.ts";
import { sql } from "kysely";
import { MAX_REVEAL_WINDOW_MS, limitsFor, MAX_COUNTED_REVEALS, nextRevealAt } from "./rules.ts";

/**
 * Returns when a member may be shown another code that is new to them; null: now. Counted from the reveals themselves,
 * so that all processes agree, and without codes that the member had seen before.
 */
export async function findNextReveal(
  db: Db | Trx,
  { memberId, verification, now }: { memberId: string; verification: string; now: Date },
): Promise<Date | null> {
  const { rows } = await sql<{ revealedAt: Date }>`${keepPlanIfDirect}
    select shown.revealed_at as "revealedAt" from code_reveals shown
    where shown.member_id = ${unseenByPlanner(memberId, "uuid")} and not shown.is_repeat and shown.revealed_at > ${new Date(now.getTime() - MAX_REVEAL_WINDOW_MS)}
    order by shown.revealed_at desc limit ${sql.lit(MAX_COUNTED_REVEALS)}`.execute(db);
  return nextRevealAt(
    rows.map(({ revealedAt }) => revealedAt),
    limitsFor(verification),
    now,
  );
}
