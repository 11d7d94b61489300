import type { Trx } from "@farthing/db/client.ts";
import type { CashbackEntries } from "@farthing/db/schema.ts";
import { newId } from "@farthing/db/uuid.ts";
import type { Selectable } from "kysely";
import { postTransfer } from "../ledger/operations.server.ts";
import { differenceOf } from "../ledger/rules.ts";
import type { CashbackState } from "./cashback-view.ts";
import { canGo, positionLegs, type CashbackPosition, type CashbackStep } from "./rules.ts";

export type CashbackEntry = Omit<Selectable<CashbackEntries>, "state" | "entry_kind"> & {
  state: CashbackState;
  entry_kind: "purchase" | "correction";
};

/** Locks the entries of a transaction, or a member's payable entries, always in the same order, so that concurrent calls cannot deadlock. */
export async function lockEntries(
  trx: Trx,
  which: { networkTransactionId: string } | { payableTo: string },
): Promise<CashbackEntry[]> {
  const query = trx.selectFrom("cashback_entries").selectAll().orderBy("id").forUpdate();
  const rows =
    "payableTo" in which
      ? await query.where("member_id", "=", which.payableTo).where("state", "=", "payable").execute()
      : await query.where("network_transaction_id", "=", which.networkTransactionId).execute();
  return rows as CashbackEntry[];
}

export interface NewEntry {
  brandId: string;
  memberId: string;
  retailerId: string;
  networkId: string;
  clickId: string;
  networkTransactionId: string;
  purchasedAt: Date;
  confirmExpected: { from: Date; to: Date } | null;
  /** `tracked` creates a purchase, `corrected` a correction. */
  step: CashbackStep;
  now: Date;
}

/** Inserts an entry and posts it to the ledger. */
export async function insertEntry(trx: Trx, { step, now, ...wanted }: NewEntry): Promise<CashbackEntry> {
  const isCorrection = step.change === "corrected";
  const entry = (await trx
    .insertInto("cashback_entries")
    .values({
      id: newId(),
      brand_id: wanted.brandId,
      member_id: wanted.memberId,
      retailer_id: wanted.retailerId,
      network_id: wanted.networkId,
      click_id: wanted.clickId,
      network_transaction_id: wanted.networkTransactionId,
      entry_kind: isCorrection ? "correction" : "purchase",
      state: step.state,
      sale_pence: step.salePence,
      cashback_pence: step.cashbackPence,
      commission_pence: step.commissionPence,
      reason_code: step.reason,
      confirm_expected_from: isCorrection ? null : (wanted.confirmExpected?.from ?? null),
      confirm_expected_to: isCorrection ? null : (wanted.confirmExpected?.to ?? null),
      purchased_at: wanted.purchasedAt,
      tracked_at: isCorrection ? null : now,
      payable_at: isCorrection ? now : null,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()) as CashbackEntry;
  await post(trx, entry, { state: "declined", cashbackPence: 0, commissionPence: 0 }, step, now);
  return entry;
}

/**
 * Moves an entry one step on and posts the difference. The update is guarded by state and version, so that one of two concurrent calls fails.
 * @throws Error when the lifecycle has no such step, or a concurrent call has changed the entry.
 */
export async function changeEntry(
  trx: Trx,
  { entry, step, now }: { entry: CashbackEntry; step: CashbackStep; now: Date },
): Promise<CashbackEntry> {
  if (step.state !== entry.state && !canGo(entry.state, step.state))
    throw new Error(`A cashback entry cannot go from ${entry.state} to ${step.state}.`);
  const changed = (await trx
    .updateTable("cashback_entries")
    .set({
      state: step.state,
      version: entry.version + 1,
      sale_pence: step.salePence,
      cashback_pence: step.cashbackPence,
      commission_pence: step.commissionPence,
      reason_code: step.reason,
      updated_at: now,
      ...(step.state === entry.state ? {} : timestampOf(step.state, now)),
    })
    .where("id", "=", entry.id)
    .where("state", "=", entry.state)
    .where("version", "=", entry.version)
    .returningAll()
    .executeTakeFirst()) as CashbackEntry | undefined;
  if (!changed) throw new Error(`Cashback entry ${entry.id} was changed by a concurrent call.`);
  await post(
    trx,
    changed,
    { state: entry.state, cashbackPence: entry.cashback_pence, commissionPence: entry.commission_pence },
    step,
    now,
  );
  return changed;
}

/** Returns the timestamps of a new state. A reinstated entry is no longer confirmed or declined. */
function timestampOf(state: CashbackState, now: Date) {
  if (state === "confirmed") return { confirmed_at: now };
  if (state === "payable") return { payable_at: now };
  if (state === "paid") return { paid_at: now };
  if (state === "declined") return { declined_at: now };
  return { tracked_at: now, confirmed_at: null, declined_at: null };
}

async function post(
  trx: Trx,
  entry: CashbackEntry,
  before: CashbackPosition,
  step: CashbackStep,
  now: Date,
): Promise<void> {
  const owners = { memberId: entry.member_id, networkId: entry.network_id };
  const legs = differenceOf(positionLegs(before, owners), positionLegs(step, owners));
  const posted =
    legs.length === 0
      ? null // nothing moves: a purchase tracked at zero, or a later reason
      : await postTransfer(trx, {
          key: `cashback:${entry.id}:${entry.version}`,
          kind: `cashback_${step.change}`,
          legs,
          cause: { kind: "cashback_entry", id: entry.id },
          happenedAt: now,
        });
  const worth = (position: CashbackPosition) => (position.state === "declined" ? 0 : position.cashbackPence);
  await trx
    .insertInto("cashback_changes")
    .values({
      entry_id: entry.id,
      version: entry.version,
      change_kind: step.change,
      state: step.state,
      cashback_pence: step.cashbackPence,
      difference_pence: worth(step) - worth(before),
      reason_code: step.reason,
      transfer_id: posted?.transferId ?? null,
      changed_at: now,
    })
    .execute();
}
