import { createHash } from "node:crypto";
import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import type { PushReading, RawPush } from "./provider.ts";

/** What becomes of a push. `received` waits for the network's report; the others are ends. */
export const EVENT_TRANSITIONS = {
  received: ["confirmed", "unconfirmed"],
  confirmed: [],
  // the network did report it after all, later than we asked
  unconfirmed: ["confirmed"],
  unreadable: [],
} as const satisfies Record<string, readonly string[]>;

export type EventStatus = keyof typeof EVENT_TRANSITIONS;

/**
 * Keeps a push exactly as it came, once (product.md C2): the same bytes again are a no-op. Its commit also wakes the workers. Says
 * whether it was new.
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

export interface DueEvent {
  id: string;
  networkId: string;
  networkSlug: string;
  networkTransactionId: string;
  /** Counting this one. */
  attempts: number;
}

/**
 * Takes pushes whose time has come, each by one worker only. They are leased, not locked: should this process die, they are due again
 * when the lease is over.
 */
export async function claimDueEvents(
  db: Db,
  { networkSlugs, now, leaseMs, most }: { networkSlugs: readonly string[]; now: Date; leaseMs: number; most: number },
): Promise<DueEvent[]> {
  const { rows } = await sql<DueEvent>`
    update network_events event set attempts = attempts + 1, next_attempt_at = ${new Date(now.getTime() + leaseMs)}
    from networks network
    where network.id = event.network_id and event.id in (
      select due.id from network_events due join networks n on n.id = due.network_id
      where due.status = 'received' and due.next_attempt_at <= ${now} and n.slug = any(${[...networkSlugs]}::text[])
      order by due.next_attempt_at limit ${most} for update of due skip locked)
    returning event.id, event.network_id as "networkId", network.slug as "networkSlug", event.network_transaction_id as "networkTransactionId", event.attempts`.execute(
    db,
  );
  return rows;
}

/** The report knows these transactions: every push about them is done. */
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

/**
 * Asks again later, or gives up: then the push is `unconfirmed`, and operators can see it. A try that the network did not answer
 * (`isUnanswered`) does not count.
 */
export async function postponeEvent(
  db: Db,
  {
    id,
    nextAttemptAt,
    problem,
    now,
    isUnanswered = false,
  }: { id: string; nextAttemptAt: Date | null; problem: string; now: Date; isUnanswered?: boolean },
): Promise<void> {
  await db
    .updateTable("network_events")
    .set(nextAttemptAt ? { next_attempt_at: nextAttemptAt } : { status: "unconfirmed", handled_at: now })
    .set((column) => ({
      last_error: problem,
      attempts: isUnanswered ? column("attempts", "-", 1) : column.ref("attempts"),
    }))
    .where("id", "=", id)
    .where("status", "=", "received")
    .execute();
}

/** When the next push is due, so that a worker can sleep until then; null when none waits. */
export async function nextEventDue(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom("network_events")
    .select((select) => select.fn.min("next_attempt_at").as("due"))
    .where("status", "=", "received")
    .executeTakeFirst();
  return row?.due ?? null;
}
