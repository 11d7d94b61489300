import type { Db } from "@farthing/db/client.ts";
import { keepPlan } from "@farthing/db/kept-plans.ts";
import { sql, type RawBuilder } from "kysely";
import type { Pence } from "../money/money.ts";
import { MEMBER_ACCOUNTS, type AccountRef, type MemberAccountKind } from "./rules.ts";
import { accountId } from "./operations.server.ts";

/** The folded total plus the entries since, in one snapshot. */
export const balancePence = sql<Pence>`(
  coalesce((select total_pence from ledger_totals total where total.account_id = account.id), 0)
  + coalesce((select sum(entry.amount_pence) from ledger_entries entry
      where entry.account_id = account.id and entry.xact_id >= (select folded_below from ledger_watermark)), 0))::bigint`;

/** Returns an account's balance in pence; zero for an account that was never posted to. */
export async function findBalance(db: Db, { account }: { account: AccountRef }): Promise<Pence> {
  const { rows } = await sql<{ balance: Pence }>`
    select ${balancePence} as balance from ledger_accounts account where account.id = ${accountId(account)}`.execute(
    db,
  );
  return rows[0]?.balance ?? 0;
}

/** Returns a member's four balances, in pence. */
export function findMemberBalances(db: Db, { memberId }: { memberId: string }): Promise<MemberBalances> {
  return readBalances(db, memberId, sql``);
}

/** Returns the same for a page, outside a transaction: PostgreSQL keeps the plan. */
export function findShownBalances(db: Db, { memberId }: { memberId: string }): Promise<MemberBalances> {
  return readBalances(db, memberId, keepPlan);
}

type MemberBalances = Record<MemberAccountKind, Pence>;

async function readBalances(db: Db, memberId: string, mark: RawBuilder<unknown>): Promise<MemberBalances> {
  const { rows } = await sql<{ account_kind: MemberAccountKind; balance: Pence }>`${mark}
    select account.account_kind, ${balancePence} as balance from ledger_accounts account where account.member_id = ${memberId}`.execute(
    db,
  );
  const balances = Object.fromEntries(MEMBER_ACCOUNTS.map((kind) => [kind, 0])) as MemberBalances;
  for (const row of rows) balances[row.account_kind] = row.balance;
  return balances;
}
