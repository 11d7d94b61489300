import { randomInt } from "node:crypto";
import type { AdminVisit, OperatorAccounts, SlowDown } from "@farthing/admin/server/admin-handler.ts";
import {
  endOperatorSession,
  findSessionOperator,
  insertOperatorSession,
  type SessionOperator,
} from "@farthing/core/operators/sessions.server.ts";
import {
  choosePassword,
  findLinkOperator,
  findOperatorSignIn,
  finishSignIn,
  mailSignInCode,
  prepareOperatorFactor,
  setUpFactor,
  type HalfSession,
} from "@farthing/core/operators/sign-in.server.ts";
import type { SecretKeys } from "@farthing/core/secrets/sealed-secret.ts";
import {
  countCodeTry,
  countTry,
  forgiveCodeTry,
  forgiveTry,
  takeBackTry,
  type Try,
} from "@farthing/core/sign-in/login-tries.server.ts";
import { newPasswordFault } from "@farthing/core/sign-in/new-password-fault.server.ts";
import { loginSchema } from "@farthing/core/sign-in/schema.ts";
import { totpUri } from "@farthing/core/sign-in/totp.ts";
import type { Db } from "@farthing/db/client.ts";
import { HashingBusy, type PasswordHashing } from "../sign-in/password-hashing.ts";
import type { OperatorCookie } from "./operator-cookie.ts";

export interface OperatorAccountParts {
  db: Db;
  cookie: OperatorCookie;
  hashing: PasswordHashing;
  /** Keys the counts of tries. */
  key: string;
  /** Encrypt operators' secrets at rest: the current key, then earlier ones. */
  secretKeys: SecretKeys;
  /** In development codes come by e-mail too (Z3). */
  mailsCodes: boolean;
  now(): Date;
}

/** Stands in the counters where members' tries have their brand. */
const OPERATORS = "operators";

/** How operators sign in: password, then a code; every try is counted, as members' are (A1, S1). */
export function operatorAccounts(parts: OperatorAccountParts): OperatorAccounts & {
  operatorOf(cookieHeader: string | null): Promise<SessionOperator | null>;
} {
  const { db, cookie, hashing, key, secretKeys, mailsCodes, now } = parts;
  const cookieOf = (token: string) => new Headers({ "Set-Cookie": cookie.set(token) });
  const tryOf = (visit: AdminVisit, account: string): Try => ({
    ...{ brandId: OPERATORS, account, address: visit.clientAddress, device: null, secret: key },
  });

  const mailCode = (operatorId: string, sessionId: string) => {
    const code = String(randomInt(1_000_000)).padStart(6, "0");
    return mailSignInCode(db, { operatorId, sessionId, code, keys: secretKeys, now: now() });
  };

  return {
    async operatorOf(cookieHeader) {
      const token = cookie.tokenIn(cookieHeader);
      return token === null ? null : await findSessionOperator(db, { token, now: now() });
    },

    async signIn(visit, request, typed) {
      const login = loginSchema.safeParse(typed);
      const email = login.success ? login.data.email : typed.email.trim().toLowerCase().slice(0, 254);
      const attempt = tryOf(visit, email);
      const wait = await countTry(db, attempt);
      if (wait > 0) return slowDown(wait);
      // The same work for an unknown address, so that neither answer nor time reveals who is an operator.
      const found = login.success ? await findOperatorSignIn(db, { email }) : null;
      const isRight = await verified(attempt, found?.passwordHash ?? null, login.success ? login.data.password : "");
      if (typeof isRight !== "boolean") return isRight;
      if (!isRight || !found || found.isDisabled) return { outcome: "refused" };
      await forgiveTry(db, attempt);
      const { operatorId } = found;
      const step = found.hasSecondFactor ? "code" : "set-up";
      if (visit.operator) await endOperatorSession(db, visit.operator);
      const token = await insertOperatorSession(db, { operatorId, step, ...browserOf(visit, request), now: now() });
      if (token === null) return { outcome: "refused" };
      const opened = step === "code" && mailsCodes ? await findSessionOperator(db, { token, now: now() }) : null;
      if (opened) await mailCode(operatorId, opened.sessionId);
      return { outcome: "step", step, headers: cookieOf(token) };
    },

    async finish(visit, request, code) {
      const half = halfOf(visit, request);
      const attempt = tryOf(visit, half.operatorId);
      const wait = await countCodeTry(db, attempt);
      if (wait > 0) return slowDown(wait);
      const token = await finishSignIn(db, { ...half, code: code.slice(0, 60) });
      if (token === null) return { outcome: "refused" };
      await forgiveCodeTry(db, attempt);
      return { outcome: "open", headers: cookieOf(token) };
    },

    mailCode: mailsCodes ? ({ operator }) => mailCode(operator?.id ?? "", operator?.sessionId ?? "") : null,

    async prepareSetUp({ operator }) {
      if (!operator) return null;
      const { id: operatorId, sessionId } = operator;
      const secret = await prepareOperatorFactor(db, { operatorId, sessionId, keys: secretKeys, now: now() });
      return secret === null
        ? null
        : { secret, uri: totpUri(secret, { issuer: "Farthing admin", account: operator.email }) };
    },

    async setUp(visit, request, code) {
      const half = halfOf(visit, request);
      const attempt = tryOf(visit, half.operatorId);
      const wait = await countCodeTry(db, attempt);
      if (wait > 0) return slowDown(wait);
      const done = await setUpFactor(db, { ...half, code: code.slice(0, 60) });
      if (done === null) return { outcome: "refused" };
      await forgiveCodeTry(db, attempt);
      return { outcome: "open", headers: cookieOf(done.token), recoveryCodes: done.recoveryCodes };
    },

    async choosePassword(visit, { token, password }) {
      const found = await findLinkOperator(db, { token, now: now() });
      if (!found) return { outcome: "bad-link" };
      const fault = newPasswordFault(password, found.email);
      if (fault !== null) return { outcome: "fault", fault };
      try {
        const hash = await hashing.hash(password);
        return { outcome: (await choosePassword(db, { token, hash, now: now() })) ? "chosen" : "bad-link" };
      } catch (error) {
        if (error instanceof HashingBusy) return slowDown(error.retryAfterSeconds);
        throw error;
      }
    },

    async signOut({ operator }) {
      if (operator) await endOperatorSession(db, operator);
      return new Headers({ "Set-Cookie": cookie.clear() });
    },
  };

  async function verified(attempt: Try, hash: string | null, password: string): Promise<boolean | SlowDown> {
    try {
      return await hashing.verify(hash, password);
    } catch (error) {
      await takeBackTry(db, attempt);
      if (error instanceof HashingBusy) return slowDown(error.retryAfterSeconds);
      throw error;
    }
  }

  function halfOf(visit: AdminVisit, request: Request): HalfSession {
    if (!visit.operator) throw new Error("A code needs a sign-in that is half-way: call it from a page for `half`.");
    const { id: operatorId, sessionId } = visit.operator;
    return { operatorId, sessionId, ...browserOf(visit, request), keys: secretKeys, now: now() };
  }
}

const slowDown = (retryAfterSeconds: number): SlowDown => ({ outcome: "slow-down", retryAfterSeconds });

function browserOf({ clientAddress }: AdminVisit, request: Request) {
  return { address: clientAddress, userAgent: request.headers.get("user-agent") };
}
