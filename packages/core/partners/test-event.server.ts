import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import type { WebhookOwner } from "./deliveries.server.ts";
import { minuteOf, secondsToNextMinute } from "./find-api-key.server.ts";
import type { WebhookEvent } from "./webhooks.server.ts";
import { TEST_EVENTS_PER_MINUTE } from "./webhook-rules.ts";

export type SentTestEvent =
  | { outcome: "queued"; deliveryId: string }
  | { outcome: "no-such-webhook" }
  | { outcome: "disabled" }
  | { outcome: "too-many"; waitSeconds: number };

/**
 * Queues a test event for one endpoint of a partner (W10): `mode` is test and `isTest` is true, whatever the endpoint's mode. It is signed, sent and
 * logged like any other event. Of concurrent requests, a few more than the limit may pass.
 */
export async function sendTestEvent(
  db: Db,
  { owner, id, kind, data, now }: { owner: WebhookOwner; id: string; now: Date } & Pick<WebhookEvent, "kind" | "data">,
): Promise<SentTestEvent> {
  const webhook = await db
    .selectFrom("partner_webhooks")
    .select("disabled_at as disabledAt")
    .where("id", "=", id)
    .where("partner_id", "=", owner.partnerId)
    .where("mode", "=", owner.mode)
    .executeTakeFirst();
  if (!webhook) return { outcome: "no-such-webhook" };
  if (webhook.disabledAt) return { outcome: "disabled" };
  const { sent } = await db
    .selectFrom("partner_webhook_deliveries")
    .select(sql<number>`count(*)::integer`.as("sent"))
    .where("webhook_id", "=", id)
    .where("created_at", ">=", minuteOf(now))
    .where(sql<boolean>`body::jsonb ? 'isTest'`)
    .executeTakeFirstOrThrow();
  if (sent >= TEST_EVENTS_PER_MINUTE) return { outcome: "too-many", waitSeconds: secondsToNextMinute(now) };
  const [deliveryId, eventId] = [newId(), newId()];
  const event = { id: eventId, type: kind, createdAt: now.toISOString(), mode: "test", isTest: true, data };
  await db
    .insertInto("partner_webhook_deliveries")
    .values({
      ...{ id: deliveryId, webhook_id: id, event_id: eventId, kind, body: JSON.stringify(event) },
      ...{ created_at: now, next_try_at: now },
    })
    .execute();
  return { outcome: "queued", deliveryId };
}
