import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { checkCashback } from "../cashback/check.server.ts";
import { checkClosures } from "../closures/check.server.ts";
import { checkGiftCards } from "../gift-cards/check.server.ts";
import { checkGoodwill } from "../goodwill/check.server.ts";
import { checkLedger } from "../ledger/check.server.ts";
import type { ListQuery } from "../lists/find-list-page.server.ts";
import { countHeldTransactions } from "../networks/held-transactions.server.ts";
import type { CardAccounts } from "../payments/card-accounts.ts";
import { checkDisputes, checkFees, checkPayments, compareBalance } from "../payments/check.server.ts";
import { checkPayouts } from "../payouts/check.server.ts";
import { checkBonuses } from "../referrals/check.server.ts";

/** What a check of the whole books found (C4). */
export interface CheckedBooks {
  transfers: number;
  entries: number;
  accounts: number;
  /** One sentence each: no fault, but a person may want to know. */
  notes: string[];
  /** One sentence each; empty: the books balance. */
  faults: string[];
}

/**
 * Checks every transfer, every total, and that each capability agrees with its postings. It reads the whole ledger: minutes for
 * many millions of entries. What the card provider has of ours is compared where it answers.
 */
export async function checkBooks(db: Db, { cards }: { cards: CardAccounts }): Promise<CheckedBooks> {
  const { transfers, entries, accounts, faults } = await checkLedger(db);
  const { live, test } = cards;
  const compared = live && (await compareBalance(db, live, { isShared: live === test }));
  const held = await countHeldTransactions(db);
  return {
    transfers,
    entries,
    accounts,
    notes: [
      ...(live
        ? [
            compared?.note ??
              "The card provider does not answer, or the key may not read its balance: it was not compared.",
          ]
        : []),
      ...held.map(
        ({ reason, count, oldest }) =>
          `${count} purchases credited to nobody (${reason}), the oldest from ${oldest.toISOString().slice(0, 10)}`,
      ),
    ],
    faults: [
      ...(compared?.faults ?? []),
      ...faults,
      ...(await checkCashback(db)),
      ...(await checkPayments(db)),
      ...(await checkDisputes(db)),
      ...(await checkFees(db)),
      ...(await checkClosures(db)),
      ...(await checkPayouts(db)),
      ...(await checkBonuses(db)),
      ...(await checkGoodwill(db)),
      ...(await checkGiftCards(db)),
    ],
  };
}

/** Keeps what a check found, and returns its id. */
export async function keepCheck(
  db: Db,
  { checked, by, tookMs, now }: { checked: CheckedBooks; by: string; tookMs: number; now: Date },
): Promise<{ publicId: string }> {
  const { notes, faults, ...counts } = checked;
  const row = await db
    .insertInto("book_checks")
    .values({
      id: newId(),
      checked_at: now,
      checked_by: by,
      took_ms: Math.round(tookMs),
      ...counts,
      notes: JSON.stringify(notes),
      faults: JSON.stringify(faults),
    })
    .returning("public_id")
    .executeTakeFirstOrThrow();
  return { publicId: row.public_id };
}

/** Returns when the books were last checked, and how many faults that found; null: never. */
export async function findLastCheck(db: Db): Promise<{ checkedAt: Date; faults: number } | null> {
  const { rows } = await sql<{ checkedAt: Date; faults: number }>`
    select checked_at as "checkedAt", jsonb_array_length(faults) as faults from book_checks order by checked_at desc limit 1`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** A check as operators list it. */
export interface ListedCheck extends CheckedBooks {
  publicId: string;
  checkedAt: Date;
  checkedBy: string;
  tookMs: number;
}

/** Returns how checks are listed, with the index book_checks_checked. */
export function checkList(): ListQuery<"checked"> {
  return {
    from: sql`book_checks record`,
    select: sql`record.public_id as "publicId", record.checked_at as "checkedAt", record.checked_by as "checkedBy",
      record.took_ms as "tookMs", record.transfers, record.entries, record.accounts, record.notes, record.faults`,
    where: [],
    sorts: { checked: { by: sql`record.checked_at`, type: "timestamptz" } },
    id: { by: sql`record.id`, type: "uuid" },
  };
}
