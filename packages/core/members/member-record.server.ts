import type { Db } from "@farthing/db/client.ts";
import { isUuid } from "@farthing/db/uuid.ts";
import { sql } from "kysely";

/** What operators see of a member, beside the timeline. */
export interface MemberRecord {
  id: string;
  brandId: string;
  brand: string;
  brandSlug: string;
  number: string;
  name: string;
  email: string;
  isEmailConfirmed: boolean;
  otherEmails: string[];
  type: string | null;
  status: string | null;
  dateOfBirth: string | null;
  verification: string;
  verifiedUntil: Date | null;
  joinedAt: Date;
  suspendedAt: Date | null;
  closedAt: Date | null;
  hasSecondFactor: boolean;
  passkeys: number;
  sessions: number;
  openProof: string | null;
  closure: { state: string; requestedAt: Date } | null;
}

/** Returns a member by the id that an address names; null where there is none. */
export async function findMemberRecord(db: Db, { id, now }: { id: string; now: Date }): Promise<MemberRecord | null> {
  if (!isUuid(id)) return null;
  const { rows } = await sql<MemberRecord & { closure: { state: string; requestedAt: string } | null }>`
    select member.id, member.brand_id as "brandId", brand.name as brand, brand.slug as "brandSlug",
      member.member_number as number, member.name, member.email, member.email_verified as "isEmailConfirmed",
      array(select other.email from member_emails other where other.member_id = member.id and other.email <> member.email
        order by other.email) as "otherEmails",
      type.name as type, status.name as status, member.date_of_birth::text as "dateOfBirth", member.verification,
      member.verified_until as "verifiedUntil", member.created_at as "joinedAt", member.suspended_at as "suspendedAt",
      member.closed_at as "closedAt",
      exists (select from member_second_factors factor where factor.member_id = member.id and factor.enabled_at is not null)
        as "hasSecondFactor",
      (select count(*)::int from member_passkeys passkey where passkey.member_id = member.id) as passkeys,
      (select count(*)::int from member_sessions session where session.member_id = member.id and session.expires_at > ${now})
        as sessions,
      (select request.public_id from verification_requests request
        where request.member_id = member.id and request.state = 'submitted') as "openProof",
      (select jsonb_build_object('state', closure.state, 'requestedAt', closure.requested_at) from closures closure
        where closure.member_id = member.id and closure.state <> 'cancelled') as closure
    from members member join brands brand on brand.id = member.brand_id
    left join member_types type on type.id = member.member_type_id
    left join member_statuses status on status.id = member.member_status_id
    where member.id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) return null;
  return { ...row, closure: row.closure && { ...row.closure, requestedAt: new Date(row.closure.requestedAt) } };
}
