import type { Db } from "@farthing/db/client.ts";
import { keepPlan } from "@farthing/db/kept-plans.ts";
import { sql, type RawBuilder } from "kysely";
import { DECLINE_REASONS, isDeclineReason } from "../networks/decline-reason.ts";
import type { AmountChange } from "./cashback-view.ts";

/**
 * Returns an SQL expression for what a purchase was worth to its member before a correction, in pence: the purchase and all earlier corrections.
 * @param alias the correction's row of cashback_entries in the statement
 */
export function amountBeforeCorrection(alias: string): RawBuilder<number> {
  const correction = sql.ref(alias);
  return sql<number>`(
    select coalesce(sum(other.cashback_pence), 0)::bigint from cashback_entries other
    where other.network_transaction_id = ${correction}.network_transaction_id and other.state <> 'declined'
      and (other.entry_kind = 'purchase' or (other.created_at, other.id) < (${correction}.created_at, ${correction}.id)))`;
}

/** Returns every change of the entries' amounts, oldest first, by entry id: from what, to what, when and why (C3). */
export async function findAmountChanges(db: Db, entryIds: readonly string[]): Promise<Map<string, AmountChange[]>> {
  if (entryIds.length === 0) return new Map();
  const { rows } = await sql<{
    entry_id: string;
    changed_at: Date;
    was: number;
    is: number;
    reason_code: string | null;
  }>`${keepPlan}
    select entry_id, changed_at, reason_code, was, was + difference as "is" from (
      select entry.id as entry_id, change.version, change.changed_at, change.reason_code,
        case when entry.entry_kind = 'purchase' then change.before
          when change.version = 1 then ${amountBeforeCorrection("entry")} end as was,
        case when entry.entry_kind = 'purchase' then change.cashback_pence - change.before else change.cashback_pence end as difference
      from unnest(${entryIds}::uuid[]) asked (id)
        cross join lateral (select * from cashback_entries where id = asked.id limit 1) entry
        cross join lateral (
          select version, changed_at, reason_code, cashback_pence, lag(cashback_pence) over (order by version) as before
          from cashback_changes where entry_id = asked.id) change) amounts
    where was is not null and difference <> 0 order by entry_id, version`.execute(db);
  const changes = new Map<string, AmountChange[]>();
  for (const { entry_id: id, changed_at: at, was, is, reason_code: reason } of rows) {
    const because = reason !== null && isDeclineReason(reason) ? DECLINE_REASONS[reason] : DECLINE_REASONS.amended;
    changes.set(id, [...(changes.get(id) ?? []), { at, wasPence: was, isPence: is, because }]);
  }
  return changes;
}
