import { countTry, forgiveTry, type Try } from "@farthing/core/members/login-tries.server.ts";
import type { SignIn } from "@farthing/core/members/sign-in.server.ts";
import type { SlowDown } from "@farthing/site/server/account-services.ts";
import type { Visit } from "@farthing/site/server/site-handler.ts";
import type { AccountParts } from "./account-parts.ts";
import { HashingBusy } from "./password-hashing.ts";

export type PasswordTry = { outcome: "right"; signIn: SignIn } | { outcome: "refused" } | SlowDown;

/**
 * Looks at a password, as slowly as the tries before it ask for. Whatever the account is (unknown, without a password, suspended), the same counts are kept and
 * one hash is worked out, so that neither answer nor time tells (S1).
 */
export async function tryPassword(
  parts: AccountParts,
  visit: Visit,
  request: Request,
  { account, signIn, password }: { account: string; signIn: SignIn | null; password: string },
): Promise<PasswordTry> {
  const attempt = attemptAt(parts, visit, request, { account, memberId: signIn?.memberId ?? null });
  const wait = await countTry(parts.db, attempt);
  if (wait > 0) return { outcome: "slow-down", retryAfterSeconds: wait };
  try {
    const isRight = await parts.hashing.verify(signIn?.passwordHash ?? null, password);
    if (!isRight || signIn === null || signIn.isSuspended) return { outcome: "refused" };
  } catch (error) {
    if (error instanceof HashingBusy) return { outcome: "slow-down", retryAfterSeconds: error.retryAfterSeconds };
    throw error;
  }
  await forgiveTry(parts.db, attempt);
  return { outcome: "right", signIn };
}

/** Who tries what from where, as it is counted. An account has one count however many addresses lead to it. */
export function attemptAt(
  { device, key }: AccountParts,
  visit: Visit,
  request: Request,
  { account, memberId }: { account: string; memberId: string | null },
): Try {
  const brandId = visit.brand.id;
  return {
    brandId,
    account: memberId ?? account,
    address: visit.clientAddress ?? "unknown",
    device: memberId === null ? null : device.markOf(request.headers.get("cookie"), { brandId, memberId }),
    secret: key,
  };
}
