import type { Db } from "@farthing/db/client.ts";
import { keepPlan, unseenByPlanner } from "@farthing/db/kept-plans.ts";
import { sql } from "kysely";
import { isLiveSql } from "./acting.server.ts";
import { isOpen, standingOf, type AccessState, type EndedBy, type Standing } from "./rules.ts";

/** A request as the member and operators see it. */
export interface AccessView {
  publicId: string;
  operatorId: string;
  operator: string;
  reason: string;
  standing: Standing;
  askedAt: Date;
  lapsesAt: Date;
  answeredAt: Date | null;
  startedAt: Date | null;
  /** When the session ends or ended; null if there was none. */
  endsAt: Date | null;
  endedBy: EndedBy | null;
  pagesSeen: number;
  changesMade: number;
}

type Row = Omit<AccessView, "standing"> & { state: AccessState; isLive: boolean; endedAt: Date | null };

const select = (now: Date) => sql`
  select request.public_id as "publicId", request.operator_id as "operatorId", request.operator_name as operator,
    request.reason, request.state, request.asked_at as "askedAt", request.lapses_at as "lapsesAt",
    request.answered_at as "answeredAt", request.started_at as "startedAt", request.ends_at as "endsAt",
    request.ended_at as "endedAt", request.ended_by as "endedBy", request.pages_seen as "pagesSeen",
    request.changes_made as "changesMade", request.state = 'running' and ${isLiveSql(now)} as "isLive"
  from account_access_requests request`;

function viewOf({ state, isLive, endedAt, ...row }: Row, now: Date): AccessView {
  const ended = row.endsAt && endedAt && endedAt < row.endsAt ? endedAt : row.endsAt;
  return { ...row, endsAt: ended, standing: standingOf({ ...row, state, isLive }, now) };
}

/** Returns the requests about a member, newest first, at most 50. */
export async function findAccessRequests(
  db: Db,
  { memberId, now }: { memberId: string; now: Date },
): Promise<AccessView[]> {
  const { rows } = await sql<Row>`${select(now)}
    where request.member_id = ${memberId} order by request.asked_at desc, request.id desc limit 50`.execute(db);
  return rows.map((row) => viewOf(row, now));
}

/** Returns the request about a member that is open or runs; null where there is none. */
export async function findOpenAccess(
  db: Db,
  { memberId, now }: { memberId: string; now: Date },
): Promise<AccessView | null> {
  const { rows } = await sql<Row>`${keepPlan}${select(now)}
    where request.member_id = ${unseenByPlanner(memberId, "uuid")} and request.state in ('asked', 'allowed', 'running')`.execute(
    db,
  );
  const view = rows[0] ? viewOf(rows[0], now) : null;
  return view && isOpen(view.standing) ? view : null;
}

/** Returns one request about this member; null where it is not theirs. */
export async function findAccessRequest(
  db: Db,
  { publicId, memberId, now }: { publicId: string; memberId: string; now: Date },
): Promise<AccessView | null> {
  const { rows } = await sql<Row>`${select(now)}
    where request.public_id = ${publicId} and request.member_id = ${memberId}`.execute(db);
  return rows[0] ? viewOf(rows[0], now) : null;
}
