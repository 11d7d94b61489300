import type { Trx } from "@farthing/db/client.ts";
import { changeEntry, lockEntries } from "../cashback/entries.server.ts";
import { isDeclineReason } from "../networks/decline-reason.ts";
import { postTransfer } from "../ledger/operations.server.ts";
import { mergeLegs, type Leg, type NewTransfer } from "../ledger/rules.ts";
import { sumPence, type Pence } from "../money/money.ts";

export interface PaidMoney {
  memberId: string;
  amountPence: number;
  from: "payable" | "in-transit";
  /** The cashback that is paid with it; null: all that is payable. */
  entryIds: readonly string[] | null;
  key: string;
  cause: NewTransfer["cause"];
  now: Date;
}

/**
 * Records in the ledger that a member was paid an amount, and marks the cashback that it was paid for. The caller has
 * locked the member and checked the amount.
 */
export async function settleAsPaid(trx: Trx, paid: PaidMoney): Promise<void> {
  const { memberId, amountPence, from, entryIds, key, cause, now } = paid;
  const payable = await lockEntries(trx, { payableTo: memberId });
  const entries = entryIds === null ? payable : payable.filter(({ id }) => entryIds.includes(id));
  const entriesPence = sumPence(entries.map((entry) => entry.cashback_pence));
  const legs = mergeLegs(paidLegs(memberId, { amountPence, entriesPence, from }));
  if (legs.length > 0) await postTransfer(trx, { key, kind: "payout_paid", legs, cause, happenedAt: now });
  for (const entry of entries)
    await changeEntry(trx, {
      entry,
      step: {
        change: "paid",
        state: "paid",
        salePence: entry.sale_pence,
        cashbackPence: entry.cashback_pence,
        commissionPence: entry.commission_pence,
        reason: entry.reason_code !== null && isDeclineReason(entry.reason_code) ? entry.reason_code : null,
      },
      now,
    });
}

/**
 * Returns the legs that pay an amount out of `from`. Cashback entries move their own money from payable to paid
 * (cashback/rules.ts), so theirs is put back there first; the rest, bonuses and returned money, moves directly.
 */
function paidLegs(
  memberId: string,
  { amountPence, entriesPence, from }: { amountPence: Pence; entriesPence: Pence; from: "payable" | "in-transit" },
): Leg[] {
  return [
    {
      account: { kind: from === "payable" ? "member_payable" : "member_in_transit", memberId },
      amountPence: -amountPence,
    },
    { account: { kind: "member_payable", memberId }, amountPence: entriesPence },
    { account: { kind: "member_paid", memberId }, amountPence: amountPence - entriesPence },
  ];
}
