import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { hashSecretToken, newSecretToken } from "../secrets/secret-token.ts";
import { queueOperatorMail } from "./operator-mail.server.ts";
import { lockOwners, type LockedOwner } from "./lock-owners.server.ts";
import { operatorSession } from "./rules.ts";
import type { NewOperator } from "./schema.ts";
import { may, type Role } from "./permissions.ts";
import { endOperatorSessions } from "./sessions.server.ts";

export type Invited =
  | {
      outcome: "invited";
      id: string;
      /** The link to choose a password, as a path: it opens the account, so only who invites on a terminal is shown it. */
      path: string;
    }
  | { outcome: "known" };

/** Adds an operator and mails the link to choose a password. `known`: somebody has the address already. */
export async function inviteOperator(
  db: Db,
  { operator, now }: { operator: NewOperator; now: Date },
): Promise<Invited> {
  return await db.transaction().execute(async (trx): Promise<Invited> => {
    const id = newId();
    const { numInsertedOrUpdatedRows = 0n } = await trx
      .insertInto("operators")
      .values({ id, ...operator, created_at: now, updated_at: now })
      .onConflict((conflict) => conflict.column("email").doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 0n) return { outcome: "known" };
    const path = await mailLink(trx, { id, email: operator.email, why: "invited", now });
    return { outcome: "invited", id, path };
  });
}

/**
 * Mails a new link to an operator who has not chosen a password yet, and returns it as a path; the former one ends. Null for
 * anybody else.
 */
export async function renewInvitation(db: Db, { id, now }: { id: string; now: Date }): Promise<string | null> {
  return await db.transaction().execute(async (trx) => {
    const stored = await lockOperator(trx, id);
    if (!stored || stored.disabled_at || stored.password !== null) return null;
    return await mailLink(trx, { id, email: stored.email, why: "invited", now });
  });
}

export type OperatorChange =
  | { outcome: "changed" | "unknown" | "last-owner" }
  /** Somebody saved meanwhile: what is stored now. */
  | { outcome: "stale"; name: string; role: Role; version: number };

/**
 * Changes name and role, if the record is still what the form showed (`version`). What they asked members ends with a role
 * that may not act as them.
 */
export async function changeOperator(
  db: Db,
  { id, name, role, version, now }: { id: string; name: string; role: Role; version: number; now: Date },
): Promise<OperatorChange> {
  return await db.transaction().execute(async (trx): Promise<OperatorChange> => {
    const owners = await lockOwners(trx);
    const stored = await lockOperator(trx, id);
    if (!stored) return { outcome: "unknown" };
    if (stored.version !== version)
      return { outcome: "stale", name: stored.name, role: stored.role as Role, version: stored.version };
    if (role !== "owner" && isLastOwner(owners, id)) return { outcome: "last-owner" };
    await trx
      .updateTable("operators")
      .set({ name, role, version: version + 1, updated_at: now })
      .where("id", "=", id)
      .execute();
    if (!may(role, "members.act-as")) await endAccessRequests(trx, { id, now });
    return { outcome: "changed" };
  });
}

/** Shuts an operator out at once: sessions, links and what they asked members end, and no sign-in works. */
export async function disableOperator(
  db: Db,
  { id, now }: { id: string; now: Date },
): Promise<"disabled" | "unknown" | "last-owner"> {
  return await db.transaction().execute(async (trx) => {
    const owners = await lockOwners(trx);
    if (isLastOwner(owners, id)) return "last-owner";
    const { numUpdatedRows } = await trx
      .updateTable("operators")
      .set((row) => ({ disabled_at: now, updated_at: now, version: row("version", "+", 1) }))
      .where("id", "=", id)
      .where("disabled_at", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return "unknown";
    await endOperatorSessions(trx, { operatorId: id });
    await trx.deleteFrom("operator_links").where("operator_id", "=", id).execute();
    await endAccessRequests(trx, { id, now });
    return "disabled";
  });
}

export async function enableOperator(db: Db, { id, now }: { id: string; now: Date }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("operators")
    .set((row) => ({ disabled_at: null, updated_at: now, version: row("version", "+", 1) }))
    .where("id", "=", id)
    .where("disabled_at", "is not", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Takes away password, second factor, recovery codes and sessions, and mails a link to begin again: for a lost phone, or
 * a password that somebody else may know. Returns false for an unknown or disabled operator.
 */
export async function resetOperator(db: Db, { id, now }: { id: string; now: Date }): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const stored = await lockOperator(trx, id);
    if (!stored || stored.disabled_at) return false;
    await trx.updateTable("operators").set({ password: null, updated_at: now }).where("id", "=", id).execute();
    await trx.deleteFrom("operator_second_factors").where("operator_id", "=", id).execute();
    await trx.deleteFrom("operator_recovery_codes").where("operator_id", "=", id).execute();
    await endOperatorSessions(trx, { operatorId: id });
    await mailLink(trx, { id, email: stored.email, why: stored.password === null ? "invited" : "reset", now });
    return true;
  });
}

/** Ends what an operator who may not act as members any more has asked them, so that a colleague can ask (A3). */
async function endAccessRequests(trx: Trx, { id, now }: { id: string; now: Date }): Promise<void> {
  await trx
    .updateTable("account_access_requests")
    .set({ state: "ended", ended_at: now, ended_by: "club", ticket_hash: null, ticket_ends_at: null })
    .where("operator_id", "=", id)
    .where("state", "in", ["asked", "allowed", "running"])
    .execute();
}

/** Returns the path of the link. */
async function mailLink(
  trx: Trx,
  { id, email, why, now }: { id: string; email: string; why: "invited" | "reset"; now: Date },
): Promise<string> {
  const token = newSecretToken();
  await trx.deleteFrom("operator_links").where("operator_id", "=", id).execute();
  await trx
    .insertInto("operator_links")
    .values({
      id: newId(),
      operator_id: id,
      token_hash: hashSecretToken(token),
      created_at: now,
      expires_at: new Date(now.getTime() + operatorSession.linkMs),
    })
    .execute();
  const days = operatorSession.linkMs / 86_400_000;
  const path = `/admin/join/${token}`;
  await queueOperatorMail(trx, { to: email, mail: { kind: "operator-invitation", path, why, days }, now });
  return path;
}

function lockOperator(trx: Trx, id: string) {
  return trx
    .selectFrom("operators")
    .select(["email", "name", "role", "password", "version", "disabled_at"])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
}

/**
 * Returns whether the club would be without an owner if this one went, or, if they can sign in, without one who can: an
 * invitation may never be followed.
 */
function isLastOwner(owners: readonly LockedOwner[], id: string): boolean {
  const owner = owners.find((one) => one.id === id);
  return owner !== undefined && !owners.some((one) => one.id !== id && (one.canSignIn || !owner.canSignIn));
}
