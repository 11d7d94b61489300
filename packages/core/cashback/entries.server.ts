import type { Trx } from "@farthing/db/client.ts";
import type { CashbackEntries } from "@farthing/db/schema.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql, type Selectable } from "kysely";
import { postTransfers } from "../ledger/post-transfers.server.ts";
import { differenceOf, type NewTransfer } from "../ledger/rules.ts";
import type { CashbackState } from "./cashback-view.ts";
import { canGo, positionLegs, type CashbackPosition, type CashbackStep } from "./rules.ts";

export type CashbackEntry = Omit<Selectable<CashbackEntries>, "state" | "entry_kind"> & {
  state: CashbackState;
  entry_kind: "purchase" | "correction";
};

/** Locks the entries of a transaction, or a member's payable entries, always in the same order, so that concurrent calls cannot deadlock. */
export async function lockEntries(
  trx: Trx,
  which: { networkTransactionId: string } | { networkTransactionIds: readonly string[] } | { payableTo: string },
): Promise<CashbackEntry[]> {
  const query = trx.selectFrom("cashback_entries").selectAll().orderBy("id").forUpdate();
  const ids =
    "networkTransactionIds" in which
      ? which.networkTransactionIds
      : "networkTransactionId" in which
        ? [which.networkTransactionId]
        : null;
  if (ids?.length === 0) return [];
  const rows =
    "payableTo" in which
      ? await query.where("member_id", "=", which.payableTo).where("state", "=", "payable").execute()
      : await query.where("network_transaction_id", "in", [...ids!]).execute();
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
}

/** One step of an entry that exists. */
export interface EntryChange {
  entry: CashbackEntry;
  step: CashbackStep;
}

/**
 * Takes one step for each of several entries: inserts new ones, moves others one step on, and posts the differences to the ledger. Updates are guarded by
 * state and version, so that one of two concurrent calls fails. Returns the entries as they are now, the inserted ones first, in the callers' order.
 * All entries are written before anything is posted: from then on the rows of every member are locked.
 * @throws Error when the lifecycle has no such step, or a concurrent call has changed an entry.
 */
export async function takeSteps(
  trx: Trx,
  { inserts, changes, now }: { inserts: readonly NewEntry[]; changes: readonly EntryChange[]; now: Date },
): Promise<{ inserted: CashbackEntry[]; changed: CashbackEntry[] }> {
  const inserted = await insertEntries(trx, inserts, now);
  const changed = await changeEntries(trx, changes, now);
  const nothing = { state: "declined", cashbackPence: 0, commissionPence: 0 } as const;
  await post(
    trx,
    [
      ...inserted.map((entry, at) => ({ entry, before: nothing, step: inserts[at]!.step })),
      ...changed.map((entry, at) => {
        const { state, cashback_pence, commission_pence } = changes[at]!.entry;
        const before = { state, cashbackPence: cashback_pence, commissionPence: commission_pence };
        return { entry, before, step: changes[at]!.step };
      }),
    ],
    now,
  );
  return { inserted, changed };
}

/** Moves one entry one step on: takeSteps. */
export async function changeEntry(trx: Trx, { entry, step, now }: EntryChange & { now: Date }): Promise<CashbackEntry> {
  return (await takeSteps(trx, { inserts: [], changes: [{ entry, step }], now })).changed[0]!;
}

async function insertEntries(trx: Trx, wanted: readonly NewEntry[], now: Date): Promise<CashbackEntry[]> {
  if (wanted.length === 0) return [];
  const rows = wanted.map(({ step, confirmExpected, ...owners }) => {
    const isCorrection = step.change === "corrected";
    return {
      id: newId(),
      brand_id: owners.brandId,
      member_id: owners.memberId,
      retailer_id: owners.retailerId,
      network_id: owners.networkId,
      click_id: owners.clickId,
      network_transaction_id: owners.networkTransactionId,
      entry_kind: isCorrection ? "correction" : "purchase",
      state: step.state,
      sale_pence: step.salePence,
      cashback_pence: step.cashbackPence,
      commission_pence: step.commissionPence,
      reason_code: step.reason,
      confirm_expected_from: isCorrection ? null : (confirmExpected?.from ?? null),
      confirm_expected_to: isCorrection ? null : (confirmExpected?.to ?? null),
      purchased_at: owners.purchasedAt,
      tracked_at: isCorrection ? null : now,
      payable_at: isCorrection ? now : null,
      created_at: now,
      updated_at: now,
    };
  });
  const inserted = await trx.insertInto("cashback_entries").values(rows).returningAll().execute();
  const byId = new Map(inserted.map((entry) => [entry.id, entry as CashbackEntry]));
  return rows.map(({ id }) => byId.get(id)!);
}

async function changeEntries(trx: Trx, changes: readonly EntryChange[], now: Date): Promise<CashbackEntry[]> {
  if (changes.length === 0) return [];
  const rows = changes.map(({ entry, step }) => {
    if (step.state !== entry.state && !canGo(entry.state, step.state))
      throw new Error(`A cashback entry cannot go from ${entry.state} to ${step.state}.`);
    return {
      id: entry.id,
      was: entry.state,
      version: entry.version,
      state: step.state,
      sale_pence: step.salePence,
      cashback_pence: step.cashbackPence,
      commission_pence: step.commissionPence,
      reason_code: step.reason,
    };
  });
  // A reinstated entry is no longer confirmed or declined.
  const { rows: changed } = await sql<CashbackEntry>`
    update cashback_entries entry set
      state = step.state, version = entry.version + 1, sale_pence = step.sale_pence, cashback_pence = step.cashback_pence,
      commission_pence = step.commission_pence, reason_code = step.reason_code, updated_at = ${now}::timestamptz,
      tracked_at = case when step.state = 'tracked' and step.was <> 'tracked' then ${now} else entry.tracked_at end,
      confirmed_at = case when step.state = step.was then entry.confirmed_at
        when step.state = 'confirmed' then ${now} when step.state = 'tracked' then null else entry.confirmed_at end,
      payable_at = case when step.state = 'payable' and step.was <> 'payable' then ${now} else entry.payable_at end,
      paid_at = case when step.state = 'paid' and step.was <> 'paid' then ${now} else entry.paid_at end,
      declined_at = case when step.state = step.was then entry.declined_at
        when step.state = 'declined' then ${now} when step.state = 'tracked' then null else entry.declined_at end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) step (id uuid, was text, version integer, state text, sale_pence bigint,
      cashback_pence bigint, commission_pence bigint, reason_code text)
    where entry.id = step.id and entry.state = step.was and entry.version = step.version
    returning entry.*`.execute(trx);
  const byId = new Map(changed.map((entry) => [entry.id, entry]));
  return rows.map(({ id }) => {
    const entry = byId.get(id);
    if (!entry) throw new Error(`Cashback entry ${id} was changed by a concurrent call.`);
    return entry;
  });
}

async function post(
  trx: Trx,
  posts: readonly { entry: CashbackEntry; before: CashbackPosition; step: CashbackStep }[],
  now: Date,
): Promise<void> {
  if (posts.length === 0) return;
  const transfers = posts.flatMap(({ entry, before, step }): NewTransfer[] => {
    const owners = { memberId: entry.member_id, networkId: entry.network_id };
    const legs = differenceOf(positionLegs(before, owners), positionLegs(step, owners));
    if (legs.length === 0) return []; // nothing moves: a purchase tracked at zero, or a later reason
    const cause = { kind: "cashback_entry", id: entry.id } as const;
    return [{ key: keyOf(entry), kind: `cashback_${step.change}`, legs, cause, happenedAt: now }];
  });
  const posted = await postTransfers(trx, transfers);
  const transferIds = new Map(transfers.map(({ key }, at) => [key, posted[at]!.transferId]));
  const worth = (position: CashbackPosition) => (position.state === "declined" ? 0 : position.cashbackPence);
  await trx
    .insertInto("cashback_changes")
    .values(
      posts.map(({ entry, before, step }) => ({
        entry_id: entry.id,
        version: entry.version,
        change_kind: step.change,
        state: step.state,
        cashback_pence: step.cashbackPence,
        difference_pence: worth(step) - worth(before),
        reason_code: step.reason,
        transfer_id: transferIds.get(keyOf(entry)) ?? null,
        changed_at: now,
      })),
    )
    .execute();
}

function keyOf({ id, version }: CashbackEntry): string {
  return `cashback:${id}:${version}`;
}
