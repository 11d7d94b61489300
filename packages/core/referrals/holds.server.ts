import type { Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { accountId } from "../ledger/operations.server.ts";
import { findPayableNow } from "../payable/payable-now.server.ts";
import { findRequested, stopRequested } from "../payouts/stop-requested.server.ts";
import { findSharedMarks } from "./find-facts.server.ts";
import {
  bonusKey,
  changeBonus,
  findBonuses,
  lockReferral,
  wakeReferrals,
  type Bonus,
  type Referral,
} from "./referral-row.server.ts";
import { isPosted, type BonusStep, type HoldReason } from "./rules.ts";

/** Who placed a hold that no operator placed. */
const BY_RULES = "rules";

/**
 * Places or extends the hold of a locked referral, and returns the one that counts. A reason that an operator has lifted
 * holds the referral no more.
 */
export async function reviewHold(
  trx: Trx,
  { referral, reasons, by = BY_RULES, now }: { referral: Referral; reasons?: HoldReason[]; by?: string; now: Date },
): Promise<"none" | "open" | "refused"> {
  const holds = await trx
    .selectFrom("referral_holds")
    .select(["id", "reasons", "decision"])
    .where("referral_id", "=", referral.id)
    .execute();
  if (holds.some(({ decision }) => decision === "refused")) return "refused";
  const found = reasons ?? (await findSharedMarks(trx, referral));
  const known = new Set(holds.flatMap((hold) => (by === BY_RULES || hold.decision === null ? hold.reasons : [])));
  const fresh = found.filter((reason) => !known.has(reason));
  const open = holds.find(({ decision }) => decision === null);
  if (fresh.length === 0) return open ? "open" : "none";
  if (open)
    await trx
      .updateTable("referral_holds")
      .set({ reasons: [...open.reasons, ...fresh] })
      .where("id", "=", open.id)
      .execute();
  else
    await trx
      .insertInto("referral_holds")
      .values({ id: newId(), referral_id: referral.id, reasons: fresh, placed_at: now, placed_by: by })
      .execute();
  return "open";
}

/**
 * Holds a locked member's bonuses that their new bank details put in question, in the transaction that stores the
 * details: what is held can't be withdrawn to them, nor what was asked for before. The worker looks at the other side's,
 * and at the referrals of others who have given the same account.
 */
export async function holdForBankDetails(trx: Trx, { memberId, now }: { memberId: string; now: Date }): Promise<void> {
  const { rows } = await sql<{ id: string; isOwn: boolean }>`
    select id, inviter_id = ${memberId} or member_id = ${memberId} as "isOwn" from referrals
    where inviter_id = ${memberId} or member_id = ${memberId} or member_id in (
      select other.member_id from bank_details own join bank_details other using (brand_id, account_mark) where own.member_id = ${memberId})
    order by id`.execute(trx);
  for (const { id, isOwn } of rows) {
    const referral = isOwn ? await lockReferral(trx, id) : null;
    if (!referral) continue;
    const bonus = (await findBonuses(trx, id)).find((candidate) => candidate.member_id === memberId);
    if (!bonus || !isPosted(bonus.state)) continue;
    if ((await reviewHold(trx, { referral, now })) !== "open") continue;
    if (bonus.state === "payable" && !(await isStillThere(trx, bonus))) continue;
    await takeBack(trx, bonus, { state: "held" }, now);
  }
  await wakeReferrals(
    trx,
    rows.map(({ id }) => id),
    now,
  );
}

/**
 * Returns whether all of a payable bonus is in its member's payable balance still, or in what they have asked for and no
 * batch has. One that was withdrawn is not there, whatever has come in since. Lock the member first.
 */
export async function isStillThere(trx: Trx, bonus: Bonus): Promise<boolean> {
  if (await wasWithdrawn(trx, bonus)) return false;
  if (await isPayable(trx, bonus)) return true;
  const requested = await findRequested(trx, { memberId: bonus.member_id });
  return requested !== undefined && (await isPayable(trx, bonus, requested.amountPence));
}

/**
 * Returns whether what has left since the bonus became payable took any of it. A payment to the bank, in a batch or by hand,
 * takes everything payable; a gift card takes from the bonus what the rest of the balance did not cover. What came back never left.
 */
async function wasWithdrawn(trx: Trx, bonus: Bonus): Promise<boolean> {
  const { rows } = await sql<{ wasWithdrawn: boolean }>`
    with moves as (
      select transfer.id, transfer.cause_kind = 'closure' as is_by_hand, payout.id is not null as is_payout,
        sum(entry.amount_pence) over (order by transfer.id) as after_pence
      from ledger_entries entry join ledger_transfers transfer on transfer.id = entry.transfer_id
      left join payouts payout on transfer.cause_kind = 'payout' and payout.id = transfer.cause_id
        and transfer.transfer_kind in ('payout_requested', 'payout_failed', 'payout_returned')
      where entry.account_id = ${accountId({ kind: "member_payable", memberId: bonus.member_id })}
        and (payout.id is null or payout.state in ('processing', 'paid') or payout.state = 'requested' and payout.method <> 'bank'))
    select exists (
      select from moves where (is_by_hand or is_payout and after_pence < ${bonus.amount_pence})
        and id > (select id from ledger_transfers where transfer_key = ${bonusKey(bonus)})) as "wasWithdrawn"`.execute(
    trx,
  );
  return rows[0]!.wasWithdrawn;
}

async function isPayable(trx: Trx, bonus: Bonus, besidesPence = 0): Promise<boolean> {
  const { payablePence } = await findPayableNow(trx, { memberId: bonus.member_id });
  return payablePence + besidesPence >= bonus.amount_pence;
}

/**
 * Holds or ends a bonus of a locked member that is still there. If the payable balance is too small for it, the payout
 * that they have asked for ends first, and the rest of it is theirs to withdraw.
 */
export async function takeBack(trx: Trx, bonus: Bonus, step: BonusStep, now: Date): Promise<Bonus> {
  if (bonus.state === "payable" && !(await isPayable(trx, bonus)))
    await stopRequested(trx, { memberId: bonus.member_id, reason: "bonus_held", now });
  return changeBonus(trx, bonus, step, now);
}
