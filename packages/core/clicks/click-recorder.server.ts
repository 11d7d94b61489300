import type { Db } from "@farthing/db/client.ts";
import { keepPlan } from "@farthing/db/kept-plans.ts";
import { isRowError } from "@farthing/db/row-error.ts";
import { newIdOfMany } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { openClickTerms } from "./click-terms.server.ts";
import type { PreFlightFinding } from "./pre-flight.ts";
import type { RateSnapshot } from "./rate-snapshot.ts";
import { newClickNumber, newReference } from "./rules.ts";

export interface NewClick {
  brandId: string;
  memberId: string;
  retailerId: string;
  programmeId: string;
  networkId: string;
  offerId: string | null;
  offerVariantId: string | null;
  /** The retailer's page, not the network's link to it. */
  targetUrl: string;
  rateSnapshot: RateSnapshot;
  /** SHA-256 of the terms at that moment, in hexadecimal. */
  termsHash: string;
  /** The terms themselves, which the receipt prints; stored once for each hash. */
  terms?: string;
  /** What the browser's pre-flight check found; null where none ran. */
  preFlight: PreFlightFinding | null;
  createdAt: Date;
}

export interface RecordedClick {
  id: string;
  /** What the network carries and returns. */
  reference: string;
  /** What the member can quote. */
  clickNumber: string;
}

export interface ClickRecorder {
  /** Resolves once the click is committed, and rejects when it may not be: never redirect before it resolves (C1). */
  record(click: NewClick): Promise<RecordedClick>;
  /** Refuses new clicks and resolves when those accepted are committed or have failed. */
  close(): Promise<void>;
}

/** Thrown when more clicks wait than can be written soon; the click may be retried. */
export class ClickRecorderBusyError extends Error {
  constructor() {
    super("Too many clicks are waiting to be recorded.");
    this.name = "ClickRecorderBusyError";
  }
}

interface Waiting {
  row: NewClick & RecordedClick;
  resolve(click: RecordedClick): void;
  reject(error: unknown): void;
}

/**
 * Records clicks by group commit (C1): clicks that arrive while a statement commits are collected, and the next statement writes them all with one
 * flush to disk. A single click waits for its own commit only. At most two statements run at a time, so that one is prepared while the other is
 * written.
 */
export function createClickRecorder({
  db,
  maxBatch = 500,
  maxWaiting = 20_000,
  maxWriters = 2,
}: {
  db: Db;
  maxBatch?: number;
  maxWaiting?: number;
  maxWriters?: number;
}): ClickRecorder {
  let waiting: Waiting[] = [];
  let writers = 0;
  let closed = false;
  let onIdle = (): void => {};
  const terms = openClickTerms(db);

  /** Writes batches until none is left. Starts on the next turn of the event loop, so that requests read in this turn share the first batch. */
  async function run(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxBatch);
      waiting = waiting.slice(maxBatch);
      try {
        // Before the clicks, so that no click is stored without its terms.
        await terms.keep(batch.map(({ row }) => row));
        await write(db, batch);
      } catch (error) {
        // The database refuses the terms, or a bug: the waiting calls must be rejected, and this writer must not be lost.
        for (const { reject } of batch) reject(error);
      }
    }
    // In the same turn as the check of `waiting`: a click that arrives now starts another writer.
    writers -= 1;
    if (writers === 0) onIdle();
  }

  return {
    record(click) {
      if (closed) return Promise.reject(new Error("The click recorder is closed."));
      if (waiting.length >= maxWaiting) return Promise.reject(new ClickRecorderBusyError());
      return new Promise((resolve, reject) => {
        const row = { ...click, id: newIdOfMany(), reference: newReference(), clickNumber: newClickNumber() };
        waiting.push({ row, resolve, reject });
        if (writers >= maxWriters) return;
        writers += 1;
        void run();
      });
    },
    async close() {
      closed = true;
      if (writers > 0) await new Promise<void>((resolve) => (onIdle = resolve));
    },
  };
}

/** Settles every click of the batch. A row that the database refuses (its member was deleted meanwhile) must not fail the others. */
async function write(db: Db, batch: Waiting[]): Promise<void> {
  try {
    await insert(
      db,
      batch.map(({ row }) => row),
    );
    for (const { row, resolve } of batch)
      resolve({ id: row.id, reference: row.reference, clickNumber: row.clickNumber });
  } catch (error) {
    if (batch.length === 1 || !isRowError(error)) {
      for (const { reject } of batch) reject(error);
      return;
    }
    for (const click of batch) await write(db, [click]);
  }
}

/** What clicks on one link have in common. */
type Link = Omit<NewClick, "memberId" | "createdAt" | "preFlight">;

/** Inserts the clicks. Clicks on the same link differ in member, moment and pre-flight check only, so each link is sent and read once. */
async function insert(db: Db, rows: readonly (NewClick & RecordedClick)[]): Promise<void> {
  const { links, places } = groupByLink(rows);
  await sql`${keepPlan}
    insert into clicks (id, reference, click_number, member_id, created_at, pre_flight, brand_id, retailer_id, programme_id, network_id,
      offer_id, offer_variant_id, target_url, terms_hash, rate_snapshot)
    select id, reference, click_number, member_id, created_at, pre_flight, brand_id, retailer_id, programme_id, network_id,
      offer_id, offer_variant_id, target_url, terms_hash, rate_snapshot
    from unnest(
      ${rows.map((row) => row.id)}::uuid[], ${rows.map((row) => row.reference)}::text[], ${rows.map((row) => row.clickNumber)}::text[],
      ${rows.map((row) => row.memberId)}::uuid[], ${rows.map((row) => row.createdAt)}::timestamptz[],
      ${rows.map((row) => row.preFlight)}::text[], ${places}::bigint[]
    ) as click (id, reference, click_number, member_id, created_at, pre_flight, place)
    join unnest(
      ${links.map((link) => link.brandId)}::uuid[], ${links.map((link) => link.retailerId)}::uuid[], ${links.map((link) => link.programmeId)}::uuid[],
      ${links.map((link) => link.networkId)}::uuid[], ${links.map((link) => link.offerId)}::uuid[], ${links.map((link) => link.offerVariantId)}::uuid[],
      ${links.map((link) => link.targetUrl)}::text[], ${links.map((link) => link.termsHash)}::text[], ${links.map((link) => JSON.stringify(link.rateSnapshot))}::jsonb[]
    ) with ordinality as link (brand_id, retailer_id, programme_id, network_id, offer_id, offer_variant_id, target_url, terms_hash, rate_snapshot, place)
      using (place)`.execute(db);
}

/** Returns the distinct links of a batch, and for each click the position of its link, from 1. */
function groupByLink(rows: readonly Link[]): { links: Link[]; places: number[] } {
  const links: Link[] = [];
  const bySnapshot = new Map<Link["rateSnapshot"], number[]>();
  const places = rows.map((row) => {
    const alike = bySnapshot.get(row.rateSnapshot) ?? [];
    const known = alike.find((place) => isSameLink(links[place - 1]!, row));
    if (known !== undefined) return known;
    bySnapshot.set(row.rateSnapshot, [...alike, links.push(row)]);
    return links.length;
  });
  return { links, places };
}

function isSameLink(a: Link, b: Link): boolean {
  return (
    a.rateSnapshot === b.rateSnapshot &&
    a.offerId === b.offerId &&
    a.offerVariantId === b.offerVariantId &&
    a.programmeId === b.programmeId &&
    a.brandId === b.brandId &&
    a.retailerId === b.retailerId &&
    a.networkId === b.networkId &&
    a.targetUrl === b.targetUrl &&
    a.termsHash === b.termsHash
  );
}
