import type { Db } from "@farthing/db/client.ts";
import { keepPlan } from "@farthing/db/kept-plans.ts";
import { sql } from "kysely";
import { balancePence } from "../ledger/balances.server.ts";
import { moneySentence, type MoneyInWords } from "./money-sentence.ts";

/** Returns what the home page of a member says of their money (D1, C3), from one statement. */
export async function findMoneySentence(db: Db, { memberId }: { memberId: string }): Promise<string> {
  const { rows } = await sql<MoneyInWords>`${keepPlan}
    select coalesce(sum(balance) filter (where account_kind = 'member_payable'), 0)::bigint as "payablePence",
      coalesce(sum(balance) filter (where account_kind = 'member_confirmed'), 0)::bigint as "confirmedPence",
      coalesce(sum(balance) filter (where account_kind = 'member_tracked'), 0)::bigint as "trackedPence",
      coalesce(sum(balance) filter (where account_kind = 'member_paid'), 0)::bigint as "paidPence",
      exists (select from cashback_months where member_id = ${memberId}) as "hasPurchases"
    from (select account.account_kind, ${balancePence} as balance from ledger_accounts account where account.member_id = ${memberId}) held`.execute(
    db,
  );
  return moneySentence(rows[0]!);
}
