import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { accountId } from "../ledger/operations.server.ts";

export interface PayableNow {
  /** What the ledger says is payable; negative if more was taken back than was left. */
  payablePence: number;
  thresholdPence: number;
  /** Ids of the payable cashback entries. Bonuses and returned payments count towards `payablePence` only. */
  entryIds: string[];
}

/** Returns what can be withdrawn: one statement, so that the amount and the cashback are of the same moment. */
export async function findPayableNow(db: Db | Trx, { memberId }: { memberId: string }): Promise<PayableNow> {
  const account = accountId({ kind: "member_payable", memberId });
  const { rows } = await sql<PayableNow>`
    select (coalesce((select total_pence from ledger_totals where account_id = ${account}), 0)
        + coalesce((select sum(amount_pence) from ledger_entries where account_id = ${account}
            and xact_id >= (select folded_below from ledger_watermark)), 0))::bigint as "payablePence",
      brand.payout_threshold_pence as "thresholdPence",
      array(select id from cashback_entries where member_id = ${memberId} and state = 'payable' order by id) as "entryIds"
    from members member join brands brand on brand.id = member.brand_id where member.id = ${memberId}`.execute(db);
  return rows[0] ?? { payablePence: 0, thresholdPence: 0, entryIds: [] };
}
