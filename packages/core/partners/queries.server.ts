import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";

/** A partner as operators see it; of its keys only the prefixes. */
export interface PartnerSummary {
  id: string;
  publicId: string;
  name: string;
  isSuspended: boolean;
  origins: string[];
  /** After "fpk_": the prefix, with "test_" before it for a test key. */
  keyPrefixes: string[];
  webhookUrls: string[];
}

/** Returns all partners by name. */
export async function listPartners(db: Db): Promise<PartnerSummary[]> {
  const { rows } = await sql<PartnerSummary>`
    select p.id, p.public_id as "publicId", p.name, p.suspended_at is not null as "isSuspended",
      array(select o.origin from partner_origins o where o.partner_id = p.id order by o.origin) as origins,
      array(select case k.mode when 'test' then 'test_' else '' end || k.prefix from partner_api_keys k where k.partner_id = p.id and k.revoked_at is null order by k.created_at) as "keyPrefixes",
      array(select w.url from partner_webhooks w where w.partner_id = p.id and w.disabled_at is null order by w.url) as "webhookUrls"
    from partners p order by p.name, p.public_id`.execute(db);
  return rows;
}

/** Returns the public id of the partner whose key in use has this prefix, without "test_"; null: there is none. */
export async function findPartnerOfKey(db: Db, { prefix }: { prefix: string }): Promise<string | null> {
  const row = await db
    .selectFrom("partner_api_keys")
    .innerJoin("partners", "partners.id", "partner_api_keys.partner_id")
    .select("partners.public_id as publicId")
    .where("partner_api_keys.prefix", "=", prefix)
    .where("partner_api_keys.revoked_at", "is", null)
    .executeTakeFirst();
  return row?.publicId ?? null;
}

/** Returns the id of the partner with this public id, or null. */
export async function findPartnerId(db: Db, { publicId }: { publicId: string }): Promise<string | null> {
  const row = await db.selectFrom("partners").select("id").where("public_id", "=", publicId).executeTakeFirst();
  return row?.id ?? null;
}
