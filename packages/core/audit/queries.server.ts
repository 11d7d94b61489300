import type { Db } from "@farthing/db/client.ts";
import { type RawBuilder, sql } from "kysely";
import { contains } from "../lists/contains.ts";
import type { Action } from "./actions.ts";
import type { ListQuery } from "../lists/find-list-page.server.ts";
import type { RecordState } from "./find-state.server.ts";

export interface AuditEntry {
  seq: number;
  at: Date;
  actor: string;
  action: string;
  subjectType: string;
  subjectId: string;
  before: RecordState | null;
  after: RecordState | null;
  why: string | null;
  requestId: string | null;
}

const columns = sql`entry.seq, entry.at, entry.actor, entry.action, entry.subject_type as "subjectType",
  entry.subject_id as "subjectId", entry.before, entry.after, entry.why, entry.request_id as "requestId"`;

/** The filters, as they are typed; one that is missing does not narrow. Days are London's, as the times that pages show, the last one included. */
export interface AuditFilters {
  actor?: string;
  /** The code of an action (actions.ts); with it, its entries before and after what an outside service does. */
  action?: string;
  type?: string;
  subject?: string;
  from?: string;
  to?: string;
}

/** Returns how the log is listed. Its order is that in which entries were written. */
export function auditList({ actor, action, type, subject, from, to }: AuditFilters): ListQuery<"seq"> {
  const where: RawBuilder<unknown>[] = [];
  if (actor) where.push(contains(sql`lower(entry.actor)`, actor));
  if (action) where.push(sql`entry.action in (${action}, ${`${action}.begin`}, ${`${action}.refused`})`);
  if (type) where.push(sql`entry.subject_type = ${type}`);
  if (subject) where.push(sql`entry.subject_id = ${subject}`);
  if (from) where.push(sql`entry.at >= ${from}::timestamp at time zone 'Europe/London'`);
  if (to) where.push(sql`entry.at < (${to}::timestamp + interval '1 day') at time zone 'Europe/London'`);
  return {
    from: sql`audit_entries entry`,
    select: columns,
    where,
    sorts: { seq: { by: sql`entry.seq`, type: "bigint" } },
    id: { by: sql`entry.seq`, type: "bigint" },
  };
}

const MAX_HISTORY = 500;

export interface SubjectRef {
  type: string;
  id: string;
}

/** Returns what was done to one record, newest first; the newest 500. */
export async function findHistory(db: Db, { type, id }: SubjectRef): Promise<AuditEntry[]> {
  const { rows } = await sql<AuditEntry>`select ${columns} from audit_entries entry
    where entry.subject_type = ${type} and entry.subject_id = ${id} order by entry.seq desc limit ${MAX_HISTORY}`.execute(
    db,
  );
  return rows;
}

/** Returns what was done to a retailer and to the rates that it has now, newest first; the newest 500. */
export async function findRetailerHistory(db: Db, { slug }: { slug: string }): Promise<AuditEntry[]> {
  const { rows } = await sql<AuditEntry>`select ${columns} from (
      (select * from audit_entries where subject_type = 'retailer' and subject_id = ${slug} order by seq desc limit ${MAX_HISTORY})
      union all
      select of_rate.* from retailers r join programmes p on p.retailer_id = r.id join rate_tiers t on t.programme_id = p.id
      join audit_entries of_rate on of_rate.subject_type = 'rate-tier' and of_rate.subject_id = t.id::text where r.slug = ${slug}) entry
    order by entry.seq desc limit ${MAX_HISTORY}`.execute(db);
  return rows;
}

export type PastState =
  /** What the entry at or before the moment left, or what the first entry after it found. */
  | { known: true; state: RecordState | null; from: "entry-before" | "entry-after"; entry: AuditEntry }
  /** The log has nothing of the record. */
  | { known: false };

/** Rebuilds what a record was at a moment (A1). Changes that members make themselves are not in the log. */
export async function findPastState(db: Db, { type, id, at }: SubjectRef & { at: Date }): Promise<PastState> {
  const entries = (order: RawBuilder<unknown>, when: RawBuilder<unknown>) =>
    sql<AuditEntry>`select ${columns} from audit_entries entry
      where entry.subject_type = ${type} and entry.subject_id = ${id} and ${when}
      order by ${order} limit 1`.execute(db);
  const [last] = (await entries(sql`entry.seq desc`, sql`entry.at <= ${at}`)).rows;
  if (last) return { known: true, state: last.after, from: "entry-before", entry: last };
  const [next] = (await entries(sql`entry.seq`, sql`entry.at > ${at}`)).rows;
  return next ? { known: true, state: next.before, from: "entry-after", entry: next } : { known: false };
}

/** Returns who changed a record last, by any of `actions` where some are given; null where the log has nothing of it. For a save that came too late. */
export async function findLastChange(
  db: Db,
  { type, id, actions }: SubjectRef & { actions?: readonly Action[] | undefined },
): Promise<{ actor: string; at: Date } | null> {
  const ofActions = actions ? sql`and action = any(${actions})` : sql``;
  const { rows } = await sql<{ actor: string; at: Date }>`select actor, at from audit_entries
    where subject_type = ${type} and subject_id = ${id} ${ofActions} order by seq desc limit 1`.execute(db);
  return rows[0] ?? null;
}
