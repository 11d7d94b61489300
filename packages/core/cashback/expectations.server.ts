import type { Db, Trx } from "@farthing/db/client.ts";
import { keepPlan } from "@farthing/db/kept-plans.ts";
import { sql, type RawBuilder } from "kysely";
import type { RateSnapshot } from "../clicks/rate-snapshot.ts";
import {
  expectationOf,
  isRevision,
  overdueFrom,
  type Awaits,
  type Expectation,
  type ExpectationReason,
  type Timing,
} from "./expectation.ts";

/** An open purchase is looked at this often, in case the retailer's history has moved. */
const LOOK_EVERY_MS = 7 * 86_400_000;

interface WatchedFacts {
  id: string;
  state: string;
  member_id: string;
  cashback_pence: number;
  purchased_at: Date;
  confirmed_at: Date | null;
  locks_at: Date | null;
  network_slug: string;
  tracking: RateSnapshot["tracking"];
  retailer_timing: Timing | null;
  network_timing: Timing | null;
  awaits: Awaits | null;
  revision: number | null;
  last_revision: number;
  expected_from: Date | null;
  expected_to: Date | null;
  overdue_since: Date | null;
  reason: ExpectationReason | null;
}

export interface Reviewed {
  /** True where the member is told other dates than before. */
  isRevised: boolean;
  /** True where it has become overdue just now. */
  isNewlyOverdue: boolean;
  /** The current range, for the mail; null where none is known or the purchase is no longer open. */
  range: Expectation["range"];
}

/** As reviewExpectations, for one entry. */
export async function reviewExpectation(trx: Trx, { entryId, now }: { entryId: string; now: Date }): Promise<Reviewed> {
  return (await reviewExpectations(trx, { entryIds: [entryId], now })).get(entryId)!;
}

/**
 * Brings what is expected of entries in line with their state, their network's date and the retailers' histories; stores a revision where the dates
 * have moved, and notices those that are overdue (C3). The caller has locked the entries. An entry that is neither tracked nor confirmed is no longer
 * watched. Returns the result for each entry.
 */
export async function reviewExpectations(
  trx: Trx,
  { entryIds, now }: { entryIds: readonly string[]; now: Date },
): Promise<Map<string, Reviewed>> {
  const closed = { isRevised: false, isNewlyOverdue: false, range: null };
  const reviewed = new Map<string, Reviewed>(entryIds.map((id) => [id, closed]));
  const open = (await findFacts(trx, entryIds)).filter(isOpen);
  const watched = new Set(open.map(({ id }) => id));
  const ended = entryIds.filter((id) => !watched.has(id));
  if (ended.length > 0) await trx.deleteFrom("cashback_watches").where("entry_id", "in", ended).execute();
  if (open.length === 0) return reviewed;
  const looks = open.map((facts) => lookAt(facts, now));
  for (const { facts, current, isRevised, isOverdue } of looks) {
    const isNewlyOverdue = isOverdue && facts.overdue_since === null;
    reviewed.set(facts.id, { isRevised, isNewlyOverdue, range: current.range });
  }
  const revised = looks.filter(({ isRevised }) => isRevised);
  if (revised.length > 0)
    await trx
      .insertInto("cashback_expectations")
      .values(
        revised.map(({ facts, current, revision }) => ({
          entry_id: facts.id,
          revision,
          awaits: current.awaits,
          expected_from: current.range?.from ?? null,
          expected_to: current.range?.to ?? null,
          reason: current.reason,
          made_at: now,
        })),
      )
      .execute();
  await trx
    .insertInto("cashback_watches")
    .values(
      looks.map(({ facts, current, revision, isOverdue, nextLook }) => ({
        entry_id: facts.id,
        member_id: facts.member_id,
        awaits: current.awaits,
        revision,
        expected_from: current.range?.from ?? null,
        expected_to: current.range?.to ?? null,
        cashback_pence: facts.cashback_pence,
        overdue_since: isOverdue ? (facts.overdue_since ?? now) : null,
        next_look_at: nextLook,
        attempts: 0,
        last_error: null,
      })),
    )
    .onConflict((conflict) =>
      conflict.column("entry_id").doUpdateSet(({ ref }) => ({
        awaits: ref("excluded.awaits"),
        revision: ref("excluded.revision"),
        expected_from: ref("excluded.expected_from"),
        expected_to: ref("excluded.expected_to"),
        cashback_pence: ref("excluded.cashback_pence"),
        overdue_since: ref("excluded.overdue_since"),
        next_look_at: ref("excluded.next_look_at"),
        attempts: ref("excluded.attempts"),
        last_error: ref("excluded.last_error"),
      })),
    )
    .execute();
  return reviewed;
}

type OpenFacts = WatchedFacts & { state: "tracked" | "confirmed" };

function isOpen(facts: WatchedFacts): facts is OpenFacts {
  return facts.state === "tracked" || facts.state === "confirmed";
}

/** Works out what is expected of an open entry now. */
function lookAt(facts: OpenFacts, now: Date) {
  const told = toldOf(facts);
  const wanted = expectationOf({
    state: facts.state,
    purchasedAt: facts.purchased_at,
    confirmedAt: facts.confirmed_at,
    tracking: facts.tracking,
    locksAt: facts.locks_at,
    networkSlug: facts.network_slug,
    retailer: facts.retailer_timing,
    network: facts.network_timing,
  });
  const isRevised = isRevision(told, wanted);
  const current = isRevised || !told ? wanted : told;
  const due = overdueFrom(current);
  const nextLook =
    due && due > now ? Math.min(due.getTime(), now.getTime() + LOOK_EVERY_MS) : now.getTime() + LOOK_EVERY_MS;
  return {
    facts,
    current,
    isRevised,
    // A reinstated purchase was watched before: its revisions go on counting.
    revision: (facts.revision ?? facts.last_revision) + (isRevised ? 1 : 0),
    isOverdue: due !== null && due <= now,
    nextLook: new Date(nextLook),
  };
}

async function findFacts(trx: Trx, entryIds: readonly string[]): Promise<WatchedFacts[]> {
  const timing = (subject: RawBuilder<unknown>) => sql`(
    select jsonb_build_object('sample', sample, 'p50Days', p50_days, 'p90Days', p90_days) from cashback_timings
    where subject_id = ${subject} and step = case entry.state when 'tracked' then 'confirmation' else 'payment' end)`;
  const { rows } = await sql<WatchedFacts>`
    select entry.id, entry.state, entry.member_id, entry.cashback_pence, entry.purchased_at, entry.confirmed_at, transaction.locks_at,
      network.slug as network_slug, click.rate_snapshot -> 'tracking' as tracking,
      ${timing(sql`coalesce(shop.merged_into_id, shop.id)`)} as retailer_timing, ${timing(sql`entry.network_id`)} as network_timing,
      watch.awaits, watch.revision, watch.expected_from, watch.expected_to, watch.overdue_since,
      (select told.reason from cashback_expectations told where told.entry_id = entry.id and told.revision = watch.revision) as reason,
      coalesce((select max(told.revision) from cashback_expectations told where told.entry_id = entry.id), 0) as last_revision
    from cashback_entries entry
      join network_transactions transaction on transaction.id = entry.network_transaction_id
      join networks network on network.id = entry.network_id
      join clicks click on click.id = entry.click_id
      join retailers shop on shop.id = entry.retailer_id
      left join cashback_watches watch on watch.entry_id = entry.id
    where entry.id = any(${[...entryIds]}::uuid[]) and entry.entry_kind = 'purchase'`.execute(trx);
  return rows;
}

function toldOf(facts: WatchedFacts): Expectation | null {
  if (facts.awaits === null || facts.reason === null) return null;
  const range = facts.expected_from && facts.expected_to ? { from: facts.expected_from, to: facts.expected_to } : null;
  return { awaits: facts.awaits, range, reason: facts.reason };
}

/** A range that a member was told, and why. */
export interface ToldExpectation extends Expectation {
  toldAt: Date;
}

const MAX_SHOWN = 12;

/** Returns what a member was told to expect of an entry, newest first, at most a dozen. */
export async function findToldExpectations(db: Db, { entryId }: { entryId: string }): Promise<ToldExpectation[]> {
  const { rows } = await sql<{
    awaits: Awaits;
    expected_from: Date | null;
    expected_to: Date | null;
    reason: ExpectationReason;
    made_at: Date;
  }>`${keepPlan}
    select awaits, expected_from, expected_to, reason, made_at from cashback_expectations
    where entry_id = ${entryId} order by revision desc limit ${sql.lit(MAX_SHOWN)}`.execute(db);
  return rows.map((row) => ({
    awaits: row.awaits,
    range: row.expected_from && row.expected_to ? { from: row.expected_from, to: row.expected_to } : null,
    reason: row.reason,
    toldAt: row.made_at,
  }));
}
