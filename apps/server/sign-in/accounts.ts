import type { Brand } from "@farthing/core/brands/brand.ts";
import { endSession } from "@farthing/core/sign-in/sessions.server.ts";
import { findSessionMember } from "@farthing/core/sign-in/sessions.server.ts";
import type { Db } from "@farthing/db/client.ts";
import type { AccountServices, LogInResult } from "@farthing/site/server/account-services.ts";
import type { SignedInMember } from "@farthing/site/server/visit.ts";
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
  /** Called with the outcome of each login, for the metrics. */
  onLogIn?: (outcome: LogInResult["outcome"]) => void;
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

  const reported = async <Result extends { outcome: string }>(login: Promise<Result>): Promise<Result> => {
    const result = await login;
    onLogIn(result.outcome === "expired" ? "refused" : (result.outcome as LogInResult["outcome"]));
    return result;
  };

  return {
    cookie,
    ...passwordFlow(parts),
    ...secondFactorFlow(parts),
    ...passkeys,
    logIn: (...login) => reported(passwordLogIn.logIn(...login)),
    logInWithCode: (...login) => reported(passwordLogIn.logInWithCode(...login)),
    logInWithPasskey: (...login) => reported(passkeys.logInWithPasskey(...login)),

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
