import type { Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { balancePence } from "../ledger/balances.server.ts";
import { lockMembers } from "../members/lock-member.server.ts";
import { announceFailure } from "./announce.server.ts";
import { failWithin } from "./operations.server.ts";
import { changePayout, lockPayout, type Payout } from "./payout-row.server.ts";
import { payoutObstacle } from "./rules.ts";

/** A payout that is in no batch, or no longer. `because` is for operators. */
export interface LeftOut {
  publicId: string;
  memberNumber: string;
  because: string;
}

interface LockedBatch {
  id: string;
  batchNumber: number;
}

/**
 * Takes out of a locked batch that nobody has approved what may not be paid any more (C6): payouts of members who were
 * put on hold, whose bank details were removed or changed, or whose balance has fallen below zero since the batch was
 * made. Returns what is left out, and how many payouts stay.
 */
export async function lookAgain(
  trx: Trx,
  { id: batchId, batchNumber }: LockedBatch,
  now: Date,
): Promise<{ leftOut: LeftOut[]; staying: number }> {
  const ids = await trx
    .selectFrom("payouts")
    .select("member_id")
    .where("batch_id", "=", batchId)
    .where("state", "=", "processing")
    .execute();
  await lockMembers(
    trx,
    ids.map(({ member_id }) => member_id),
  );
  const { rows } = await sql<{
    id: string;
    memberNumber: string;
    hold: string | null;
    hasDetails: boolean;
    isChanged: boolean;
    payablePence: number | null;
  }>`
    select payout.id, member.member_number as "memberNumber",
      (select reason from payout_holds hold where hold.member_id = member.id and lifted_at is null) as hold,
      case when payout.closure_id is null then details.member_id is not null else closure.payee is not null end as "hasDetails",
      coalesce(case when payout.closure_id is null then details.changed_at else closure.payee_usable_from end > payout.processing_at,
        false) as "isChanged",
      (select ${balancePence} from ledger_accounts account
        where account.member_id = member.id and account.account_kind = 'member_payable') as "payablePence"
    from payouts payout join members member on member.id = payout.member_id
    left join bank_details details on details.member_id = member.id
    left join closures closure on closure.id = payout.closure_id
    where payout.batch_id = ${batchId} and payout.state = 'processing' order by payout.id`.execute(trx);
  const leftOut: LeftOut[] = [];
  for (const { id, memberNumber, hold, hasDetails, isChanged, payablePence } of rows) {
    const detailsFault = !hasDetails
      ? "The bank details were removed since the batch was made."
      : isChanged
        ? "The bank details were changed since the batch was made."
        : null;
    const obstacle = payoutObstacle({ payablePence: payablePence ?? 0, hold, detailsFault });
    if (!obstacle) continue;
    const { because, ends } = obstacle;
    const payout = (await lockPayout(trx, id))!;
    if (ends) {
      const over = await failWithin(trx, payout, { reason: "balance_fell", said: null, now });
      // Who leaves asks for nothing: the next batch pays what is left.
      if (over.closure_id === null) await announceFailure(trx, over, now);
    } else await sendBack(trx, payout, { batchNumber, because, now });
    leftOut.push({ publicId: payout.public_id, memberNumber, because });
  }
  return { leftOut, staying: rows.length - leftOut.length };
}

/** Lets a payout of a batch wait for the next one; the payout of a member who leaves ends, and the next batch makes it anew. */
export async function sendBack(
  trx: Trx,
  payout: Payout,
  { batchNumber, because, now }: { batchNumber: number; because: string; now: Date },
): Promise<void> {
  if (payout.closure_id !== null)
    await failWithin(trx, payout, { reason: "operator", said: `taken out of batch ${batchNumber}`, now });
  else
    await changePayout(trx, payout, {
      state: "requested",
      batch_id: null,
      payee: null,
      processing_at: null,
      last_error: because.slice(0, 500),
    });
}
