import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { sealBankAccount, UnreadableDetailsError } from "../bank-details/bank-seal.ts";
import { tryOpenPayee } from "../closures/payee-seal.ts";
import { payeeHeldUntil } from "../closures/rules.ts";
import { sumPence } from "../money/money.ts";
import { findMemberBalances } from "../ledger/balances.server.ts";
import { lockMembers } from "../members/lock-member.server.ts";
import type { SecretKeys } from "../secrets/sealed-secret.ts";
import { bacsDays, type BacsDays } from "./bacs-calendar.ts";
import { announceFailure } from "./announce.server.ts";
import { findPayableNow } from "../payable/payable-now.server.ts";
import type { LeftOut } from "./look-again.server.ts";
import { failWithin, insertPayout } from "./operations.server.ts";
import { changePayout, lockPayout, type Payout } from "./payout-row.server.ts";
import type { PayoutMethod } from "./provider.ts";
import { payoutObstacle } from "./rules.ts";

export interface BatchParts {
  // A method's destination is its own matter.
  method: PayoutMethod<unknown>;
  /** Encrypt bank details of payouts. */
  bankKeys: SecretKeys;
  /** Decrypt the bank details of members who leave. */
  payeeKeys: SecretKeys;
  by: string;
  now: Date;
}

export interface MadeBatch extends BacsDays {
  /** Null: nobody could be paid, and no batch was made. */
  batchNumber: number | null;
  payouts: number;
  totalPence: number;
  /** Who was left out, with a reason that the operator can act on; nothing holds up the others. */
  skipped: LeftOut[];
}

/** One batch at a time, so that two operators get one payment into one batch. */
const BATCH_LOCK = 4_106_031;

/**
 * Takes everything that was asked for and may leave into a batch, for the next processing day of Bacs (C6): one
 * transaction, so that a process that dies leaves all of it or nothing. What is in a batch is in no other. Left out are
 * members on hold, without bank details, or with details that are held after a change or can't be decrypted.
 */
export async function makeBatch(db: Db, parts: BatchParts): Promise<MadeBatch> {
  const skipped: MadeBatch["skipped"] = [];
  const days = bacsDays(parts.now);
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${BATCH_LOCK})`.execute(trx);
    const batch = openBatch(trx, parts, days);
    const taken: Payout[] = [];
    const requested = await findRequested(trx, parts.method.name);
    const closing = await findClosing(trx);
    await lockMembers(trx, [...requested.map(({ member_id }) => member_id), ...closing]);
    for (const { id, member_id } of requested) {
      const payout = await takeRequested(trx, { id, memberId: member_id, batch }, parts, skipped);
      if (payout) taken.push(payout);
    }
    for (const memberId of closing) {
      const payout = await takeClosing(trx, { memberId, batch }, parts, skipped);
      if (payout) taken.push(payout);
    }
    return {
      ...days,
      batchNumber: taken.length > 0 ? (await batch()).batch_number : null,
      payouts: taken.length,
      totalPence: sumPence(taken.map((payout) => payout.amount_pence)),
      skipped,
    };
  });
}

type OpenBatch = () => Promise<{ id: string; batch_number: number }>;

/** Returns what inserts the batch when its first payout joins it: there are no empty batches. */
function openBatch(trx: Trx, { method, by, now }: BatchParts, days: BacsDays): OpenBatch {
  let opened: ReturnType<OpenBatch> | null = null;
  return () =>
    (opened ??= trx
      .insertInto("payout_batches")
      .values({
        id: newId(),
        method: method.name,
        made_at: now,
        made_by: by,
        processing_day: days.processingDay,
        entry_day: days.entryDay,
      })
      .returning(["id", "batch_number"])
      .executeTakeFirstOrThrow());
}

function findRequested(trx: Trx, method: string) {
  return trx
    .selectFrom("payouts")
    .select(["id", "member_id"])
    .where("state", "=", "requested")
    .where("method", "=", method)
    .orderBy("requested_at")
    .orderBy("id")
    .execute();
}

async function takeRequested(
  trx: Trx,
  { id, memberId, batch }: { id: string; memberId: string; batch: OpenBatch },
  parts: BatchParts,
  skipped: MadeBatch["skipped"],
): Promise<Payout | null> {
  const { method, now } = parts;
  const payout = await lockPayout(trx, id);
  if (!payout || payout.state !== "requested") return null;
  const { rows } = await sql<{ number: string; sealed: string | null; usable: Date | null; hold: string | null }>`
    select member.member_number as number, details.sealed, details.usable_from as usable,
      (select reason from payout_holds hold where hold.member_id = member.id and lifted_at is null) as hold
    from members member left join bank_details details on details.member_id = member.id where member.id = ${memberId}`.execute(
    trx,
  );
  const found = rows[0]!;
  const skip = async (because: string): Promise<null> => {
    skipped.push({ publicId: payout.public_id, memberNumber: found.number, because });
    await trx
      .updateTable("payouts")
      .set({ last_error: because, version: payout.version + 1 })
      .where("id", "=", id)
      .execute();
    return null;
  };
  const { member_payable: payablePence } = await findMemberBalances(trx, { memberId });
  const obstacle = payoutObstacle({ payablePence, hold: found.hold, detailsFault: detailsFault(found, now) });
  if (obstacle?.ends) {
    const over = await failWithin(trx, payout, { reason: "balance_fell", said: null, now });
    await announceFailure(trx, over, now);
    skipped.push({ publicId: payout.public_id, memberNumber: found.number, because: obstacle.because });
    return null;
  }
  if (obstacle) return skip(obstacle.because);
  if (found.sealed === null) return null; // the obstacle above says so
  try {
    method.open(found.sealed, memberId);
  } catch (error) {
    if (error instanceof UnreadableDetailsError) return skip(error.message);
    throw error;
  }
  return changePayout(trx, payout, {
    state: "processing",
    batch_id: (await batch()).id,
    payee: found.sealed,
    processing_at: now,
    last_error: null,
  });
}

function detailsFault({ sealed, usable }: { sealed: string | null; usable: Date | null }, now: Date): string | null {
  if (sealed === null || usable === null) return "No bank details: the member can give them at /money/bank-details.";
  return usable > now ? `The bank details were changed: held until ${usable.toISOString()}.` : null;
}

/** Returns the members who leave and wait for their last payout, the longest waiting first. */
async function findClosing(trx: Trx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select member_id as id from closures closure
    where state = 'awaiting_payout' and payee is not null
      and not exists (select from payouts where member_id = closure.member_id and state in ('requested', 'processing'))
    order by requested_at, id`.execute(trx);
  return rows.map(({ id }) => id);
}

async function takeClosing(
  trx: Trx,
  { memberId, batch }: { memberId: string; batch: OpenBatch },
  { bankKeys, payeeKeys, by, now }: BatchParts,
  skipped: MadeBatch["skipped"],
): Promise<Payout | null> {
  const { rows } = await sql<{
    id: string;
    publicId: string;
    brandId: string;
    payee: string | null;
    usableFrom: Date | null;
    number: string;
    hold: string | null;
  }>`
    select closure.id, closure.public_id as "publicId", closure.brand_id as "brandId", closure.payee,
      closure.payee_usable_from as "usableFrom", member.member_number as number,
      (select reason from payout_holds hold where hold.member_id = member.id and lifted_at is null) as hold
    from closures closure join members member on member.id = closure.member_id
    where closure.member_id = ${memberId} and closure.state = 'awaiting_payout'`.execute(trx);
  const closure = rows[0];
  if (!closure || closure.payee === null) return null;
  const skip = (because: string): null => {
    skipped.push({ publicId: closure.publicId, memberNumber: closure.number, because });
    return null;
  };
  if (closure.hold !== null) return skip(`On hold: ${closure.hold}`);
  const { payablePence, entryIds } = await findPayableNow(trx, { memberId });
  if (payablePence <= 0) return null;
  const heldUntil = payeeHeldUntil(closure.usableFrom, now);
  if (heldUntil) return skip(`The bank details were changed: held until ${heldUntil.toISOString()}.`);
  const account = tryOpenPayee(closure.payee, memberId, payeeKeys);
  if (account === null)
    return skip(
      "The bank details can't be decrypted: add the secret that they were given under to FARTHING_OLD_SECRETS.",
    );
  const payout = await insertPayout(trx, {
    brandId: closure.brandId,
    memberId,
    closureId: closure.id,
    amountPence: payablePence,
    entryIds,
    by,
    now,
  });
  return changePayout(trx, payout, {
    state: "processing",
    batch_id: (await batch()).id,
    payee: sealBankAccount(account, memberId, bankKeys),
    processing_at: now,
  });
}
