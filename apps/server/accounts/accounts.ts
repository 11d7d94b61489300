import type { Brand } from "@farthing/core/brands/brand.ts";
import { countTry, forgiveTry } from "@farthing/core/members/login-tries.server.ts";
import { endSession, insertSession } from "@farthing/core/members/operations.server.ts";
import { findSessionMember } from "@farthing/core/members/queries.server.ts";
import { loginSchema } from "@farthing/core/members/schema.ts";
import type { Db } from "@farthing/db/client.ts";
import type { LogInResult, SignedInMember, SiteServices, Visit } from "@farthing/site/server/site-handler.ts";
import { isAPIError } from "better-auth/api";
import { addressHeader, brandAuth } from "./brand-auth.ts";
import { HashingBusy, PasswordHashing } from "./password-hashing.ts";
import { sessionCookie, sessionSeconds, sessionTokenOf, signedCookie, type SessionCookie } from "./session-cookie.ts";

export interface AccountsOptions {
  db: Db;
  /** Signs session cookies (derive-key.ts). */
  key: string;
  publicScheme: "http" | "https";
  /** Told of failures of the library itself. */
  log: (message: string) => void;
  hashing?: PasswordHashing;
  /** Told how each login ended, for the figures. */
  onLogIn?: (outcome: LogInResult["outcome"]) => void;
}

export interface Accounts {
  cookie: SessionCookie;
  /** Who is signed in on this request, by the session of this brand. */
  memberOf(brand: Brand, cookieHeader: string | null | undefined): Promise<SignedInMember | null>;
  logIn: SiteServices["accounts"]["logIn"];
  logOut: SiteServices["accounts"]["logOut"];
  hashPassword: SiteServices["accounts"]["hashPassword"];
  openSession: SiteServices["accounts"]["openSession"];
}

/** Logging in and out over the auth library, one instance per brand (product.md M2, S1, B4). */
export function openAccounts({
  db,
  key,
  publicScheme,
  log,
  hashing = new PasswordHashing(),
  onLogIn = () => {},
}: AccountsOptions): Accounts {
  const cookie = sessionCookie(publicScheme);
  const auths = new Map<string, ReturnType<typeof brandAuth>>();

  function authOf(brand: Brand): ReturnType<typeof brandAuth> {
    const known = auths.get(brand.id);
    if (known) return known;
    const auth = brandAuth({ db, brandId: brand.id, cookie, key, hashing, log });
    auths.set(brand.id, auth);
    return auth;
  }

  function tokenOf(cookieHeader: string | null | undefined): string | null {
    return sessionTokenOf(cookieHeader, cookie.name, key);
  }

  return {
    cookie,

    async memberOf(brand, cookieHeader) {
      const token = tokenOf(cookieHeader);
      return token === null ? null : findSessionMember(db, { brandId: brand.id, token });
    },

    async logIn(visit, request, credentials) {
      const result = await tryLogIn(visit, request, credentials);
      onLogIn(result.outcome);
      return result;
    },

    async logOut(visit, request) {
      const token = tokenOf(request.headers.get("cookie"));
      if (token !== null) await endSession(db, { brandId: visit.brand.id, token });
      return new Headers({ "Set-Cookie": clearedCookie(cookie) });
    },

    hashPassword: (password) => hashing.hash(password),

    async openSession(visit, request, memberId) {
      const token = await insertSession(db, {
        brandId: visit.brand.id,
        memberId,
        address: visit.clientAddress ?? null,
        userAgent: request.headers.get("user-agent")?.slice(0, 400) ?? null,
        now: new Date(),
        seconds: sessionSeconds,
      });
      if (token === null) throw new Error("A session was to be opened for a member who may not have one");
      await endOldSession(visit, request);
      return new Headers({ "Set-Cookie": signedCookie(cookie, token, key) });
    },
  };

  async function tryLogIn(
    visit: Visit,
    request: Request,
    credentials: { email: string; password: string },
  ): Promise<LogInResult> {
    const attempt = {
      brandId: visit.brand.id,
      email: credentials.email.trim().toLowerCase(),
      address: visit.clientAddress ?? "unknown",
      secret: key,
    };
    const wait = await countTry(db, attempt);
    if (wait > 0) return { outcome: "slow-down", retryAfterSeconds: wait };
    const login = loginSchema.safeParse(credentials);
    if (!login.success) return { outcome: "refused" };
    try {
      const headers = headersForLibrary(request, attempt.address);
      const answer = await authOf(visit.brand).api.signInEmail({ body: login.data, headers, returnHeaders: true });
      await forgiveTry(db, attempt);
      await endOldSession(visit, request);
      return { outcome: "logged-in", headers: cookiesOf(answer.headers) };
    } catch (error) {
      if (error instanceof HashingBusy) return { outcome: "slow-down", retryAfterSeconds: error.retryAfterSeconds };
      // Unknown e-mail, wrong password, suspended: one answer for all.
      if (isAPIError(error) && error.statusCode < 500) return { outcome: "refused" };
      throw error;
    }
  }

  /** The session that came with the login ends: a cookie planted or left behind on this browser is worth nothing afterwards. */
  async function endOldSession(visit: Visit, request: Request): Promise<void> {
    const token = tokenOf(request.headers.get("cookie"));
    if (token !== null) await endSession(db, { brandId: visit.brand.id, token });
  }
}

function headersForLibrary(request: Request, address: string): Headers {
  const headers = new Headers({ [addressHeader]: address });
  const userAgent = request.headers.get("user-agent");
  if (userAgent) headers.set("user-agent", userAgent.slice(0, 400));
  return headers;
}

function cookiesOf(answer: Headers): Headers {
  const headers = new Headers();
  for (const value of answer.getSetCookie()) headers.append("Set-Cookie", value);
  return headers;
}

function clearedCookie({ name, attributes }: SessionCookie): string {
  return `${name}=; Path=${attributes.path}; Max-Age=0; HttpOnly; SameSite=Lax${attributes.secure ? "; Secure" : ""}`;
}
