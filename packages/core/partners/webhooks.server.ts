import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { isWebhookUrl, nextTryAt, type WebhookEventKind } from "./webhook-rules.ts";

/** An endpoint that is told of a partner's events from now on; one that is there already goes on, with its secret. @throws RangeError for an address that is not https. */
export async function addWebhook(
  db: Db,
  { partnerId, url, allowLocal }: { partnerId: string; url: string; allowLocal: boolean },
): Promise<{ id: string; version: number }> {
  if (!isWebhookUrl(url, { allowLocal }))
    throw new RangeError("A webhook's address starts with https:// and names a public host.");
  return await db
    .insertInto("partner_webhooks")
    .values({ id: newId(), partner_id: partnerId, url })
    .onConflict((conflict) => conflict.columns(["partner_id", "url"]).doUpdateSet({ disabled_at: null }))
    .returning(["id", "secret_version as version"])
    .executeTakeFirstOrThrow();
}

export interface WebhookEvent {
  partnerId: string;
  kind: WebhookEventKind;
  /** What happened, for the partner's eyes: its own references and our public ids. */
  data: Record<string, string | number | null>;
  now: Date;
}

/**
 * Puts an event into the outbox of each of the partner's endpoints, in the transaction of what happened: both or neither. Gives the event's id, by which
 * receivers know one they have had.
 */
export async function announceEvent(trx: Db | Trx, { partnerId, kind, data, now }: WebhookEvent): Promise<string> {
  const eventId = newId();
  const body = JSON.stringify({ id: eventId, type: kind, createdAt: now.toISOString(), data });
  const webhooks = await trx
    .selectFrom("partner_webhooks")
    .select("id")
    .where("partner_id", "=", partnerId)
    .where("disabled_at", "is", null)
    .execute();
  if (webhooks.length > 0) {
    const delivery = { event_id: eventId, kind, body, created_at: now, next_try_at: now };
    await trx
      .insertInto("partner_webhook_deliveries")
      .values(webhooks.map(({ id }) => ({ ...delivery, id: newId(), webhook_id: id })))
      .execute();
  }
  return eventId;
}

export interface DueDelivery {
  id: string;
  webhookId: string;
  secretVersion: number;
  url: string;
  body: string;
  /** Tries so far, the one that is due included. */
  attempts: number;
}

/**
 * Takes the deliveries that are due. Whoever takes one has `leaseMs` to settle it; after that it is due again, so a process that is killed loses nothing, and a
 * receiver may get an event twice.
 */
export async function claimDueDeliveries(
  db: Db,
  { now, leaseMs, most }: { now: Date; leaseMs: number; most: number },
): Promise<DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`
    update partner_webhook_deliveries d set next_try_at = ${new Date(now.getTime() + leaseMs)}, attempts = d.attempts + 1
    from partner_webhooks w
    where w.id = d.webhook_id and d.id in (
      select due.id from partner_webhook_deliveries due join partner_webhooks open on open.id = due.webhook_id and open.disabled_at is null
      where due.next_try_at <= ${now} order by due.next_try_at limit ${most} for update of due skip locked)
    returning d.id, d.webhook_id as "webhookId", w.secret_version as "secretVersion", w.url, d.body, d.attempts`.execute(
    db,
  );
  return rows;
}

export interface DeliveryResult {
  /** What the endpoint answered; null where it did not. */
  status: number | null;
  /** In words, where there was no answer. */
  error: string | null;
}

/** Writes down how a try went: delivered at any 2xx, else tried again later, or given up after the last wait. */
export async function settleDelivery(
  db: Db,
  { id, attempts, status, error, now }: Pick<DueDelivery, "id" | "attempts"> & DeliveryResult & { now: Date },
): Promise<"delivered" | "waiting" | "given-up"> {
  const isDelivered = status !== null && status >= 200 && status <= 299;
  const next = isDelivered ? null : nextTryAt(attempts, now);
  await db
    .updateTable("partner_webhook_deliveries")
    .set({ next_try_at: next, delivered_at: isDelivered ? now : null, last_status: status, last_error: error })
    .where("id", "=", id)
    .where("delivered_at", "is", null)
    .execute();
  if (isDelivered) return "delivered";
  return next === null ? "given-up" : "waiting";
}
