import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { countTries, keyed } from "../sign-in/count-tries.server.ts";
import { countedAddress } from "../sign-in/counted-address.ts";
import type { TryLimit } from "../sign-in/login-limits.ts";
import { isSameSecret } from "../secrets/secret-token.ts";
import { deviceSecret, signOf } from "./device-secret.ts";
import { acceptedSteps, readCode } from "./rules.ts";

/**
 * Limit on invalid codes from one network address: it slows down a machine that guesses, but not a till that mistypes.
 */
export const checkLimit: TryLimit = {
  free: 60,
  windowSeconds: 10 * 60,
  firstWaitSeconds: 15,
  maxWaitSeconds: 5 * 60,
};

export type Checked = { outcome: "valid" } | { outcome: "not-valid" } | { outcome: "slow-down"; seconds: number };

/** Stands in for a code that was not read or found: no device has this id, and its handle is never issued. */
const nobody = { id: "00000000-0000-0000-0000-000000000000", handle: "000000", sign: "000000" };

/**
 * Returns whether a code belongs to a verified member of this brand, now (M6). Malformed, unknown, other brands',
 * revoked and expired codes cost the same query and the same signatures, so that neither answer nor time reveals
 * the reason.
 */
export async function checkCode(
  db: Db,
  { brandId, code, address, key, now }: { brandId: string; code: string; address: string; key: string; now: Date },
): Promise<Checked> {
  const counted = keyed(key, `check\n${brandId}\n${countedAddress(address)}`);
  const seconds = await countTries(db, [{ key: counted, limit: checkLimit }]);
  if (seconds > 0) return { outcome: "slow-down", seconds };
  const isValid = await isGood(db, { brandId, code, key, now });
  if (!isValid) return { outcome: "not-valid" };
  await db
    .updateTable("login_tries")
    .set({ tries: sql`greatest(tries - 1, 0)` })
    .where("key", "=", counted)
    .execute();
  return { outcome: "valid" };
}

async function isGood(
  db: Db,
  { brandId, code, key, now }: { brandId: string; code: string; key: string; now: Date },
): Promise<boolean> {
  const { handle, sign } = readCode(code) ?? nobody;
  const { rows } = await sql<{ id: string }>`
    select device.id from digital_id_devices device
    join member_sessions session on session.id = device.session_id and session.member_id = device.member_id
    join members member on member.id = device.member_id and member.brand_id = device.brand_id
    where device.handle = ${handle} and device.brand_id = ${brandId}
      and session.expires_at > ${now} and member.suspended_at is null and member.verification = 'verified'`.execute(db);
  const id = rows[0]?.id ?? nobody.id;
  const secret = deviceSecret({ id, brandId, key });
  let matches = 0;
  for (const step of acceptedSteps(now.getTime())) matches |= Number(isSameSecret(sign, signOf(secret, handle, step)));
  return id !== nobody.id && matches === 1;
}
