import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";

/** What a login has to know of the account behind an e-mail address. */
export interface SignIn {
  memberId: string;
  name: string;
  /** The main address: notices go there. */
  email: string;
  passwordHash: string | null;
  isConfirmed: boolean;
  isSuspended: boolean;
  hasSecondFactor: boolean;
  /** What the marks of browsers that the account knows are signed for. */
  deviceGeneration: number;
}

/**
 * The account that an address opens in a brand: a proved address of its member, or the main one that is still to be confirmed. One statement for known and
 * unknown addresses alike.
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

/** The same for a member who is known already: one signed in, or one whose passkey or code is being looked at. */
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
