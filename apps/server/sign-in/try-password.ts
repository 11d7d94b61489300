import { countTry, forgiveTry, takeBackTry, type Try } from "@farthing/core/sign-in/login-tries.server.ts";
import type { SignIn } from "@farthing/core/sign-in/find-sign-in.server.ts";
import type { SlowDown } from "@farthing/site/server/account-services.ts";
import type { Visit } from "@farthing/site/server/visit.ts";
import type { AccountParts } from "./account-parts.ts";
import { HashingBusy } from "./password-hashing.ts";

export type PasswordTry = { outcome: "right"; signIn: SignIn } | { outcome: "refused" } | SlowDown;

/**
 * Looks at a password, as slowly as the tries before it ask for. Whatever the account is (unknown, without a password, suspended), the same counts are kept and
 * one hash is worked out, so that neither answer nor time tells (S1). `account` is the address as it was typed.
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
    // Nobody looked at the password: it was no guess.
    await takeBackTry(parts.db, attempt);
    if (error instanceof HashingBusy) return { outcome: "slow-down", retryAfterSeconds: error.retryAfterSeconds };
    throw error;
  }
  await forgiveTry(parts.db, attempt);
  return { outcome: "right", signIn };
}

/**
 * Who tries what from where, as it is counted: an address as it was typed by itself, whoever's it is. A browser that the account knows has one count for all of
 * its addresses; only its owner can see that.
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
