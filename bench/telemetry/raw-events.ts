import { newId } from "@farthing/db/uuid.ts";
import type { Pool } from "pg";

/** The columns of an event, in a table of its own without partitions, checks or an index but its key. */
export const CREATE_RAW = `create table raw_events (
  id uuid primary key, received_at timestamptz not null, brand_id uuid not null, event_type text not null, user_id text, session_id text not null,
  affinity_id text not null, subject text not null, page_loaded_at timestamptz, extra_fields jsonb)`;

export interface RawRow {
  id: string;
  at: Date;
  brandId: string;
  eventType: string;
  userId: string | null;
  sessionId: string;
  affinityId: string;
  subject: string;
  loadedAt: Date | null;
  extra: string | null;
}

interface Sent {
  eventType: string;
  userId: string | null;
  sessionId: string;
  affinityId: string;
  additionalFields: { OfferId?: string; SearchTerm?: string; timestampPageLoad?: number };
}

const BRAND = newId();

/** An event as a row, taken as it was sent. */
export function toRawRow(value: unknown): RawRow {
  const { eventType, userId, sessionId, affinityId, additionalFields } = value as Sent;
  const { OfferId, SearchTerm, timestampPageLoad } = additionalFields;
  const subject = OfferId ?? SearchTerm ?? "";
  const loadedAt = timestampPageLoad === undefined ? null : new Date(timestampPageLoad);
  return {
    id: newId(),
    at: new Date(),
    brandId: BRAND,
    eventType,
    userId,
    sessionId,
    affinityId,
    subject,
    loadedAt,
    extra: null,
  };
}

/** One statement of many rows, and one commit. */
export async function insertRaw(pool: Pool, rows: readonly RawRow[]): Promise<void> {
  await pool.query(
    `insert into raw_events select * from unnest($1::uuid[], $2::timestamptz[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
      $9::timestamptz[], $10::jsonb[])`,
    [
      rows.map((row) => row.id),
      rows.map((row) => row.at),
      rows.map((row) => row.brandId),
      rows.map((row) => row.eventType),
      rows.map((row) => row.userId),
      rows.map((row) => row.sessionId),
      rows.map((row) => row.affinityId),
      rows.map((row) => row.subject),
      rows.map((row) => row.loadedAt),
      rows.map((row) => row.extra),
    ],
  );
}
