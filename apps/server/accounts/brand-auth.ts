import { newId } from "@farthing/db/uuid.ts";
import type { Db } from "@farthing/db/client.ts";
import { longestPassword, shortestPassword } from "@farthing/core/members/rules.ts";
import { betterAuth } from "better-auth/minimal";
import { brandAdapter } from "./brand-adapter.ts";
import type { PasswordHashing } from "./password-hashing.ts";
import { sessionSeconds, type SessionCookie } from "./session-cookie.ts";

export interface BrandAuthOptions {
  db: Db;
  brandId: string;
  cookie: SessionCookie;
  key: string;
  hashing: PasswordHashing;
  /** Told of failures of the library itself. */
  log: (message: string) => void;
}

const times = { createdAt: "created_at", updatedAt: "updated_at" } as const;
const brandId = { type: "string", required: true, input: false, returned: false, fieldName: "brand_id" } as const;

/** Our own header, written by the server alone: the library must not believe X-Forwarded-For. */
export const addressHeader = "x-farthing-client-address";

/**
 * The auth library for one brand, over our tables (0003_members.sql). Its HTTP endpoints are not mounted: pages call `api` through
 * accounts.ts, after our own rate limits and checks of the origin.
 */
export function brandAuth({ db, brandId: id, cookie, key, hashing, log }: BrandAuthOptions) {
  return betterAuth({
    appName: "Farthing",
    baseURL: "http://auth.invalid", // of no use without mounted endpoints, but asked for
    secret: key,
    database: brandAdapter(db, id),
    telemetry: { enabled: false },
    rateLimit: { enabled: false }, // login-tries.server.ts counts in PostgreSQL, for all processes
    // Its warnings are people who mistype their password: figures count those (farthing_logins_total), nobody needs a line for each.
    logger: { level: "error", log: (_level, message) => log(message) },
    user: {
      modelName: "members",
      fields: { emailVerified: "email_verified", ...times },
      additionalFields: { brandId },
    },
    session: {
      modelName: "member_sessions",
      fields: {
        userId: "member_id",
        expiresAt: "expires_at",
        ipAddress: "ip_address",
        userAgent: "user_agent",
        ...times,
      },
      additionalFields: { brandId },
      expiresIn: sessionSeconds,
      disableSessionRefresh: true,
    },
    account: {
      modelName: "member_credentials",
      fields: {
        userId: "member_id",
        accountId: "account_id",
        providerId: "provider_id",
        accessToken: "access_token",
        refreshToken: "refresh_token",
        idToken: "id_token",
        accessTokenExpiresAt: "access_token_expires_at",
        refreshTokenExpiresAt: "refresh_token_expires_at",
        ...times,
      },
      additionalFields: { brandId },
    },
    verification: {
      modelName: "member_verifications",
      fields: { expiresAt: "expires_at", ...times },
      additionalFields: { brandId },
    },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true, // registration comes with its own form; until then nobody makes members this way
      minPasswordLength: shortestPassword,
      maxPasswordLength: longestPassword,
      password: {
        hash: (password) => hashing.hash(password),
        verify: ({ hash, password }) => hashing.verify(hash, password),
      },
    },
    databaseHooks: {
      session: { create: { before: async (session) => ((await isSuspended(db, session.userId)) ? false : undefined) } },
    },
    advanced: {
      useSecureCookies: false, // the name already carries __Host- where it may
      cookies: { session_token: { name: cookie.name, attributes: cookie.attributes } },
      ipAddress: { ipAddressHeaders: [addressHeader], ipv6Subnet: 128 },
      database: { generateId: () => newId() },
    },
  });
}

async function isSuspended(db: Db, memberId: string): Promise<boolean> {
  const member = await db.selectFrom("members").select("suspended_at").where("id", "=", memberId).executeTakeFirst();
  return member === undefined || member.suspended_at !== null;
}
