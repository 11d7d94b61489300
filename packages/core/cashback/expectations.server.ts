import type { Db, Trx } from "@farthing/db/client.ts";
import { keepPlan } from "@farthing/db/kept-plans.ts";
import { sql } from "kysely";
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

/**
 * Brings what is expected of an entry in line with its state, its network's date and the retailers' histories; stores a revision where the dates
 * have moved, and notices that it is overdue (C3). The caller has locked the entry. An entry that is neither tracked nor confirmed is no longer
 * watched.
 */
export async function reviewExpectation(trx: Trx, { entryId, now }: { entryId: string; now: Date }): Promise<Reviewed> {
  const facts = await findFacts(trx, entryId);
  if (!facts || (facts.state !== "tracked" && facts.state !== "confirmed")) {
    await trx.deleteFrom("cashback_watches").where("entry_id", "=", entryId).execute();
    return { isRevised: false, isNewlyOverdue: false, range: null };
  }
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
  const revision = (facts.revision ?? (await countRevisions(trx, entryId))) + (isRevised ? 1 : 0);
  const due = overdueFrom(current);
  const isOverdue = due !== null && due <= now;
  const overdueSince = isOverdue ? (facts.overdue_since ?? now) : null;
  const nextLook =
    due && due > now ? Math.min(due.getTime(), now.getTime() + LOOK_EVERY_MS) : now.getTime() + LOOK_EVERY_MS;
  const [from, to] = [current.range?.from ?? null, current.range?.to ?? null];
  if (isRevised)
    await trx
      .insertInto("cashback_expectations")
      .values({
        entry_id: entryId,
        revision,
        awaits: current.awaits,
        expected_from: from,
        expected_to: to,
        reason: current.reason,
        made_at: now,
      })
      .execute();
  const watch = {
    awaits: current.awaits,
    revision,
    expected_from: from,
    expected_to: to,
    cashback_pence: facts.cashback_pence,
    overdue_since: overdueSince,
    next_look_at: new Date(nextLook),
    attempts: 0,
    last_error: null,
  };
  await trx
    .insertInto("cashback_watches")
    .values({ entry_id: entryId, member_id: facts.member_id, ...watch })
    .onConflict((conflict) => conflict.column("entry_id").doUpdateSet(watch))
    .execute();
  return { isRevised, isNewlyOverdue: isOverdue && facts.overdue_since === null, range: current.range };
}

async function findFacts(trx: Trx, entryId: string): Promise<WatchedFacts | undefined> {
  const timing = (subject: string) => sql`(
    select jsonb_build_object('sample', sample, 'p50Days', p50_days, 'p90Days', p90_days) from cashback_timings
    where subject_id = ${sql.ref(subject)} and step = case entry.state when 'tracked' then 'confirmation' else 'payment' end)`;
  const { rows } = await sql<WatchedFacts>`
    select entry.state, entry.member_id, entry.cashback_pence, entry.purchased_at, entry.confirmed_at, transaction.locks_at,
      network.slug as network_slug, click.rate_snapshot -> 'tracking' as tracking,
      ${timing("entry.retailer_id")} as retailer_timing, ${timing("entry.network_id")} as network_timing,
      watch.awaits, watch.revision, watch.expected_from, watch.expected_to, watch.overdue_since,
      (select told.reason from cashback_expectations told where told.entry_id = entry.id and told.revision = watch.revision) as reason
    from cashback_entries entry
      join network_transactions transaction on transaction.id = entry.network_transaction_id
      join networks network on network.id = entry.network_id
      join clicks click on click.id = entry.click_id
      left join cashback_watches watch on watch.entry_id = entry.id
    where entry.id = ${entryId} and entry.entry_kind = 'purchase'`.execute(trx);
  return rows[0];
}

function toldOf(facts: WatchedFacts): Expectation | null {
  if (facts.awaits === null || facts.reason === null) return null;
  const range = facts.expected_from && facts.expected_to ? { from: facts.expected_from, to: facts.expected_to } : null;
  return { awaits: facts.awaits, range, reason: facts.reason };
}

/** A reinstated purchase was watched before: its revisions go on counting. */
async function countRevisions(trx: Trx, entryId: string): Promise<number> {
  const row = await trx
    .selectFrom("cashback_expectations")
    .select(({ fn }) => fn.max("revision").as("last"))
    .where("entry_id", "=", entryId)
    .executeTakeFirst();
  return row?.last ?? 0;
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
