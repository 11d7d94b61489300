import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { hashSecretToken, newSecretToken } from "../secrets/secret-token.ts";
import type { Role } from "./permissions.ts";
import { operatorSession } from "./rules.ts";

/** `set-up` and `code`: the password was right, the second factor is to come. Only `open` may do anything. */
export type SessionStep = "set-up" | "code" | "open";

export interface SessionOperator {
  id: string;
  sessionId: string;
  email: string;
  name: string;
  role: Role;
  step: SessionStep;
}

export interface NewOperatorSession {
  operatorId: string;
  step: SessionStep;
  address: string | null;
  userAgent: string | null;
  now: Date;
}

/** Opens a session and returns its token, of which the database has only a hash; null for a disabled operator. */
export async function insertOperatorSession(
  db: Db | Trx,
  { operatorId, step, address, userAgent, now }: NewOperatorSession,
): Promise<string | null> {
  const operator = await db
    .selectFrom("operators")
    .select("id")
    .where("id", "=", operatorId)
    .where("disabled_at", "is", null)
    .forShare()
    .executeTakeFirst();
  if (!operator) return null;
  const token = newSecretToken();
  await db
    .insertInto("operator_sessions")
    .values({
      id: newId(),
      operator_id: operatorId,
      token_hash: hashSecretToken(token),
      step,
      ip_address: address?.slice(0, 100) ?? null,
      user_agent: userAgent?.slice(0, 400) ?? null,
      created_at: now,
      used_at: now,
      expires_at: new Date(now.getTime() + (step === "open" ? operatorSession.maxMs : operatorSession.stepMs)),
    })
    .execute();
  return token;
}

/** Returns the operator of a session that has not ended, and notes that it is in use; null otherwise. */
export async function findSessionOperator(
  db: Db,
  { token, now }: { token: string; now: Date },
): Promise<SessionOperator | null> {
  const row = await db
    .selectFrom("operator_sessions as session")
    .innerJoin("operators as operator", "operator.id", "session.operator_id")
    .select([
      "operator.id",
      "session.id as sessionId",
      "operator.email",
      "operator.name",
      "operator.role",
      "session.step",
      "session.used_at as usedAt",
    ])
    .where("session.token_hash", "=", hashSecretToken(token))
    .where("session.expires_at", ">", now)
    .where("session.used_at", ">", new Date(now.getTime() - operatorSession.idleMs))
    .where("operator.disabled_at", "is", null)
    .executeTakeFirst();
  if (!row) return null;
  const { usedAt, ...found } = row;
  if (now.getTime() - usedAt.getTime() > operatorSession.touchMs)
    await db.updateTable("operator_sessions").set({ used_at: now }).where("id", "=", row.sessionId).execute();
  return found as SessionOperator;
}

export async function endOperatorSession(db: Db | Trx, { sessionId }: { sessionId: string }): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("operator_sessions").where("id", "=", sessionId).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Ends every session of an operator, except one. Returns how many ended. */
export async function endOperatorSessions(
  db: Db | Trx,
  { operatorId, exceptSessionId = null }: { operatorId: string; exceptSessionId?: string | null },
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("operator_sessions")
    .where("operator_id", "=", operatorId)
    .$if(exceptSessionId !== null, (query) => query.where("id", "<>", exceptSessionId ?? ""))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Removes sessions and links that are over; run by a regular job. */
export async function forgetOldOperatorSessions(db: Db, { now }: { now: Date }): Promise<void> {
  await db
    .deleteFrom("operator_sessions")
    .where((row) =>
      row.or([row("expires_at", "<", now), row("used_at", "<", new Date(now.getTime() - operatorSession.idleMs))]),
    )
    .execute();
  await db.deleteFrom("operator_links").where("expires_at", "<", now).execute();
}
