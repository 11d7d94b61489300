/**
 * Login, step by step; apps/server/sign-in/log-in.ts runs it:
 * 1. login-tries.server.ts counts the try and says how long to wait (limits: login-limits.ts).
 * 2. This file finds the account of the address; the server verifies the password's hash.
 * 3. With two-step sign-in on, login-steps.server.ts keeps that the password was right until the code arrives.
 * 4. sessions.server.ts opens the session; next-path.ts decides where the member continues.
 */
import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";

/** What a login needs to know about the account behind an e-mail address. */
export interface SignIn {
  memberId: string;
  name: string;
  /** The main address, which gets the notices. */
  email: string;
  passwordHash: string | null;
  isConfirmed: boolean;
  isSuspended: boolean;
  hasSecondFactor: boolean;
  /** The generation that marks of known browsers are signed for. */
  deviceGeneration: number;
}

/**
 * Returns the account that an address opens in a brand, by a verified address or by a main address that is not
 * confirmed yet; null if there is none. One statement for known and unknown addresses, so that its time does not tell
 * them apart.
 */
export async function findSignIn(
  db: Db | Trx,
  { brandId, email }: { brandId: string; email: string },
): Promise<SignIn | null> {
  const { rows } = await sql<SignIn>`
    select member.id as "memberId", member.name, member.email, credential.password as "passwordHash",
      member.device_generation as "deviceGeneration", known.verified_at is not null as "isConfirmed", member.suspended_at is not null as "isSuspended",
      exists (select 1 from member_second_factors factor where factor.member_id = member.id and factor.enabled_at is not null) as "hasSecondFactor"
    from member_emails known
    join members member on member.id = known.member_id and member.brand_id = known.brand_id
    left join member_credentials credential on credential.member_id = member.id and credential.provider_id = 'credential'
    where known.brand_id = ${brandId} and known.email = ${email} and (known.verified_at is not null or known.email = member.email)`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** Returns the same for a known member: one who is signed in, or whose passkey or code is being checked. */
export async function findSignInOf(
  db: Db | Trx,
  { brandId, memberId }: { brandId: string; memberId: string },
): Promise<SignIn | null> {
  const member = await db
    .selectFrom("members")
    .select("email")
    .where("id", "=", memberId)
    .where("brand_id", "=", brandId)
    .executeTakeFirst();
  return member ? findSignIn(db, { brandId, email: member.email }) : null;
}
