import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { openDueWork, type ClaimOptions, type FailedState, type Lease } from "../due-work/due-work.server.ts";
import type { PartnerMode } from "./mode.ts";
import { isWebhookUrl, nextDeliveryAttempt, type WebhookEventKind } from "./webhook-rules.ts";

/**
 * Adds an endpoint that gets a partner's events of one mode from now on. An endpoint that exists is enabled again and
 * keeps its secret and its mode.
 * @throws RangeError for an address that is not https, or has the events of the other mode
 */
export async function addWebhook(
  db: Db,
  { partnerId, url, allowLocal, mode = "live" }: NewWebhook,
): Promise<{ id: string; version: number }> {
  if (!isWebhookUrl(url, { allowLocal }))
    throw new RangeError("A webhook's address starts with https:// and names a public host.");
  const added = await db
    .insertInto("partner_webhooks")
    .values({ id: newId(), partner_id: partnerId, url, mode })
    .onConflict((conflict) =>
      conflict
        .columns(["partner_id", "url"])
        .doUpdateSet({ disabled_at: null })
        .where("partner_webhooks.mode", "=", mode),
    )
    .returning(["id", "secret_version as version"])
    .executeTakeFirst();
  if (!added) {
    const other = mode === "live" ? "test" : "live";
    throw new RangeError(`This address has the ${other} events. Give the ${mode} events another address.`);
  }
  return added;
}

export interface NewWebhook {
  partnerId: string;
  url: string;
  /** Allows addresses of this machine (development). */
  allowLocal: boolean;
  mode?: PartnerMode;
}

/** Why a delivery is given up that its endpoint will not get. */
const DISABLED = "The endpoint was disabled.";

/**
 * Stops sending to an endpoint of a partner; addWebhook enables it again. What waits for it is given up and dropped: it
 * can be sent again once the endpoint is enabled. So is what is being sent; its log has the answer. False: it is no
 * endpoint of theirs, or was disabled before.
 */
export async function disableWebhook(
  db: Db | Trx,
  { partnerId, url, now }: { partnerId: string; url: string; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    with webhook as (
      update partner_webhooks set disabled_at = ${now}
      where partner_id = ${partnerId} and url = ${url} and disabled_at is null returning id
    ), given_up as (
      update partner_webhook_deliveries delivery set next_try_at = null, last_error = ${DISABLED} from webhook
      where delivery.webhook_id = webhook.id and delivery.next_try_at is not null returning delivery.id
    ), dropped as (
      insert into dropped_work (queue, work_id, dropped_by, dropped_at)
      select 'partner_webhook_deliveries', id, 'disabling its endpoint', ${now}::timestamptz from given_up on conflict do nothing
    )
    select from webhook`.execute(db);
  return rows.length > 0;
}

export interface WebhookEvent {
  partnerId: string;
  /** Endpoints of the other mode hear nothing. By default "live". */
  mode?: PartnerMode;
  kind: WebhookEventKind;
  /** What happened: the partner's own references and our public ids. */
  data: Record<string, string | number | null | undefined>;
  now: Date;
}

/**
 * Queues an event for each of the partner's endpoints, in the transaction of what happened. Returns the event's id, by
 * which receivers recognise an event that they had before.
 */
export async function announceEvent(
  trx: Db | Trx,
  { partnerId, mode = "live", kind, data, now }: WebhookEvent,
): Promise<string> {
  const eventId = newId();
  const body = JSON.stringify({ id: eventId, type: kind, createdAt: now.toISOString(), mode, data });
  const webhooks = await trx
    .selectFrom("partner_webhooks")
    .select("id")
    .where("partner_id", "=", partnerId)
    .where("mode", "=", mode)
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

interface DeliveryToSend {
  webhookId: string;
  secretVersion: number;
  /** Until then, the secret before is valid as well. */
  previousSecretUntil: Date | null;
  url: string;
  body: string;
  isDisabled: boolean;
}

export type DueDelivery = DeliveryToSend & Lease;

/** Events on their way to partners' endpoints (W10). An endpoint may get an event twice, under one id. What a suspended partner would get waits. */
export const dueDeliveries = openDueWork<DeliveryToSend>()({
  table: "partner_webhook_deliveries",
  id: "id",
  dueAt: "next_try_at",
  attempts: "attempts",
  lastError: "last_error",
  join: sql`join partner_webhooks webhook on webhook.id = work.webhook_id`,
  isOpen: sql`work.next_try_at is not null`,
  isHeld: sql`work.webhook_id in (select hook.id from partner_webhooks hook
    join partners partner on partner.id = hook.partner_id where partner.suspended_at is not null)`,
  columns: sql`webhook.id as "webhookId", webhook.secret_version as "secretVersion",
    webhook.previous_secret_until as "previousSecretUntil", webhook.url, work.body,
    webhook.disabled_at is not null as "isDisabled"`,
  nextAttempt: nextDeliveryAttempt,
  bury: () => ({ next_try_at: null }),
  isBuried: sql`work.next_try_at is null and work.delivered_at is null`,
  revive: () => ({}),
});

/**
 * Claims deliveries to endpoints that are not disabled and not among `busy`, and gives up those that are due at disabled ones: they were announced
 * while the endpoint was being disabled, or an operator tried them again.
 */
export async function claimDueDeliveries(
  db: Db,
  options: ClaimOptions,
  busy: readonly string[] = [],
): Promise<DueDelivery[]> {
  const only = busy.length > 0 ? sql`work.webhook_id <> all (${busy}::uuid[])` : sql`true`;
  for (;;) {
    const claimed = await dueDeliveries.claim(db, options, only);
    const enabled = claimed.filter(({ isDisabled }) => !isDisabled);
    for (const delivery of claimed)
      if (delivery.isDisabled)
        await dueDeliveries.fail(db, delivery, { now: options.now, error: DISABLED, isPermanent: true });
    if (enabled.length > 0 || claimed.length === 0) return enabled;
  }
}

export interface DeliveryResult {
  /** What the endpoint answered; null where it did not. */
  status: number | null;
  /** Why there was no answer. */
  error: string | null;
}

/** When an attempt was made, and how long it took. */
export interface AttemptTime {
  attemptedAt: Date;
  durationMs: number;
}

const MAX_ERROR_LENGTH = 500;

/** Writes how an attempt went, also into the partner's log: any 2xx is a receipt. */
export async function settleDelivery(
  db: Db,
  {
    delivery,
    status,
    error,
    attemptedAt,
    durationMs,
    now,
  }: DeliveryResult & AttemptTime & { delivery: DueDelivery; now: Date },
): Promise<"delivered" | FailedState> {
  const isDelivered = status !== null && status >= 200 && status <= 299;
  return await db.transaction().execute(async (trx) => {
    await trx
      .insertInto("partner_webhook_attempts")
      .values({
        id: newId(),
        delivery_id: delivery.id,
        attempted_at: attemptedAt,
        duration_ms: Math.max(0, Math.round(durationMs)),
        status,
        error: error?.slice(0, MAX_ERROR_LENGTH) || null,
      })
      .execute();
    if (!isDelivered) return await dueDeliveries.fail(trx, delivery, { now, error, set: { last_status: status } });
    const set = { next_try_at: null, delivered_at: now, last_status: status };
    return (await dueDeliveries.settle(trx, delivery, set)) ? "delivered" : "lost";
  });
}
