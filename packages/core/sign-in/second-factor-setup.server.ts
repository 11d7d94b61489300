import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { endAccess } from "../members/end-access.server.ts";
import { lockSignedIn } from "../members/lock-member.server.ts";
import { openSecret, sealSecret } from "../secrets/sealed-secret.ts";
import { newRecoveryCodes, recoveryCodeHash } from "./recovery-codes.ts";
import { lockFactor, tellOfSecondFactor, type OfMemberWithKeys } from "./second-factor.server.ts";
import { matchTotp, newTotpSecret } from "./totp.ts";

/**
 * How long a shown secret can be confirmed: someone who saw it long ago must not know the secret that is turned
 * on today.
 */
const SHOWN_MS = 30 * 60 * 1000;

/**
 * Returns the secret to scan: a new one, or the one that this session was just shown, so that a reload does not
 * invalidate what was scanned. A secret shown in another session is never turned on, because someone may have seen it
 * there. Returns null if two-step sign-in is already on.
 */
export async function prepareSecondFactor(
  db: Db,
  { memberId, sessionId, keys, now }: OfMemberWithKeys & { sessionId: string },
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
            row("member_second_factors.created_at", "<", new Date(now.getTime() - SHOWN_MS)),
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
 * Turns two-step sign-in on when a code proves that the app has the secret which this session was shown. All other
 * sessions end. Returns the recovery codes, to be shown once; null for a wrong code.
 */
export async function turnOnSecondFactor(
  db: Db,
  { code, sessionId, ...member }: OfMemberWithKeys & { sessionId: string; code: string },
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
    await tellOfSecondFactor(trx, { brandId, memberId, what: "on", now });
    return await replaceRecoveryCodes(trx, member);
  });
}

/** Turns two-step sign-in off, removes its recovery codes, ends all other sessions, and tells the owner. */
export async function turnOffSecondFactor(
  db: Db,
  { brandId, memberId, sessionId, now }: Omit<OfMemberWithKeys, "keys"> & { sessionId: string },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (!(await lockSignedIn(trx, { brandId, memberId, sessionId }))) return;
    const { numDeletedRows } = await trx
      .deleteFrom("member_second_factors")
      .where("member_id", "=", memberId)
      .executeTakeFirst();
    await trx.deleteFrom("member_recovery_codes").where("member_id", "=", memberId).execute();
    await endAccess(trx, "turn-off-second-factor", { brandId, memberId, exceptSessionId: sessionId, now });
    if (numDeletedRows > 0n) await tellOfSecondFactor(trx, { brandId, memberId, what: "off", now });
  });
}

/** Replaces the recovery codes and returns the new ones; null if two-step sign-in is off. */
export async function renewRecoveryCodes(
  db: Db,
  { sessionId, ...member }: OfMemberWithKeys & { sessionId: string },
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

async function replaceRecoveryCodes(trx: Trx, { memberId, keys, now }: OfMemberWithKeys): Promise<string[]> {
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
