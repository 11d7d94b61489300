import { countCodeTry, forgiveCodeTry } from "@farthing/core/sign-in/login-tries.server.ts";
import {
  prepareSecondFactor,
  renewRecoveryCodes,
  turnOffSecondFactor,
  turnOnSecondFactor,
} from "@farthing/core/sign-in/second-factor-setup.server.ts";
import { findSignInOf } from "@farthing/core/sign-in/find-sign-in.server.ts";
import { totpUri } from "@farthing/core/sign-in/totp.ts";
import type { AccountServices } from "@farthing/site/server/account-services.ts";
import type { SignedInMember, Visit } from "@farthing/site/server/visit.ts";
import type { AccountParts } from "./account-parts.ts";
import { rotateSession } from "./open-session.ts";
import { attemptAt } from "./try-password.ts";

/** Turns two-step sign-in on and off. Pages re-authenticate the member first, with a code where it is on already. */
export function secondFactorFlow(
  parts: AccountParts,
): Pick<AccountServices, "prepareSecondFactor" | "turnOnSecondFactor" | "turnOffSecondFactor" | "renewRecoveryCodes"> {
  const { db, now } = parts;
  const ofMember = (visit: Visit) => ({
    brandId: visit.brand.id,
    memberId: memberOf(visit).id,
    sessionId: memberOf(visit).sessionId,
    keys: parts.secretKeys,
    now: now(),
  });

  return {
    async prepareSecondFactor(visit) {
      const secret = await prepareSecondFactor(db, ofMember(visit));
      return secret === null
        ? null
        : { secret, uri: totpUri(secret, { issuer: visit.brand.name, account: memberOf(visit).email }) };
    },

    async turnOnSecondFactor(visit, request, code) {
      const { id: memberId } = memberOf(visit);
      const signIn = await findSignInOf(db, { brandId: visit.brand.id, memberId });
      const attempt = attemptAt(parts, visit, request, { account: memberId, signIn });
      const wait = await countCodeTry(db, attempt);
      if (wait > 0) return { outcome: "slow-down", retryAfterSeconds: wait };
      const recoveryCodes = await turnOnSecondFactor(db, { ...ofMember(visit), code: code.slice(0, 60) });
      if (recoveryCodes === null) return { outcome: "refused" };
      await forgiveCodeTry(db, attempt);
      return { outcome: "on", recoveryCodes, headers: await rotateSession(parts, visit, request) };
    },

    async turnOffSecondFactor(visit, request) {
      await turnOffSecondFactor(db, ofMember(visit));
      return await rotateSession(parts, visit, request);
    },

    async renewRecoveryCodes(visit, request) {
      const recoveryCodes = await renewRecoveryCodes(db, ofMember(visit));
      return recoveryCodes && { recoveryCodes, headers: await rotateSession(parts, visit, request) };
    },
  };
}

function memberOf({ member }: Visit): SignedInMember {
  if (member === null) throw new Error("Two-step sign-in needs a signed-in member: call it from a members' page.");
  return member;
}
