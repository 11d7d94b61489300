import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import type { DeliveryState } from "./delivery-states.ts";
import type { PartnerMode } from "./mode.ts";
import { SECRET_OVERLAP_MS } from "./webhook-rules.ts";

/** A partner and the mode of its key: nothing else is seen or changed. */
export interface WebhookOwner {
  partnerId: string;
  mode: PartnerMode;
}

/** One attempt of a delivery. */
export interface DeliveryAttempt {
  attemptedAt: Date;
  durationMs: number;
  /** What the endpoint answered; null where it did not. */
  status: number | null;
  /** Why there was no answer. */
  error: string | null;
}

/** The most recent attempts that the log shows of a delivery. A schedule has eight; more come from replays. */
export const MAX_SHOWN_ATTEMPTS = 20;

/** One event on its way to one endpoint, as the partner sees it. */
export interface Delivery {
  id: string;
  eventId: string;
  type: string;
  url: string;
  state: DeliveryState;
  attempts: number;
  /** What the endpoint answered last. */
  lastStatus: number | null;
  /** Why there was no answer. */
  lastError: string | null;
  createdAt: Date;
  deliveredAt: Date | null;
  nextAttemptAt: Date | null;
  /** Newest first, `MAX_SHOWN_ATTEMPTS` at most. */
  history: DeliveryAttempt[];
}

/** A row as it is selected: JSON has no dates. */
type DeliveryRow = Omit<Delivery, "history"> & {
  history: (Omit<DeliveryAttempt, "attemptedAt"> & { attemptedAt: string })[];
};

const withDates = <Row extends DeliveryRow>(row: Row) => ({
  ...row,
  history: row.history.map((attempt) => ({ ...attempt, attemptedAt: new Date(attempt.attemptedAt) })),
});

const selected = sql`
  select d.id, d.event_id as "eventId", d.kind as type, w.url,
    case when d.delivered_at is not null then 'delivered' when d.next_try_at is null then 'given-up' else 'waiting' end as state,
    d.attempts, d.last_status as "lastStatus", d.last_error as "lastError", d.created_at as "createdAt",
    d.delivered_at as "deliveredAt", d.next_try_at as "nextAttemptAt", array(
      select json_build_object('attemptedAt', a.attempted_at, 'durationMs', a.duration_ms, 'status', a.status, 'error', a.error)
      from partner_webhook_attempts a where a.delivery_id = d.id order by a.id desc limit ${MAX_SHOWN_ATTEMPTS}) as history
  from partner_webhook_deliveries d join partner_webhooks w on w.id = d.webhook_id`;

const isOf = ({ partnerId, mode }: WebhookOwner) => sql`w.partner_id = ${partnerId} and w.mode = ${mode}`;

/** Returns a page of the log of deliveries, newest first. Null: `cursor` is none of the partner's deliveries. */
export async function listDeliveries(
  db: Db,
  {
    owner,
    filter: { state, eventId },
    cursor,
    max,
  }: {
    owner: WebhookOwner;
    filter: { state?: DeliveryState | undefined; eventId?: string | undefined };
    cursor: string | null;
    max: number;
  },
): Promise<{ deliveries: Delivery[]; nextCursor: string | null } | null> {
  if (cursor !== null && !(await findDelivery(db, { owner, id: cursor }))) return null;
  const { rows } = await sql<DeliveryRow>`${selected} where ${isOf(owner)}
    and ${cursor === null ? sql`true` : sql`d.id < ${cursor}`}
    and ${eventId === undefined ? sql`true` : sql`d.event_id = ${eventId}`}
    and ${isIn(state)}
    order by d.id desc limit ${max + 1}`.execute(db);
  const deliveries = rows.slice(0, max).map(withDates);
  return { deliveries, nextCursor: rows.length > max ? (deliveries.at(-1)?.id ?? null) : null };
}

function isIn(state: DeliveryState | undefined) {
  switch (state) {
    case "delivered":
      return sql`d.delivered_at is not null`;
    case "waiting":
      return sql`d.next_try_at is not null`;
    case "given-up":
      return sql`d.next_try_at is null and d.delivered_at is null`;
    case undefined:
      return sql`true`;
  }
}

/** Returns a delivery with the body that is sent; null for anybody else's. */
export async function findDelivery(
  db: Db,
  { owner, id }: { owner: WebhookOwner; id: string },
): Promise<(Delivery & { body: string }) | null> {
  const { rows } = await sql<DeliveryRow & { body: string }>`
    select found.*, d.body from (${selected} where ${isOf(owner)} and d.id = ${id}) as found
    join partner_webhook_deliveries d on d.id = found.id`.execute(db);
  return rows[0] ? withDates(rows[0]) : null;
}

/**
 * Sends a delivery again, whatever became of it: the same event under the same id, to the same endpoint, with the
 * attempts of a new one. "disabled": the endpoint gets nothing any more.
 */
export async function replayDelivery(
  db: Db,
  { owner, id, now }: { owner: WebhookOwner; id: string; now: Date },
): Promise<"replayed" | "disabled" | "no-such-delivery"> {
  const { rows } = await sql<{ isDisabled: boolean }>`
    select w.disabled_at is not null as "isDisabled" from partner_webhook_deliveries d
    join partner_webhooks w on w.id = d.webhook_id where ${isOf(owner)} and d.id = ${id}`.execute(db);
  if (!rows[0]) return "no-such-delivery";
  if (rows[0].isDisabled) return "disabled";
  await db.transaction().execute(async (trx) => {
    await trx
      .updateTable("partner_webhook_deliveries")
      .set({ next_try_at: now, delivered_at: null, attempts: 0 })
      .where("id", "=", id)
      .execute();
    // Where it is given up again, somebody looks again.
    await trx
      .deleteFrom("dropped_work")
      .where("queue", "=", "partner_webhook_deliveries")
      .where("work_id", "=", id)
      .execute();
  });
  return "replayed";
}

/** An endpoint as its partner sees it. */
export interface Webhook {
  id: string;
  url: string;
  version: number;
  /** Until then, deliveries are signed with the secret before as well. */
  previousSecretUntil: Date | null;
}

const webhookColumns = [
  "id",
  "url",
  "secret_version as version",
  "previous_secret_until as previousSecretUntil",
] as const;

/** Returns a partner's endpoints of one mode. */
export async function listWebhooks(db: Db, { partnerId, mode }: WebhookOwner): Promise<Webhook[]> {
  return await db
    .selectFrom("partner_webhooks")
    .select(webhookColumns)
    .where("partner_id", "=", partnerId)
    .where("mode", "=", mode)
    .where("disabled_at", "is", null)
    .orderBy("url")
    .execute();
}

export type RotatedSecret =
  | { outcome: "rotated"; webhook: Webhook }
  /** The rotation before has not ended: another would end the secret that receivers may still use. */
  | { outcome: "overlapping"; until: Date }
  | { outcome: "no-such-webhook" };

/** Sets a new secret for an endpoint that is sent to. The one before signs as well for a day. Of concurrent rotations, one counts. */
export async function rotateSecret(
  db: Db,
  { owner, id, now }: { owner: WebhookOwner; id: string; now: Date },
): Promise<RotatedSecret> {
  const webhook = await db
    .updateTable("partner_webhooks")
    .set((row) => ({
      secret_version: row("secret_version", "+", 1),
      previous_secret_until: new Date(now.getTime() + SECRET_OVERLAP_MS),
    }))
    .where("id", "=", id)
    .where("partner_id", "=", owner.partnerId)
    .where("mode", "=", owner.mode)
    .where("disabled_at", "is", null)
    .where((row) => row.or([row("previous_secret_until", "is", null), row("previous_secret_until", "<=", now)]))
    .returning(webhookColumns)
    .executeTakeFirst();
  if (webhook) return { outcome: "rotated", webhook };
  const kept = (await listWebhooks(db, owner)).find((candidate) => candidate.id === id);
  return kept?.previousSecretUntil
    ? { outcome: "overlapping", until: kept.previousSecretUntil }
    : { outcome: "no-such-webhook" };
}
