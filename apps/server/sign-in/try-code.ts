import { countCodeTry, forgiveCodeTry } from "@farthing/core/sign-in/login-tries.server.ts";
import { spendSecondFactor } from "@farthing/core/sign-in/second-factor.server.ts";
import type { SignIn } from "@farthing/core/sign-in/find-sign-in.server.ts";
import type { SlowDown } from "@farthing/site/server/account-services.ts";
import type { Visit } from "@farthing/site/server/visit.ts";
import type { AccountParts } from "./account-parts.ts";
import { attemptAt } from "./try-password.ts";

/**
 * Verifies a code of the second step, from the app or a recovery code, and spends it. Every attempt is counted first,
 * whatever its format: a text that is no app code may be a recovery code.
 */
export async function tryCode(
  parts: AccountParts,
  visit: Visit,
  request: Request,
  { signIn, code }: { signIn: Pick<SignIn, "memberId" | "deviceGeneration">; code: string },
): Promise<{ outcome: "right" } | { outcome: "refused" } | SlowDown> {
  const { db, secretKeys: keys, now } = parts;
  const { memberId } = signIn;
  const attempt = attemptAt(parts, visit, request, { account: memberId, signIn });
  const wait = await countCodeTry(db, attempt);
  if (wait > 0) return { outcome: "slow-down", retryAfterSeconds: wait };
  const spent = await spendSecondFactor(db, {
    brandId: visit.brand.id,
    memberId,
    keys,
    now: now(),
    code: code.slice(0, 60),
  });
  if (spent === null) return { outcome: "refused" };
  await forgiveCodeTry(db, attempt);
  return { outcome: "right" };
}
