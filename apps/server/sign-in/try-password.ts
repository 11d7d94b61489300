import { countTry, forgiveTry, takeBackTry, type Try } from "@farthing/core/sign-in/login-tries.server.ts";
import type { SignIn } from "@farthing/core/sign-in/find-sign-in.server.ts";
import type { SlowDown } from "@farthing/site/server/account-services.ts";
import type { Visit } from "@farthing/site/server/visit.ts";
import type { AccountParts } from "./account-parts.ts";
import { HashingBusy } from "./password-hashing.ts";

export type PasswordTry = { outcome: "right"; signIn: SignIn } | { outcome: "refused" } | SlowDown;

/**
 * Verifies a password, throttled by the attempts before it. For every account, also one that is unknown, suspended or
 * has no password, the same counters are kept and one hash is computed, so that neither answer nor timing reveals it
 * (S1). `account` is the address as it was typed.
 */
export async function tryPassword(
  parts: AccountParts,
  visit: Visit,
  request: Request,
  { account, signIn, password }: { account: string; signIn: SignIn | null; password: string },
): Promise<PasswordTry> {
  const attempt = attemptAt(parts, visit, request, { account, signIn });
  const wait = await countTry(parts.db, attempt);
  if (wait > 0) return { outcome: "slow-down", retryAfterSeconds: wait };
  try {
    const isRight = await parts.hashing.verify(signIn?.passwordHash ?? null, password);
    if (!isRight || signIn === null || signIn.isSuspended) return { outcome: "refused" };
  } catch (error) {
    // The password was not verified, so the attempt does not count.
    await takeBackTry(parts.db, attempt);
    if (error instanceof HashingBusy) return { outcome: "slow-down", retryAfterSeconds: error.retryAfterSeconds };
    throw error;
  }
  await forgiveTry(parts.db, attempt);
  return { outcome: "right", signIn };
}

/**
 * Returns the key under which an attempt is counted: the address as it was typed, whether or not it has an account. A
 * browser that the account knows has one counter for all addresses of that account; only its owner can notice.
 */
export function attemptAt(
  { device, key }: AccountParts,
  visit: Visit,
  request: Request,
  { account, signIn }: { account: string; signIn: Pick<SignIn, "memberId" | "deviceGeneration"> | null },
): Try {
  const brandId = visit.brand.id;
  const known = signIn && { brandId, memberId: signIn.memberId, generation: signIn.deviceGeneration };
  const mark = known && device.markOf(request.headers.get("cookie"), known);
  return {
    brandId,
    account: known && mark !== null ? known.memberId : account,
    address: visit.clientAddress ?? "unknown",
    device: mark,
    secret: key,
  };
}
