import { paths } from "@farthing/core/paths.ts";
import { startEmailConfirmation } from "@farthing/core/sign-in/email-confirmation.server.ts";
import { endLoginStep, findLoginStep, startLoginStep } from "@farthing/core/sign-in/login-steps.server.ts";
import { countMailFrom, isTooMuchMail } from "@farthing/core/sign-in/mail-counts.server.ts";
import { loginSchema } from "@farthing/core/sign-in/schema.ts";
import { findSignIn, findSignInOf, type SignIn } from "@farthing/core/sign-in/find-sign-in.server.ts";
import type { AccountServices, LogInResult } from "@farthing/site/server/account-services.ts";
import type { Visit } from "@farthing/site/server/visit.ts";
import type { AccountParts } from "./account-parts.ts";
import { openSessionAtLogIn } from "./open-session.ts";
import { stepCookie } from "./step-cookie.ts";
import { tryCode } from "./try-code.ts";
import { tryPassword } from "./try-password.ts";

/** Logs in with a password, and with a code where two-step sign-in is on (M2, S1). */
export function logInFlow(parts: AccountParts): Pick<AccountServices, "logIn" | "logInWithCode"> {
  const { db, now } = parts;
  const step = stepCookie(parts.cookie);

  return {
    async logIn(visit, request, credentials) {
      const login = loginSchema.safeParse(credentials);
      const email = login.success ? login.data.email : credentials.email.trim().toLowerCase().slice(0, 254);
      const brandId = visit.brand.id;
      const signIn = login.success ? await findSignIn(db, { brandId, email }) : null;
      const password = login.success ? login.data.password : "";
      const tried = await tryPassword(parts, visit, request, { account: email, signIn, password });
      if (tried.outcome !== "right") return tried;
      const { memberId } = tried.signIn;
      if (!tried.signIn.isConfirmed) return await askToConfirm(visit, tried.signIn, credentials.next);
      if (tried.signIn.hasSecondFactor) {
        const { deviceGeneration } = tried.signIn;
        const next = credentials.next ?? paths.profile;
        const token = await startLoginStep(db, { brandId, memberId, deviceGeneration, next, now: now() });
        if (token === null) return { outcome: "refused" };
        return { outcome: "second-step", headers: new Headers({ "Set-Cookie": step.set(token) }) };
      }
      return await letIn(visit, request, tried.signIn);
    },

    async logInWithCode(visit, request, code) {
      const brandId = visit.brand.id;
      const token = step.tokenOf(request.headers.get("cookie"));
      const half = token === null ? null : await findLoginStep(db, { brandId, token, now: now() });
      if (half === null) return { outcome: "expired" };
      const { memberId } = half;
      const signIn = await findSignInOf(db, { brandId, memberId });
      if (signIn === null) return { outcome: "refused" };
      const tried = await tryCode(parts, visit, request, { signIn, code });
      if (tried.outcome !== "right") return tried;
      // Two posts with two valid codes open one session.
      if (!(await endLoginStep(db, half))) return { outcome: "expired" };
      const result = await letIn(visit, request, signIn);
      if (result.outcome !== "logged-in") return result;
      result.headers.append("Set-Cookie", step.clear());
      return { ...result, next: half.next };
    },
  };

  async function letIn(visit: Visit, request: Request, signIn: SignIn): Promise<LogInResult> {
    const headers = await openSessionAtLogIn(parts, visit, request, signIn);
    return headers === null ? { outcome: "refused" } : { outcome: "logged-in", headers, memberId: signIn.memberId };
  }

  /** Sends the confirmation link again, within the limits on mail. The caller has checked the password. */
  async function askToConfirm(
    visit: Visit,
    { memberId, email }: SignIn,
    next: string = paths.profile,
  ): Promise<LogInResult> {
    const brandId = visit.brand.id;
    const secret = parts.key;
    const wait = await countMailFrom(db, { from: visit.clientAddress ?? "unknown", secret });
    if (wait === 0 && !(await isTooMuchMail(db, { brandId, kind: "confirm-email", email, secret })))
      await db
        .transaction()
        .execute((trx) => startEmailConfirmation(trx, { brandId, memberId, email, next, now: now() }));
    return { outcome: "unconfirmed" };
  }
}
