/**
 * Two-step sign-in: the second factor is a code from an app (totp.ts) or a recovery code (recovery-codes.ts). This
 * file reads its state and spends codes at login; second-factor-setup.server.ts turns it on and off and renews
 * recovery codes.
 */
import type { Db, Trx } from "@farthing/db/client.ts";
import { queueMail } from "../mails/operations.server.ts";
import { recoveryCodeHash, typedRecoveryCode } from "./recovery-codes.ts";
import { findKeptKeys } from "../secrets/kept-keys.server.ts";
import { openSecret, type SecretKeys } from "../secrets/sealed-secret.ts";
import { matchTotp } from "./totp.ts";

export interface OfMemberWithKeys {
  brandId: string;
  memberId: string;
  /** Encrypt secrets, and key the hashes of recovery codes. */
  keys: SecretKeys;
  now: Date;
}

export interface SecondFactorState {
  isOn: boolean;
  recoveryCodesLeft: number;
}

/** Returns whether two-step sign-in is on, and how many recovery codes are unused. */
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

/**
 * Checks a code of the second step and spends it: codes from the app and recovery codes work once. Returns which kind
 * it was, or null.
 */
export async function spendSecondFactor(
  db: Db,
  { brandId, memberId, keys, now, code }: OfMemberWithKeys & { code: string },
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
    const kept = await findKeptKeys(trx, { purpose: "member-secrets", keys });
    const { numUpdatedRows } = await trx
      .updateTable("member_recovery_codes")
      .set({ used_at: now })
      .where("member_id", "=", memberId)
      .where(
        "code_hash",
        "in",
        [...keys, ...kept].map((key) => recoveryCodeHash(code, { memberId, key })),
      )
      .where("used_at", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return null;
    await tellOfSecondFactor(trx, { brandId, memberId, what: "recovery-code-used", now });
    return "recovery";
  });
}

/** Locks the row until the transaction ends, so that two requests with one code run one after the other. */
export function lockFactor(trx: Trx, memberId: string) {
  return trx
    .selectFrom("member_second_factors")
    .select(["secret", "enabled_at", "last_step", "shown_to"])
    .where("member_id", "=", memberId)
    .forUpdate()
    .executeTakeFirst();
}

/** Tells the main address about a change of two-step sign-in. */
export async function tellOfSecondFactor(
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
