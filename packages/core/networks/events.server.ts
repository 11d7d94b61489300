import { createHash } from "node:crypto";
import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { openDueWork, type ClaimOptions, type Lease } from "../due-work/due-work.server.ts";
import { retryAfter } from "../due-work/rules.ts";
import type { PushReading, RawPush } from "./provider.ts";

/** The lifecycle of a push. `received` waits for the network's report; the other states are final. */
export const EVENT_TRANSITIONS = {
  received: ["confirmed", "unconfirmed"],
  confirmed: [],
  // The network reported it after the last attempt.
  unconfirmed: ["confirmed"],
  unreadable: [],
} as const satisfies Record<string, readonly string[]>;

export type EventStatus = keyof typeof EVENT_TRANSITIONS;

/**
 * Stores a push as it came (C2). Its commit wakes the workers. `isNew` is false for bytes that are stored already;
 * nothing changes then.
 */
export async function receivePush(
  db: Db,
  { networkId, push, reading, now }: { networkId: string; push: RawPush; reading: PushReading; now: Date },
): Promise<{ isNew: boolean }> {
  const isReadable = reading.outcome === "read";
  const inserted = await db
    .insertInto("network_events")
    .values({
      id: newId(),
      network_id: networkId,
      dedupe_key: createHash("sha256").update(push.body).digest(),
      network_transaction_id: isReadable ? reading.networkTransactionId : null,
      content_type: push.contentType.slice(0, 200),
      raw: Buffer.from(push.body),
      status: isReadable ? "received" : "unreadable",
      last_error: isReadable ? null : reading.problem,
      next_attempt_at: now,
      received_at: now,
      handled_at: isReadable ? null : now,
    })
    .onConflict((conflict) => conflict.columns(["network_id", "dedupe_key"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  return { isNew: inserted !== undefined };
}

interface PushToConfirm {
  networkId: string;
  networkSlug: string;
  networkTransactionId: string;
}

export type DueEvent = PushToConfirm & Lease;

/**
 * When the report is asked again about a transaction that it does not have. Networks file a sale minutes to hours after
 * they push it: nine attempts over seven and a half hours.
 */
export const nextConfirmationAttempt = retryAfter(
  [2, 5, 15, 60, 300, 900, 3_600, 21_600].map((seconds) => seconds * 1000),
);

/** Pushes that wait for the network's report (C2). */
export const dueEvents = openDueWork<PushToConfirm>()({
  table: "network_events",
  id: "id",
  dueAt: "next_attempt_at",
  attempts: "attempts",
  lastError: "last_error",
  join: sql`join networks network on network.id = work.network_id`,
  isOpen: sql`work.status = 'received'`,
  columns: sql`network.id as "networkId", network.slug as "networkSlug", work.network_transaction_id as "networkTransactionId"`,
  nextAttempt: nextConfirmationAttempt,
  bury: (now) => ({ status: "unconfirmed" satisfies EventStatus, handled_at: now }),
  isBuried: sql`work.status = 'unconfirmed'`,
  revive: () => ({ status: "received" satisfies EventStatus, handled_at: null }),
});

const ofNetworks = (slugs: readonly string[]) => sql`network.slug = any(${[...slugs]}::text[])`;

/** Claims pushes of the networks that this process has an adapter for. */
export function claimDueEvents(
  db: Db,
  { networkSlugs, ...options }: ClaimOptions & { networkSlugs: readonly string[] },
): Promise<DueEvent[]> {
  return dueEvents.claim(db, options, ofNetworks(networkSlugs));
}

/** Returns when the next push of these networks is due; null: none waits. */
export function nextEventDue(db: Db, { networkSlugs }: { networkSlugs: readonly string[] }): Promise<Date | null> {
  return dueEvents.nextDue(db, ofNetworks(networkSlugs));
}

/** Writes that the report has these transactions: every push about them is done, claimed or not. */
export async function markConfirmed(
  db: Db,
  { networkId, networkTransactionIds, now }: { networkId: string; networkTransactionIds: readonly string[]; now: Date },
): Promise<void> {
  if (networkTransactionIds.length === 0) return;
  await db
    .updateTable("network_events")
    .set({ status: "confirmed", handled_at: now, last_error: null })
    .where("network_id", "=", networkId)
    .where("network_transaction_id", "in", [...networkTransactionIds])
    .where("status", "in", ["received", "unconfirmed"] satisfies EventStatus[])
    .execute();
}
