import { countMailFrom } from "@farthing/core/sign-in/mail-counts.server.ts";
import { changePassword } from "@farthing/core/sign-in/change-password.server.ts";
import { resetPassword } from "@farthing/core/sign-in/password-reset.server.ts";
import { requestPasswordReset } from "@farthing/core/sign-in/reset-requests.server.ts";
import { emailSchema } from "@farthing/core/sign-in/schema.ts";
import { findSignInOf } from "@farthing/core/sign-in/find-sign-in.server.ts";
import { findToken } from "@farthing/core/members/token.server.ts";
import type { AccountServices, SlowDown } from "@farthing/site/server/account-services.ts";
import type { Visit } from "@farthing/site/server/visit.ts";
import type { AccountParts } from "./account-parts.ts";
import { openSession, rotateSession } from "./open-session.ts";
import { HashingBusy } from "./password-hashing.ts";
import { tryCode } from "./try-code.ts";
import { tryPassword } from "./try-password.ts";

/** Resets and changes passwords, and re-authenticates members by them (M2). */
export function passwordFlow(
  parts: AccountParts,
): Pick<AccountServices, "forgotPassword" | "resetPassword" | "changePassword" | "confirmWithPassword"> {
  const { db, hashing, now } = parts;

  return {
    async forgotPassword(visit, typed) {
      const parsed = emailSchema.safeParse(typed);
      if (!parsed.success) return { outcome: "noted" };
      const brandId = visit.brand.id;
      const email = parsed.data;
      // The same for every address, known or not, however many requests there were: the worker decides what is
      // sent (password-reset-rules.ts).
      const wait = await countMailFrom(db, { from: visit.clientAddress ?? "unknown", secret: parts.key });
      if (wait > 0) return { outcome: "slow-down", retryAfterSeconds: wait };
      await requestPasswordReset(db, { brandId, email, now: now() });
      return { outcome: "noted" };
    },

    async resetPassword(visit, { token, password }) {
      const query = { brandId: visit.brand.id, token, now: now() };
      // Checked before hashing, so that requests without a valid token cost no hash.
      if (!(await findToken(db, { ...query, purposes: ["reset-password"] }))) return { outcome: "bad-token" };
      const hash = await hashed(password);
      if (typeof hash !== "string") return hash;
      return (await resetPassword(db, { ...query, hash })) ? { outcome: "reset" } : { outcome: "bad-token" };
    },

    async changePassword(visit, request, { present, wanted }) {
      const tried = await tryOwnPassword(visit, request, present);
      if (tried.outcome !== "right") return tried;
      const hash = await hashed(wanted);
      if (typeof hash !== "string") return hash;
      const { memberId } = tried.signIn;
      const { sessionId } = tried;
      const own = { brandId: visit.brand.id, memberId, sessionId };
      if (!(await changePassword(db, { ...own, hash, now: now() }))) return { outcome: "refused" };
      return { outcome: "changed", headers: await rotateSession(parts, visit, request) };
    },

    async confirmWithPassword(visit, request, { password, code }) {
      const tried = await tryOwnPassword(visit, request, password);
      if (tried.outcome !== "right") return tried;
      if (tried.signIn.hasSecondFactor) {
        const second = await tryCode(parts, visit, request, { signIn: tried.signIn, code });
        if (second.outcome === "refused") return { outcome: "wrong-code" };
        if (second.outcome === "slow-down") return second;
      }
      const headers = await openSession(parts, visit, request, tried.signIn);
      return headers === null
        ? { outcome: "refused" }
        : { outcome: "logged-in", headers, memberId: tried.signIn.memberId };
    },
  };

  async function tryOwnPassword(visit: Visit, request: Request, password: string) {
    const { member, brand } = visit;
    if (member === null) return { outcome: "refused" } as const;
    const signIn = await findSignInOf(db, { brandId: brand.id, memberId: member.id });
    const tried = await tryPassword(parts, visit, request, {
      account: member.email,
      signIn,
      password: password.slice(0, 1000),
    });
    return tried.outcome === "right" ? { ...tried, sessionId: member.sessionId } : tried;
  }

  async function hashed(password: string): Promise<string | SlowDown> {
    try {
      return await hashing.hash(password);
    } catch (error) {
      if (error instanceof HashingBusy) return { outcome: "slow-down", retryAfterSeconds: error.retryAfterSeconds };
      throw error;
    }
  }
}
