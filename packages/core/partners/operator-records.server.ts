import type { Db } from "@farthing/db/client.ts";
import { isUuid } from "@farthing/db/uuid.ts";
import { sql, type RawBuilder } from "kysely";
import type { ListQuery } from "../lists/find-list-page.server.ts";
import type { DeliveryState } from "./delivery-states.ts";
import type { PartnerMode } from "./mode.ts";

/** A partner as operators list it. */
export interface ListedPartner {
  publicId: string;
  name: string;
  isHouse: boolean;
  suspendedAt: Date | null;
  createdAt: Date;
  origins: number;
  keys: number;
  webhooks: number;
}

export interface PartnerFilters {
  /** Part of its name, its id, or an origin. */
  q?: string;
  /** "open" or "suspended". */
  state?: string;
}

/** Returns how partners are listed. There are some hundreds. */
export function partnerList({ q, state }: PartnerFilters): ListQuery<"name"> {
  const where: RawBuilder<unknown>[] = [];
  if (state) where.push(sql`(partner.suspended_at is not null) = ${state === "suspended"}`);
  if (q) {
    const like = `%${q.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
    where.push(sql`(lower(partner.name) like ${like} or partner.public_id = ${q}
      or exists (select from partner_origins origin where origin.partner_id = partner.id and origin.origin = ${q}))`);
  }
  return {
    from: sql`partners partner`,
    select: sql`partner.public_id as "publicId", partner.name, partner.is_house as "isHouse",
      partner.suspended_at as "suspendedAt", partner.created_at as "createdAt",
      (select count(*)::int from partner_origins origin where origin.partner_id = partner.id) as origins,
      (select count(*)::int from partner_api_keys key where key.partner_id = partner.id and key.revoked_at is null) as keys,
      (select count(*)::int from partner_webhooks hook where hook.partner_id = partner.id and hook.disabled_at is null) as webhooks`,
    where,
    sorts: { name: { by: sql`lower(partner.name)`, type: "text" } },
    id: { by: sql`partner.id`, type: "uuid" },
  };
}

export interface PartnerRecord {
  id: string;
  publicId: string;
  name: string;
  isHouse: boolean;
  mintsPerMinute: number;
  suspendedAt: Date | null;
  createdAt: Date;
  origins: string[];
  /** Never a key: what it starts with. */
  keys: { prefix: string; mode: PartnerMode; createdAt: Date; revokedAt: Date | null }[];
  webhooks: {
    id: string;
    url: string;
    mode: PartnerMode;
    disabledAt: Date | null;
    previousSecretUntil: Date | null;
    /** Deliveries that were given up; counted up to 100. */
    givenUp: number;
  }[];
}

const MAX_KEYS = 20;
const MAX_COUNTED = 100;

/** Returns a partner by its public id, with its newest keys; null: there is none. */
export async function findPartnerRecord(db: Db, { publicId }: { publicId: string }): Promise<PartnerRecord | null> {
  const partner = await db
    .selectFrom("partners")
    .select([
      "id",
      "public_id as publicId",
      "name",
      "is_house as isHouse",
      "mints_per_minute as mintsPerMinute",
      "suspended_at as suspendedAt",
      "created_at as createdAt",
    ])
    .where("public_id", "=", publicId)
    .executeTakeFirst();
  if (!partner) return null;
  const { id } = partner;
  const [origins, keys, webhooks] = await Promise.all([
    db.selectFrom("partner_origins").select("origin").where("partner_id", "=", id).orderBy("origin").execute(),
    sql<PartnerRecord["keys"][number]>`select prefix, mode, created_at as "createdAt", revoked_at as "revokedAt"
      from partner_api_keys where partner_id = ${id} order by revoked_at is not null, created_at desc limit ${MAX_KEYS}`.execute(
      db,
    ),
    sql<PartnerRecord["webhooks"][number]>`select hook.id, hook.url, hook.mode, hook.disabled_at as "disabledAt",
        hook.previous_secret_until as "previousSecretUntil",
        (select count(*)::int from (select from partner_webhook_deliveries delivery where delivery.webhook_id = hook.id
          and delivery.next_try_at is null and delivery.delivered_at is null limit ${MAX_COUNTED}) counted) as "givenUp"
      from partner_webhooks hook where hook.partner_id = ${id} order by hook.mode, hook.url`.execute(db),
  ]);
  return { ...partner, origins: origins.map(({ origin }) => origin), keys: keys.rows, webhooks: webhooks.rows };
}

/** A delivery as operators list it. */
export interface ListedDelivery {
  id: string;
  eventId: string;
  kind: string;
  state: DeliveryState;
  attempts: number;
  lastStatus: number | null;
  lastError: string | null;
  createdAt: Date;
  deliveredAt: Date | null;
}

const stateConditions: Record<DeliveryState, RawBuilder<unknown>> = {
  waiting: sql`delivery.next_try_at is not null`,
  delivered: sql`delivery.next_try_at is null and delivery.delivered_at is not null`,
  "given-up": sql`delivery.next_try_at is null and delivery.delivered_at is null`,
};

/** Returns how the deliveries of one webhook are listed, by their age. */
export function deliveryList({
  webhookId,
  state,
  event,
}: {
  webhookId: string;
  state?: string;
  event?: string;
}): ListQuery<"time"> {
  const condition = state && Object.hasOwn(stateConditions, state) ? stateConditions[state as DeliveryState] : null;
  return {
    from: sql`partner_webhook_deliveries delivery`,
    select: sql`delivery.id, delivery.event_id as "eventId", delivery.kind, delivery.attempts,
      case when delivery.next_try_at is not null then 'waiting' when delivery.delivered_at is not null then 'delivered'
        else 'given-up' end as state,
      delivery.last_status as "lastStatus", delivery.last_error as "lastError", delivery.created_at as "createdAt",
      delivery.delivered_at as "deliveredAt"`,
    where: [
      sql`delivery.webhook_id = ${webhookId}`,
      ...(condition ? [condition] : []),
      ...(event ? [isUuid(event) ? sql`delivery.event_id = ${event}` : sql`false`] : []),
    ],
    sorts: { time: { by: sql`delivery.id`, type: "uuid" } },
    id: { by: sql`delivery.id`, type: "uuid" },
  };
}
