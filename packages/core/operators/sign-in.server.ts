import { createHmac } from "node:crypto";
import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { queueOperatorMail } from "./operator-mail.server.ts";
import { findKeptKeys } from "../secrets/kept-keys.server.ts";
import { openSecret, sealSecret, type SecretKeys } from "../secrets/sealed-secret.ts";
import { hashSecretToken, isSameSecret } from "../secrets/secret-token.ts";
import { newRecoveryCodes, recoveryCodeHash, typedRecoveryCode } from "../sign-in/recovery-codes.ts";
import { matchTotp, newTotpSecret } from "../sign-in/totp.ts";
import { endOperatorSession, endOperatorSessions, insertOperatorSession } from "./sessions.server.ts";

export interface OperatorSignIn {
  operatorId: string;
  email: string;
  name: string;
  passwordHash: string | null;
  isDisabled: boolean;
  hasSecondFactor: boolean;
}

export async function findOperatorSignIn(db: Db, { email }: { email: string }): Promise<OperatorSignIn | null> {
  const row = await db
    .selectFrom("operators as operator")
    .leftJoin("operator_second_factors as factor", "factor.operator_id", "operator.id")
    .select(["operator.id", "operator.email", "operator.name", "password", "disabled_at", "factor.enabled_at"])
    .where("operator.email", "=", email)
    .executeTakeFirst();
  if (!row) return null;
  return {
    operatorId: row.id,
    email: row.email,
    name: row.name,
    passwordHash: row.password,
    isDisabled: row.disabled_at !== null,
    hasSecondFactor: row.enabled_at !== null,
  };
}

/** The browser of a sign-in, and the session from the password to the code. */
export interface HalfSession {
  operatorId: string;
  sessionId: string;
  address: string | null;
  userAgent: string | null;
  keys: SecretKeys;
  now: Date;
}

/**
 * Sends the operator a code that finishes this one sign-in. Development only: anywhere else the second factor would be
 * as weak as the mailbox.
 */
export async function mailSignInCode(
  db: Db,
  { operatorId, sessionId, code, keys, now }: Omit<HalfSession, "address" | "userAgent"> & { code: string },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const operator = await trx
      .selectFrom("operators")
      .select("email")
      .where("id", "=", operatorId)
      .executeTakeFirstOrThrow();
    await trx
      .updateTable("operator_sessions")
      .set({ mailed_code: mailedCodeHash(code, { sessionId, key: keys[0] }) })
      .where("id", "=", sessionId)
      .where("step", "=", "code")
      .execute();
    await queueOperatorMail(trx, { to: operator.email, mail: { kind: "operator-code", code }, now });
  });
}

function mailedCodeHash(code: string, { sessionId, key }: { sessionId: string; key: string }): string {
  return createHmac("sha256", key)
    .update(`${sessionId}\n${code.replace(/[\s-]/g, "")}`)
    .digest("base64url");
}

/**
 * Finishes a sign-in: checks and spends the code, from the app, a recovery code, or in development the mailbox, and
 * replaces the half session by an open one. Returns its token; null for a wrong code or a session that has ended.
 */
export async function finishSignIn(db: Db, { code, ...half }: HalfSession & { code: string }): Promise<string | null> {
  return await db.transaction().execute(async (trx) => {
    const session = await lockHalf(trx, half, "code");
    if (!session) return null;
    const isRight = (await isMailedCode(session.mailed_code, code, half)) || (await spendCode(trx, { ...half, code }));
    return isRight ? await openInPlace(trx, half) : null;
  });
}

async function isMailedCode(hash: string | null, code: string, { sessionId, keys }: HalfSession): Promise<boolean> {
  return hash !== null && isSameSecret(hash, mailedCodeHash(code, { sessionId, key: keys[0] }));
}

async function spendCode(trx: Trx, { operatorId, keys, now, code }: HalfSession & { code: string }): Promise<boolean> {
  const factor = await lockFactor(trx, operatorId);
  if (!factor || factor.enabled_at === null) return false;
  const secret = openSecret(factor.secret, { memberId: operatorId, keys });
  const step = matchTotp(secret, code, { at: now, lastStep: factor.last_step });
  if (step !== null) {
    await trx
      .updateTable("operator_second_factors")
      .set({ last_step: step })
      .where("operator_id", "=", operatorId)
      .execute();
    return true;
  }
  if (typedRecoveryCode(code) === null) return false;
  const kept = await findKeptKeys(trx, { purpose: "operator-secrets", keys });
  const hashes = [...keys, ...kept].map((key) => recoveryCodeHash(code, { memberId: operatorId, key }));
  const { numUpdatedRows } = await trx
    .updateTable("operator_recovery_codes")
    .set({ used_at: now })
    .where("operator_id", "=", operatorId)
    .where("code_hash", "in", hashes)
    .where("used_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Returns the secret to scan at the first sign-in: a new one, or the one that this half session was just shown, so that a
 * reload does not invalidate what was scanned. A secret shown in another session is never turned on, because someone may
 * have seen it there. Null if the factor is set up.
 */
export async function prepareOperatorFactor(
  db: Db,
  { operatorId, sessionId, keys, now }: Pick<HalfSession, "operatorId" | "sessionId" | "keys" | "now">,
): Promise<string | null> {
  const secret = sealSecret(newTotpSecret(), { memberId: operatorId, keys });
  const shown = { secret, shown_to: sessionId, created_at: now };
  return await db.transaction().execute(async (trx) => {
    // Locks the row, changed or not: what is read below is what this session is shown.
    await trx
      .insertInto("operator_second_factors")
      .values({ operator_id: operatorId, ...shown })
      .onConflict((conflict) =>
        conflict
          .column("operator_id")
          .doUpdateSet(shown)
          .where("operator_second_factors.enabled_at", "is", null)
          .where("operator_second_factors.shown_to", "is distinct from", sessionId),
      )
      .execute();
    const row = await trx
      .selectFrom("operator_second_factors")
      .select(["secret", "enabled_at"])
      .where("operator_id", "=", operatorId)
      .executeTakeFirstOrThrow();
    return row.enabled_at === null ? openSecret(row.secret, { memberId: operatorId, keys }) : null;
  });
}

/**
 * Turns the second factor on when a code proves that the app has the secret which this half session was shown, and opens
 * the session. Returns the recovery codes, to be shown once; null for a wrong code.
 */
export async function setUpFactor(
  db: Db,
  { code, ...half }: HalfSession & { code: string },
): Promise<{ token: string; recoveryCodes: string[] } | null> {
  const { operatorId, keys, now } = half;
  return await db.transaction().execute(async (trx) => {
    if (!(await lockHalf(trx, half, "set-up"))) return null;
    const factor = await lockFactor(trx, operatorId);
    if (!factor || factor.enabled_at !== null || factor.shown_to !== half.sessionId) return null;
    const secret = openSecret(factor.secret, { memberId: operatorId, keys });
    const step = matchTotp(secret, code, { at: now, lastStep: factor.last_step });
    if (step === null) return null;
    await trx
      .updateTable("operator_second_factors")
      .set({ enabled_at: now, last_step: step, shown_to: null })
      .where("operator_id", "=", operatorId)
      .execute();
    const recoveryCodes = newRecoveryCodes();
    await trx.deleteFrom("operator_recovery_codes").where("operator_id", "=", operatorId).execute();
    await trx
      .insertInto("operator_recovery_codes")
      .values(
        recoveryCodes.map((each) => ({
          id: newId(),
          operator_id: operatorId,
          code_hash: recoveryCodeHash(each, { memberId: operatorId, key: keys[0] }),
          created_at: now,
        })),
      )
      .execute();
    await endOperatorSessions(trx, { operatorId, exceptSessionId: half.sessionId });
    const token = await openInPlace(trx, half);
    return token === null ? null : { token, recoveryCodes };
  });
}

/** Returns the operator of a link to choose a password; null if it is unknown, used or over. */
export async function findLinkOperator(
  db: Db,
  { token, now }: { token: string; now: Date },
): Promise<{ operatorId: string; email: string; name: string } | null> {
  const row = await db
    .selectFrom("operator_links as link")
    .innerJoin("operators as operator", "operator.id", "link.operator_id")
    .select(["operator.id as operatorId", "operator.email", "operator.name"])
    .where("link.token_hash", "=", hashSecretToken(token))
    .where("link.expires_at", ">", now)
    .where("operator.disabled_at", "is", null)
    .executeTakeFirst();
  return row ?? null;
}

/** Sets the password that the owner of a link chose. The link, and every session, ends. Returns false for a used link. */
export async function choosePassword(
  db: Db,
  { token, hash, now }: { token: string; hash: string; now: Date },
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const link = await trx
      .deleteFrom("operator_links")
      .where("token_hash", "=", hashSecretToken(token))
      .where("expires_at", ">", now)
      .returning("operator_id")
      .executeTakeFirst();
    if (!link) return false;
    const { numUpdatedRows } = await trx
      .updateTable("operators")
      .set({ password: hash, updated_at: now })
      .where("id", "=", link.operator_id)
      .where("disabled_at", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    await trx.deleteFrom("operator_links").where("operator_id", "=", link.operator_id).execute();
    await endOperatorSessions(trx, { operatorId: link.operator_id });
    return true;
  });
}

function lockHalf(trx: Trx, { operatorId, sessionId, now }: HalfSession, step: "set-up" | "code") {
  return trx
    .selectFrom("operator_sessions")
    .select(["id", "mailed_code"])
    .where("id", "=", sessionId)
    .where("operator_id", "=", operatorId)
    .where("step", "=", step)
    .where("expires_at", ">", now)
    .forUpdate()
    .executeTakeFirst();
}

/** Two posts with two right codes open one session: the half one is gone after the first. */
async function openInPlace(trx: Trx, { operatorId, sessionId, address, userAgent, now }: HalfSession) {
  if (!(await endOperatorSession(trx, { sessionId }))) return null;
  return await insertOperatorSession(trx, { operatorId, step: "open", address, userAgent, now });
}

function lockFactor(trx: Trx, operatorId: string) {
  return trx
    .selectFrom("operator_second_factors")
    .select(["secret", "enabled_at", "last_step", "shown_to"])
    .where("operator_id", "=", operatorId)
    .forUpdate()
    .executeTakeFirst();
}
