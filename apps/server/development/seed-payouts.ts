import { act } from "@farthing/core/audit/act.server.ts";
import { markOfAccount, sealBankAccount } from "@farthing/core/bank-details/bank-seal.ts";
import { lockMember } from "@farthing/core/members/lock-member.server.ts";
import { findPayableNow } from "@farthing/core/payable/payable-now.server.ts";
import { approveBatch } from "@farthing/core/payouts/approve.server.ts";
import type { BacsOriginator } from "@farthing/core/payouts/bacs-files.ts";
import { bankMethod } from "@farthing/core/payouts/bank-method.server.ts";
import { batchFiles } from "@farthing/core/payouts/batch-files.server.ts";
import { makeBatch } from "@farthing/core/payouts/batch.server.ts";
import { confirmBatch } from "@farthing/core/payouts/confirm.server.ts";
import { insertPayout } from "@farthing/core/payouts/operations.server.ts";
import type { SecretKeys } from "@farthing/core/secrets/sealed-secret.ts";
import type { Db } from "@farthing/db/client.ts";

const DAY_MS = 86_400_000;
/** Nobody else's withdrawal waits this long. */
const SETTLED_AFTER_DAYS = 60;

/** An account that passes the check of sort codes, at a bank that there isn't. */
const ACCOUNT = { name: "Robin Marsh", sortCode: "089999", accountNumber: "66374958" };

/** What pays the withdrawals of the demo members. */
export interface DemoBank {
  bankKeys: SecretKeys;
  originator: BacsOriginator;
}

/** Asks once for everything payable at `at` to be paid to the demo member's account. A second time would take what became payable since. */
export async function askOnce(
  db: Db,
  { bankKeys }: DemoBank,
  { brandId, memberId, at }: { brandId: string; memberId: string; at: Date },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockMember(trx, { brandId, memberId });
    const asked = await trx
      .selectFrom("payouts")
      .select("id")
      .where("member_id", "=", memberId)
      .limit(1)
      .executeTakeFirst();
    const { payablePence: amountPence, entryIds } = await findPayableNow(trx, { memberId });
    if (asked || amountPence <= 0) return;
    const changedAt = new Date(at.getTime() - 10 * DAY_MS);
    await trx
      .insertInto("bank_details")
      .values({
        ...{ brand_id: brandId, member_id: memberId, changed_at: changedAt, usable_from: changedAt },
        ...{ sealed: sealBankAccount(ACCOUNT, memberId, bankKeys), account_mark: markOfAccount(ACCOUNT, bankKeys) },
      })
      .onConflict((conflict) => conflict.column("member_id").doNothing())
      .execute();
    await insertPayout(trx, { brandId, memberId, closureId: null, amountPence, entryIds, by: "member", now: at });
  });
}

/** Pays what demo members asked for long ago, in one batch of two demo operators, as the club would have. */
export async function payDemoPayouts(
  db: Db,
  { bankKeys, originator }: DemoBank,
  { now }: { now: Date },
): Promise<void> {
  const waiting = await db
    .selectFrom("payouts")
    .select(["member_id as memberId", "requested_at as at"])
    .where("state", "=", "requested")
    .orderBy("requested_at", "desc")
    .execute();
  const last = waiting[0]?.at.getTime();
  if (last === undefined || last > now.getTime() - SETTLED_AFTER_DAYS * DAY_MS) return;
  const after = (days: number) => new Date(last + days * DAY_MS);
  const method = bankMethod({ keys: bankKeys, originator });
  const by = "finance@farthing.example";
  const { batchNumber } = await makeBatch(db, { method, bankKeys, payeeKeys: bankKeys, by, now: after(1) });
  if (batchNumber === null) return;
  const approval = { batchNumber, by: "owner@farthing.example", aloneBecause: null, now: after(1) };
  await approveBatch(db, approval);
  const download = {
    ...({ permission: "money.change", action: "payout-batch.download", why: "both files" } as const),
    subject: { type: "payout-batch", id: String(batchNumber) },
  } as const;
  await act(db, { command: by, now: after(1) }, download, (joined) =>
    batchFiles(joined, { batchNumber, method, now: after(1) }),
  );
  await confirmBatch(db, { batchNumber, bankKeys, by, now: after(9) });
  // The members were told at the time.
  const paid = [...new Set(waiting.map(({ memberId }) => memberId))];
  await db.deleteFrom("mails").where("kind", "like", "payout-%").where("member_id", "in", paid).execute();
  await db.deleteFrom("cashback_notices").where("member_id", "in", paid).execute();
}
