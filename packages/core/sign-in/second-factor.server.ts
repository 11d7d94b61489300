import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { queueMail } from "../mails/operations.server.ts";
import { endAccess } from "../members/end-access.server.ts";
import { lockSignedIn } from "../members/lock-member.server.ts";
import { newRecoveryCodes, recoveryCodeHash, typedRecoveryCode } from "./recovery-codes.ts";
import { openSecret, sealSecret, type SecretKeys } from "../secrets/sealed-secret.ts";
import { matchTotp, newTotpSecret } from "./totp.ts";

interface OfMember {
  brandId: string;
  memberId: string;
  /** Encrypt secrets and key the hashes of recovery codes. */
  keys: SecretKeys;
  now: Date;
}

export interface SecondFactorState {
  isOn: boolean;
  recoveryCodesLeft: number;
}

export async function findSecondFactor(db: Db | Trx, { memberId }: { memberId: string }): Promise<SecondFactorState> {
  const factor = await db
    .selectFrom("member_second_factors")
    .select("enabled_at")
    .where("member_id", "=", memberId)
    .executeTakeFirst();
  const codes = await db
    .selectFrom("member_recovery_codes")
    .select(({ fn }) => fn.countAll<number>().as("left"))
    .where("member_id", "=", memberId)
    .where("used_at", "is", null)
    .executeTakeFirstOrThrow();
  return { isOn: factor !== undefined && factor.enabled_at !== null, recoveryCodesLeft: Number(codes.left) };
}

/** How long a secret that was shown may still be proved: who saw it long ago must not know what is turned on today. */
const shownMs = 30 * 60 * 1000;

/**
 * The secret to scan: a new one, or the one that this session was just shown, so that a reloaded page does not undo what was scanned. What another session was
 * shown is never turned on: whoever saw it there would know the codes. Null where a factor is on.
 */
export async function prepareSecondFactor(
  db: Db,
  { memberId, sessionId, keys, now }: OfMember & { sessionId: string },
): Promise<string | null> {
  const secret = newTotpSecret();
  const sealed = sealSecret(secret, { memberId, keys });
  await db
    .insertInto("member_second_factors")
    .values({ member_id: memberId, secret: sealed, shown_to: sessionId, created_at: now })
    .onConflict((conflict) =>
      conflict
        .column("member_id")
        .doUpdateSet({ secret: sealed, shown_to: sessionId, created_at: now })
        .where("member_second_factors.enabled_at", "is", null)
        .where((row) =>
          row.or([
            row("member_second_factors.created_at", "<", new Date(now.getTime() - shownMs)),
            row("member_second_factors.shown_to", "is distinct from", sessionId),
          ]),
        ),
    )
    .execute();
  const row = await db
    .selectFrom("member_second_factors")
    .select(["secret", "enabled_at"])
    .where("member_id", "=", memberId)
    .executeTakeFirstOrThrow();
  return row.enabled_at === null ? openSecret(row.secret, { memberId, keys }) : null;
}

/**
 * Turns the factor on once a code has proved that the app has the secret which this session was shown. Sessions that were opened without it end, but for this one.
 * Returns the recovery codes, to be shown once; null for a wrong code.
 */
export async function turnOnSecondFactor(
  db: Db,
  { code, sessionId, ...member }: OfMember & { sessionId: string; code: string },
): Promise<string[] | null> {
  const { memberId, keys, now, brandId } = member;
  return await db.transaction().execute(async (trx) => {
    if (!(await lockSignedIn(trx, { brandId, memberId, sessionId }))) return null;
    const factor = await lockFactor(trx, memberId);
    if (!factor || factor.enabled_at !== null || factor.shown_to !== sessionId) return null;
    const step = matchTotp(openSecret(factor.secret, { memberId, keys }), code, {
      at: now,
      lastStep: factor.last_step,
    });
    if (step === null) return null;
    await trx
      .updateTable("member_second_factors")
      .set({ enabled_at: now, last_step: step, shown_to: null })
      .where("member_id", "=", memberId)
      .execute();
    await endAccess(trx, "turn-on-second-factor", { brandId, memberId, exceptSessionId: sessionId, now });
    await tell(trx, { brandId, memberId, what: "on", now });
    return await replaceRecoveryCodes(trx, member);
  });
}

export async function turnOffSecondFactor(
  db: Db,
  { brandId, memberId, sessionId, now }: Omit<OfMember, "keys"> & { sessionId: string },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (!(await lockSignedIn(trx, { brandId, memberId, sessionId }))) return;
    const { numDeletedRows } = await trx
      .deleteFrom("member_second_factors")
      .where("member_id", "=", memberId)
      .executeTakeFirst();
    await trx.deleteFrom("member_recovery_codes").where("member_id", "=", memberId).execute();
    await endAccess(trx, "turn-off-second-factor", { brandId, memberId, exceptSessionId: sessionId, now });
    if (numDeletedRows > 0n) await tell(trx, { brandId, memberId, what: "off", now });
  });
}

/** New recovery codes in place of the old; null where there is no factor to recover. */
export async function renewRecoveryCodes(
  db: Db,
  { sessionId, ...member }: OfMember & { sessionId: string },
): Promise<string[] | null> {
  const { brandId, memberId, now } = member;
  return await db.transaction().execute(async (trx) => {
    if (!(await lockSignedIn(trx, { brandId, memberId, sessionId }))) return null;
    const factor = await lockFactor(trx, memberId);
    if (!factor?.enabled_at) return null;
    await endAccess(trx, "renew-recovery-codes", { brandId, memberId, exceptSessionId: sessionId, now });
    return await replaceRecoveryCodes(trx, member);
  });
}

/** Checks a code of the second step and spends it: a code from the app works once, a recovery code too. */
export async function spendSecondFactor(
  db: Db,
  { brandId, memberId, keys, now, code }: OfMember & { code: string },
): Promise<"app" | "recovery" | null> {
  return await db.transaction().execute(async (trx) => {
    const factor = await lockFactor(trx, memberId);
    if (!factor || factor.enabled_at === null) return null;
    const step = matchTotp(openSecret(factor.secret, { memberId, keys }), code, {
      at: now,
      lastStep: factor.last_step,
    });
    if (step !== null) {
      await trx
        .updateTable("member_second_factors")
        .set({ last_step: step })
        .where("member_id", "=", memberId)
        .execute();
      return "app";
    }
    if (typedRecoveryCode(code) === null) return null;
    const { numUpdatedRows } = await trx
      .updateTable("member_recovery_codes")
      .set({ used_at: now })
      .where("member_id", "=", memberId)
      .where(
        "code_hash",
        "in",
        keys.map((key) => recoveryCodeHash(code, { memberId, key })),
      )
      .where("used_at", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return null;
    await tell(trx, { brandId, memberId, what: "recovery-code-used", now });
    return "recovery";
  });
}

/** The row, held until the transaction ends: two posts with one code are one after the other. */
function lockFactor(trx: Trx, memberId: string) {
  return trx
    .selectFrom("member_second_factors")
    .select(["secret", "enabled_at", "last_step", "shown_to"])
    .where("member_id", "=", memberId)
    .forUpdate()
    .executeTakeFirst();
}

async function replaceRecoveryCodes(trx: Trx, { memberId, keys, now }: OfMember): Promise<string[]> {
  const codes = newRecoveryCodes();
  await trx.deleteFrom("member_recovery_codes").where("member_id", "=", memberId).execute();
  await trx
    .insertInto("member_recovery_codes")
    .values(
      codes.map((code) => ({
        id: newId(),
        member_id: memberId,
        code_hash: recoveryCodeHash(code, { memberId, key: keys[0] }),
        created_at: now,
      })),
    )
    .execute();
  return codes;
}

async function tell(
  trx: Trx,
  {
    brandId,
    memberId,
    what,
    now,
  }: { brandId: string; memberId: string; what: "on" | "off" | "recovery-code-used"; now: Date },
): Promise<void> {
  const { email } = await trx
    .selectFrom("members")
    .select("email")
    .where("id", "=", memberId)
    .executeTakeFirstOrThrow();
  const { recoveryCodesLeft: codesLeft } = await findSecondFactor(trx, { memberId });
  await queueMail(trx, { brandId, memberId, to: email, mail: { kind: "second-factor", what, codesLeft }, now });
}
