import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import type { Referral } from "./referral-row.server.ts";
import { CHAIN_STEPS, type HoldReason, type PurchaseStage } from "./rules.ts";

const STAGES = ["none", "tracked", "confirmed", "payable"] as const satisfies readonly PurchaseStage[];

/** Returns how far the best purchase has come that qualifies: what is left of its cashback counts, after corrections. */
export async function findPurchaseStage(db: Db | Trx, referral: Referral): Promise<PurchaseStage> {
  const { rows } = await sql<{ stage: number }>`
    select coalesce(max(stage), 0)::int as stage from (
      select sum(cashback_pence) filter (where state <> 'declined') as pence,
        max(case state when 'tracked' then 1 when 'confirmed' then 2 when 'declined' then 0 else 3 end) filter (where entry_kind = 'purchase') as stage
      from cashback_entries
      where member_id = ${referral.friendId} and purchased_at < ${referral.qualifyUntil}
      group by network_transaction_id) purchase
    where pence >= ${referral.minCashbackPence}`.execute(db);
  return STAGES[rows[0]?.stage ?? 0] ?? "none";
}

/**
 * Returns what the friend has in common with their chain, or with a friend whom somebody of the chain invited before: a browser, a bank account,
 * or a mailbox. The chain is the inviter, who invited the inviter, and so on. Compares keyed hashes; what they were made of is nowhere.
 */
export async function findSharedMarks(db: Db | Trx, referral: Referral): Promise<HoldReason[]> {
  // From the few who share a mark to the chain: however many friends the chain has, they are not read.
  const { rows } = await sql<{ reason: HoldReason }>`
    with recursive chain (id, steps) as (
      select ${referral.inviterId}::uuid, 1
      union all
      select above.inviter_id, steps + 1 from chain join referrals above on above.member_id = chain.id where steps < ${CHAIN_STEPS}
    ), sharing as (
      select case own.mark_kind when 'browser' then 'same_device' else 'same_address' end as reason, other.member_id as id
      from member_marks own join member_marks other using (brand_id, mark_kind, mark) where own.member_id = ${referral.friendId}
      union
      select 'same_bank_details', other.member_id
      from bank_details own join bank_details other using (brand_id, account_mark) where own.member_id = ${referral.friendId}
    )
    select distinct reason from sharing left join referrals joined on joined.member_id = sharing.id
    where sharing.id in (select id from chain)
      or ((joined.registered_at, joined.id) < (${referral.registeredAt}, ${referral.id}::uuid) and joined.inviter_id in (select id from chain))
    order by reason`.execute(db);
  return rows.map(({ reason }) => reason);
}

/** Returns whether the inviter has earned as many other bonuses within 365 days as the programme allows. Lock the inviter first. */
export async function isOverCap(trx: Trx, { referral, now }: { referral: Referral; now: Date }): Promise<boolean> {
  const { rows } = await sql<{ earned: number }>`
    select count(*)::int as earned from bonuses
    where member_id = ${referral.inviterId} and side = 'inviter' and referral_id <> ${referral.id}
      and state in ('held', 'confirmed', 'payable') and earned_at > ${now}::timestamptz - interval '365 days'`.execute(
    trx,
  );
  return (rows[0]?.earned ?? 0) >= referral.maxPerYear;
}
