import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
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
  /** The page of the retailer that was asked for, not the network's link to it. */
  targetUrl: string;
  rateSnapshot: RateSnapshot;
  /** sha-256 (hex) of the terms that held. */
  termsHash: string;
  createdAt: Date;
}

export interface RecordedClick {
  id: string;
  /** For the network. */
  reference: string;
  /** For the member. */
  clickNumber: string;
}

export interface ClickRecorder {
  /** Resolves once the click is committed, rejects when it may not be: never redirect without it (product.md C1). */
  record(click: NewClick): Promise<RecordedClick>;
  /** Refuses new clicks and resolves when those in hand are committed or have failed. */
  close(): Promise<void>;
}

/** More clicks are waiting than can be written soon: ask again in a moment. */
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
 * Records clicks by group commit (reference/performance.md): while statements commit, the clicks that arrive gather, and the next statement
 * writes them all with one flush to disk. A lone click waits for nothing but its own commit. Two statements are under way at most, so that
 * one is prepared while the other is written.
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

  /** Writes batches until none is left. Starts on the next turn of the event loop, so that requests read in this one share the first. */
  async function run(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxBatch);
      waiting = waiting.slice(maxBatch);
      await write(db, batch).catch((error: unknown) => {
        // A bug, not the database: those who wait must hear of it, and this writer must not be lost.
        for (const { reject } of batch) reject(error);
      });
    }
    // In the same turn as the look at `waiting`: a click that comes now finds this writer gone and starts another.
    writers -= 1;
    if (writers === 0) onIdle();
  }

  return {
    record(click) {
      if (closed) return Promise.reject(new Error("The click recorder is closed."));
      if (waiting.length >= maxWaiting) return Promise.reject(new ClickRecorderBusyError());
      return new Promise((resolve, reject) => {
        const row = { ...click, id: newId(), reference: newReference(), clickNumber: newClickNumber() };
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

/** Answers every click of the batch. A row the database refuses (a member removed meanwhile) must not take its neighbours with it. */
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
    for (const one of batch) await write(db, [one]);
  }
}

/** SQLSTATE classes 22 and 23: the statement had no effect, and the fault is in one of its rows. */
function isRowError(error: unknown): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "string" && /^2[23]/.test(error.code);
}

/** What clicks on one link have in common. */
type Link = Omit<NewClick, "memberId" | "createdAt">;

/** Clicks on the same link share all but member and moment, so what they share is sent and read once. */
async function insert(db: Db, rows: readonly (NewClick & RecordedClick)[]): Promise<void> {
  const { links, places } = groupByLink(rows);
  await sql`
    insert into clicks (id, reference, click_number, member_id, created_at, brand_id, retailer_id, programme_id, network_id,
      offer_id, offer_variant_id, target_url, terms_hash, rate_snapshot)
    select id, reference, click_number, member_id, created_at, brand_id, retailer_id, programme_id, network_id,
      offer_id, offer_variant_id, target_url, terms_hash, rate_snapshot
    from unnest(
      ${rows.map((row) => row.id)}::uuid[], ${rows.map((row) => row.reference)}::text[], ${rows.map((row) => row.clickNumber)}::text[],
      ${rows.map((row) => row.memberId)}::uuid[], ${rows.map((row) => row.createdAt)}::timestamptz[], ${places}::bigint[]
    ) as click (id, reference, click_number, member_id, created_at, place)
    join unnest(
      ${links.map((link) => link.brandId)}::uuid[], ${links.map((link) => link.retailerId)}::uuid[], ${links.map((link) => link.programmeId)}::uuid[],
      ${links.map((link) => link.networkId)}::uuid[], ${links.map((link) => link.offerId)}::uuid[], ${links.map((link) => link.offerVariantId)}::uuid[],
      ${links.map((link) => link.targetUrl)}::text[], ${links.map((link) => link.termsHash)}::text[], ${links.map((link) => JSON.stringify(link.rateSnapshot))}::jsonb[]
    ) with ordinality as link (brand_id, retailer_id, programme_id, network_id, offer_id, offer_variant_id, target_url, terms_hash, rate_snapshot, place)
      using (place)`.execute(db);
}

/** The different links of a batch, and for each click the place of its own among them, counted from 1. */
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
