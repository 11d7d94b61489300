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
 * Records clicks by group commit (reference/performance.md): while one statement commits, the clicks that arrive gather, and the next
 * statement writes them all with one flush to disk. A lone click waits for nothing but its own commit.
 */
export function createClickRecorder({
  db,
  maxBatch = 500,
  maxWaiting = 20_000,
}: {
  db: Db;
  maxBatch?: number;
  maxWaiting?: number;
}): ClickRecorder {
  let waiting: Waiting[] = [];
  let running: Promise<void> | null = null;
  let closed = false;

  /** Writes batches until none is left. Starts on the next turn of the event loop, so that requests read in this one share the first. */
  async function run(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxBatch);
      waiting = waiting.slice(maxBatch);
      await write(db, batch);
    }
    running = null;
  }

  return {
    record(click) {
      if (closed) return Promise.reject(new Error("The click recorder is closed."));
      if (waiting.length >= maxWaiting) return Promise.reject(new ClickRecorderBusyError());
      return new Promise((resolve, reject) => {
        waiting.push({
          row: { ...click, id: newId(), reference: newReference(), clickNumber: newClickNumber() },
          resolve,
          reject,
        });
        running ??= run();
      });
    },
    async close() {
      closed = true;
      await running;
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
    if (batch.length === 1 || !isIntegrityError(error)) {
      for (const { reject } of batch) reject(error);
      return;
    }
    for (const one of batch) await write(db, [one]);
  }
}

/** SQLSTATE class 23: the statement had no effect, and the fault is in one of its rows. */
function isIntegrityError(error: unknown): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "string" && error.code.startsWith("23");
}

async function insert(db: Db, rows: readonly (NewClick & RecordedClick)[]): Promise<void> {
  await sql`
    insert into clicks (id, reference, click_number, brand_id, member_id, retailer_id, programme_id, network_id,
      offer_id, offer_variant_id, target_url, rate_snapshot, terms_hash, created_at)
    select * from unnest(
      ${rows.map((row) => row.id)}::uuid[], ${rows.map((row) => row.reference)}::text[], ${rows.map((row) => row.clickNumber)}::text[],
      ${rows.map((row) => row.brandId)}::uuid[], ${rows.map((row) => row.memberId)}::uuid[], ${rows.map((row) => row.retailerId)}::uuid[],
      ${rows.map((row) => row.programmeId)}::uuid[], ${rows.map((row) => row.networkId)}::uuid[],
      ${rows.map((row) => row.offerId)}::uuid[], ${rows.map((row) => row.offerVariantId)}::uuid[],
      ${rows.map((row) => row.targetUrl)}::text[], ${rows.map((row) => JSON.stringify(row.rateSnapshot))}::jsonb[],
      ${rows.map((row) => row.termsHash)}::text[], ${rows.map((row) => row.createdAt)}::timestamptz[])`.execute(db);
}
