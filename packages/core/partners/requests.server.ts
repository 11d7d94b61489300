import type { Db } from "@farthing/db/client.ts";
import type { PartnerMode } from "./mode.ts";

/** Longer than any request may take. After that its process has died, and a repetition runs the request again. */
const LEASE_MS = 60_000;

/** How long a key and its answer are kept. docs/partners-api.md promises a day. */
const KEPT_MS = 48 * 60 * 60_000;

/** A request with an Idempotency-Key (W10). */
export interface KeyedRequest {
  partnerId: string;
  mode: PartnerMode;
  key: string;
  /** SHA-256 of everything that decides what the request does. */
  hash: Buffer;
  now: Date;
}

/** The right to run a request and to write its answer. */
export type RequestLease = Pick<KeyedRequest, "partnerId" | "mode" | "key"> & { until: Date };

export type BegunRequest =
  | { outcome: "begun"; lease: RequestLease }
  | { outcome: "answered"; status: number; body: string }
  /** The first request with the key has not answered yet. */
  | { outcome: "running" }
  /** The key was used for something else. */
  | { outcome: "another-request" };

/** Begins a request, or returns what the first one with the same key answered. Of concurrent ones, one begins. */
export async function beginRequest(db: Db, request: KeyedRequest): Promise<BegunRequest> {
  const { partnerId, mode, key, hash, now } = request;
  const until = new Date(now.getTime() + LEASE_MS);
  const fresh = { request_hash: hash, started_at: now, leased_until: until, status: null, body: null };
  const begun = await db
    .insertInto("partner_requests")
    .values({ partner_id: partnerId, mode, request_key: key, ...fresh })
    .onConflict((conflict) =>
      conflict
        .columns(["partner_id", "mode", "request_key"])
        .doUpdateSet(fresh)
        .where("partner_requests.started_at", "<", new Date(now.getTime() - KEPT_MS)),
    )
    .returning("request_key")
    .executeTakeFirst();
  const lease = { partnerId, mode, key, until };
  if (begun) return { outcome: "begun", lease };
  const first = await rowOf(db, lease).select(["request_hash", "leased_until", "status", "body"]).executeTakeFirst();
  if (!first) return { outcome: "running" }; // it has just failed: the caller repeats the request
  if (!hash.equals(first.request_hash)) return { outcome: "another-request" };
  if (first.status !== null && first.body !== null)
    return { outcome: "answered", status: first.status, body: first.body };
  if (first.leased_until > now) return { outcome: "running" };
  const { numUpdatedRows } = await db
    .updateTable("partner_requests")
    .set({ leased_until: until })
    .where("partner_id", "=", partnerId)
    .where("mode", "=", mode)
    .where("request_key", "=", key)
    .where("leased_until", "=", first.leased_until)
    .where("status", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n ? { outcome: "begun", lease } : { outcome: "running" };
}

/** Writes the answer of a request, which every repetition gets. False: the lease is over, and another process has the request. */
export async function answerRequest(
  db: Db,
  { partnerId, mode, key, until }: RequestLease,
  { status, body }: { status: number; body: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("partner_requests")
    .set({ status, body })
    .where("partner_id", "=", partnerId)
    .where("mode", "=", mode)
    .where("request_key", "=", key)
    .where("leased_until", "=", until)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Releases the key, so that a repeated request runs. */
export async function releaseRequest(db: Db, { partnerId, mode, key, until }: RequestLease): Promise<void> {
  await db
    .deleteFrom("partner_requests")
    .where("partner_id", "=", partnerId)
    .where("mode", "=", mode)
    .where("request_key", "=", key)
    .where("leased_until", "=", until)
    .where("status", "is", null)
    .execute();
}

/** Removes keys older than two days; run by a regular job. Returns the number of removed rows. */
export async function forgetOldRequests(db: Db, { now }: { now: Date }): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("partner_requests")
    .where("started_at", "<", new Date(now.getTime() - KEPT_MS))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

function rowOf(db: Db, { partnerId, mode, key }: Pick<RequestLease, "partnerId" | "mode" | "key">) {
  return db
    .selectFrom("partner_requests")
    .where("partner_id", "=", partnerId)
    .where("mode", "=", mode)
    .where("request_key", "=", key);
}
