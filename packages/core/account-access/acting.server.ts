import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { may, type Role } from "../operators/permissions.ts";
import { operatorSession } from "../operators/rules.ts";
import { hashSecretToken, newSecretToken } from "../secrets/secret-token.ts";
import { accessComesFrom, accessTimes } from "./rules.ts";

/** An operator who is acting as a member. */
export interface Acting {
  publicId: string;
  operator: { id: string; email: string; name: string };
  member: {
    id: string;
    name: string;
    email: string;
    verification: "unverified" | "submitted" | "verified" | "rejected" | "lapsed";
  };
  endsAt: Date;
}

/**
 * SQL: whether the operator of `request` still has what the session began with: the session of the admin, not idle, and
 * an account that is not disabled. The role is read besides.
 */
export const isLiveSql = (now: Date) => sql<boolean>`exists (select from operator_sessions admin_session
  join operators operator on operator.id = admin_session.operator_id
  where admin_session.id = request.operator_session_id and operator.id = request.operator_id
    and admin_session.step = 'open' and admin_session.expires_at > ${now}
    and admin_session.used_at > ${new Date(now.getTime() - operatorSession.idleMs)}
    and operator.disabled_at is null)`;

/**
 * Returns the token of a link that starts the session, once and within five minutes, for the operator who asked; null
 * unless the member has said yes. An earlier link is worth nothing then.
 */
export async function issueTicket(
  db: Db,
  { publicId, operator, now }: { publicId: string; operator: { id: string; sessionId: string }; now: Date },
): Promise<string | null> {
  const ticket = newSecretToken();
  const { numUpdatedRows } = await db
    .updateTable("account_access_requests")
    .set({
      ticket_hash: hashSecretToken(ticket),
      ticket_ends_at: new Date(now.getTime() + accessTimes.ticketMs),
      operator_session_id: operator.sessionId,
    })
    .where("public_id", "=", publicId)
    .where("operator_id", "=", operator.id)
    .where("state", "in", accessComesFrom.running)
    .where("lapses_at", ">", now)
    .executeTakeFirst();
  return numUpdatedRows > 0n ? ticket : null;
}

/** Whom a ticket is for, before it is used. */
export interface Ticket {
  publicId: string;
  operator: { id: string; email: string; name: string };
  memberName: string;
}

/** Returns what a ticket would start at this brand; null for one that is used, over, or another brand's. */
export async function findTicket(
  db: Db,
  { brandId, ticket, now }: { brandId: string; ticket: string; now: Date },
): Promise<Ticket | null> {
  const { rows } = await sql<{
    publicId: string;
    operatorId: string;
    email: string;
    name: string;
    role: Role;
    memberName: string;
  }>`
    select request.public_id as "publicId", operator.id as "operatorId", operator.email, operator.name, operator.role,
      member.name as "memberName"
    from account_access_requests request join operators operator on operator.id = request.operator_id
    join members member on member.id = request.member_id and member.brand_id = request.brand_id
    where request.ticket_hash = ${hashSecretToken(ticket)} and request.brand_id = ${brandId} and request.state = 'allowed'
      and request.ticket_ends_at > ${now} and request.lapses_at > ${now} and member.suspended_at is null and ${isLiveSql(now)}`.execute(
    db,
  );
  const [row] = rows;
  if (!row || !may(row.role, "members.act-as")) return null;
  const { publicId, operatorId, email, name, memberName } = row;
  return { publicId, operator: { id: operatorId, email, name }, memberName };
}

/**
 * Starts the session of a ticket and returns its token, of which the database has only a hash; null if the ticket was
 * used meanwhile. The operator's session of the admin counts as used now, so that it lasts as long.
 */
export async function startActing(
  db: Db,
  { brandId, ticket, now }: { brandId: string; ticket: string; now: Date },
): Promise<string | null> {
  return await db.transaction().execute(async (trx) => {
    const token = newSecretToken();
    const started = await trx
      .updateTable("account_access_requests")
      .set({
        state: "running",
        started_at: now,
        ends_at: new Date(now.getTime() + accessTimes.sessionMs),
        session_hash: hashSecretToken(token),
        ticket_hash: null,
        ticket_ends_at: null,
      })
      .where("ticket_hash", "=", hashSecretToken(ticket))
      .where("brand_id", "=", brandId)
      .where("state", "in", accessComesFrom.running)
      .where("ticket_ends_at", ">", now)
      .where("lapses_at", ">", now)
      .returning("operator_session_id")
      .executeTakeFirst();
    if (!started?.operator_session_id) return null;
    await trx
      .updateTable("operator_sessions")
      .set({ used_at: now })
      .where("id", "=", started.operator_session_id)
      .where("used_at", "<", now)
      .execute();
    return token;
  });
}

/**
 * Returns who acts as whom in the session of a token, or null if it has ended: by time, the member, the operator, the end
 * of the operator's own session or role, or a suspension.
 */
export async function findActing(
  db: Db,
  { brandId, token, now }: { brandId: string; token: string; now: Date },
): Promise<Acting | null> {
  const { rows } = await sql<{
    publicId: string;
    endsAt: Date;
    role: Role;
    operatorId: string;
    operatorEmail: string;
    operatorName: string;
    memberId: string;
    memberName: string;
    memberEmail: string;
    verification: Acting["member"]["verification"];
  }>`
    select request.public_id as "publicId", request.ends_at as "endsAt", operator.role, operator.id as "operatorId",
      operator.email as "operatorEmail", request.operator_name as "operatorName", member.id as "memberId",
      member.name as "memberName", member.email as "memberEmail", member.verification
    from account_access_requests request join operators operator on operator.id = request.operator_id
    join members member on member.id = request.member_id and member.brand_id = request.brand_id
    where request.session_hash = ${hashSecretToken(token)} and request.brand_id = ${brandId} and request.state = 'running'
      and request.ends_at > ${now} and member.suspended_at is null and ${isLiveSql(now)}`.execute(db);
  const [row] = rows;
  if (!row || !may(row.role, "members.act-as")) return null;
  const { publicId, endsAt, operatorId, operatorEmail, operatorName, memberId, memberName, memberEmail } = row;
  return {
    publicId,
    endsAt,
    operator: { id: operatorId, email: operatorEmail, name: operatorName },
    member: { id: memberId, name: memberName, email: memberEmail, verification: row.verification },
  };
}

const counted = { see: "pages_seen", change: "changes_made", refuse: "requests_refused" } as const;

/**
 * Counts a request of a session that runs, and keeps which one it was, for the entry of the audit log that is written
 * with it. Returns false if the session has ended meanwhile.
 */
export async function noteActedRequest(
  db: Db,
  { publicId, what, request, now }: { publicId: string; what: keyof typeof counted; request: string; now: Date },
): Promise<boolean> {
  const column = counted[what];
  const { numUpdatedRows } = await db
    .updateTable("account_access_requests")
    .set((eb) => ({ [column]: eb(column, "+", 1), last_request: request.slice(0, 300) }))
    .where("public_id", "=", publicId)
    .where("state", "=", "running")
    .where("ends_at", ">", now)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
