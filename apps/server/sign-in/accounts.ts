import type { Brand } from "@farthing/core/brands/brand.ts";
import { endSession } from "@farthing/core/sign-in/sessions.server.ts";
import { findSessionMember } from "@farthing/core/sign-in/sessions.server.ts";
import type { Db } from "@farthing/db/client.ts";
import type { AccountServices, LogInResult } from "@farthing/site/server/account-services.ts";
import type { SignedInMember, Visit } from "@farthing/site/server/visit.ts";
import type { SignInFactor } from "../monitoring/log-sign-ins.ts";
import type { AccountParts } from "./account-parts.ts";
import { deviceCookie } from "./device-cookie.ts";
import { logInFlow } from "./log-in.ts";
import { openSession, rotateSession } from "./open-session.ts";
import { passkeyFlow } from "./passkeys.ts";
import { PasswordHashing } from "./password-hashing.ts";
import { passwordFlow } from "./passwords.ts";
import { secondFactorFlow } from "./second-factor.ts";
import { sessionCookie, sessionTokenOf, type SessionCookie } from "./session-cookie.ts";

export interface AccountsOptions {
  db: Db;
  /** Signs cookies and challenges (derive-key.ts). */
  key: string;
  /** Encrypt members' secrets at rest: the current key, then former ones. */
  secretKeys: readonly [string, ...string[]];
  publicScheme: "http" | "https";
  hashing?: PasswordHashing;
  now?: () => Date;
  /** Called after each try to log in or to confirm who one is, for the metrics and the log. */
  onLogIn?: (login: TriedLogIn) => void;
}

export interface TriedLogIn {
  outcome: LogInResult["outcome"];
  factor: SignInFactor;
  /** Whether a member who is signed in confirms who they are. */
  isAgain: boolean;
  visit: Visit;
  /** Null: nobody was proved, and nothing is known of who tried. */
  memberId: string | null;
}

export interface Accounts extends AccountServices {
  cookie: SessionCookie;
  /** Returns the member whose session of this brand the cookie holds, or null. */
  memberOf(brand: Brand, cookieHeader: string | null | undefined): Promise<SignedInMember | null>;
}

/** Opens members' accounts: login, sessions and recovery (M2, S1, B4; decisions 004 and 013). */
export function openAccounts({ db, key, secretKeys, publicScheme, ...options }: AccountsOptions): Accounts {
  const { hashing = new PasswordHashing(), now = () => new Date(), onLogIn = () => {} } = options;
  const cookie = sessionCookie(publicScheme);
  const parts: AccountParts = { db, key, secretKeys, cookie, device: deviceCookie(cookie, key), hashing, now };
  const passwordLogIn = logInFlow(parts);
  const passkeys = passkeyFlow(parts);

  const passwords = passwordFlow(parts);

  const reported = async <Result extends LogInResult | { outcome: "expired" | "wrong-code" }>(
    login: Promise<Result>,
    about: Pick<TriedLogIn, "factor" | "visit"> & { isAgain?: boolean },
  ): Promise<Result> => {
    const result = await login;
    const outcome = result.outcome === "expired" || result.outcome === "wrong-code" ? "refused" : result.outcome;
    const memberId = result.outcome === "logged-in" ? result.memberId : null;
    onLogIn({ outcome, isAgain: false, ...about, memberId });
    return result;
  };

  return {
    cookie,
    ...passwords,
    ...secondFactorFlow(parts),
    ...passkeys,
    logIn: (visit, ...login) => reported(passwordLogIn.logIn(visit, ...login), { factor: "password", visit }),
    logInWithCode: (visit, ...login) =>
      reported(passwordLogIn.logInWithCode(visit, ...login), { factor: "code", visit }),
    logInWithPasskey: (visit, ...login) =>
      reported(passkeys.logInWithPasskey(visit, ...login), { factor: "passkey", visit }),
    confirmWithPassword: (visit, ...login) =>
      reported(passwords.confirmWithPassword(visit, ...login), { factor: "password", visit, isAgain: true }),
    confirmWithPasskey: (visit, ...login) =>
      reported(passkeys.confirmWithPasskey(visit, ...login), { factor: "passkey", visit, isAgain: true }),

    async memberOf(brand, cookieHeader) {
      const token = sessionTokenOf(cookieHeader, cookie, key);
      return token === null ? null : findSessionMember(db, { brandId: brand.id, token, now: now() });
    },

    async logOut(visit, request) {
      const token = sessionTokenOf(request.headers.get("cookie"), cookie, key);
      if (token !== null) await endSession(db, { brandId: visit.brand.id, token });
      return new Headers({ "Set-Cookie": cookie.clear() });
    },

    hashPassword: (password) => hashing.hash(password),

    rotateSession: (visit, request) => rotateSession(parts, visit, request),

    async openSession(visit, request, memberId) {
      const headers = await openSession(parts, visit, request, { memberId, deviceGeneration: null });
      if (headers === null)
        throw new Error(
          "This member may not have a session: check that they are of this brand and not suspended before calling openSession.",
        );
      return headers;
    },
  };
}
