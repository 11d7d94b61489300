import type { Db } from "@farthing/db/client.ts";
import { keepPlan } from "@farthing/db/kept-plans.ts";
import { sql } from "kysely";
import { findAskedKinds } from "./asked-kinds.server.ts";
import { isReasonCode, type ReasonCode } from "./reasons.ts";
import { maySubmit, type RequestState, type Verification } from "./rules.ts";
import type { StandingView, VerificationView } from "./verification-view.ts";
import { workDomainsOf } from "./work-email.server.ts";

/** Returns a member's own view of their proof; null for a member of another brand. */
export async function findVerificationView(
  db: Db,
  { memberId, brandId, now }: { memberId: string; brandId: string; now: Date },
): Promise<VerificationView | null> {
  const member = await db
    .selectFrom("members")
    .leftJoin("member_types as type", "type.id", "members.member_type_id")
    .leftJoin("member_statuses as status", "status.id", "members.member_status_id")
    .select([
      "verification",
      "verified_until",
      "members.member_type_id",
      "member_status_id",
      "type.name as typeName",
      "status.name as statusName",
    ])
    .where("members.id", "=", memberId)
    .where("members.brand_id", "=", brandId)
    .executeTakeFirst();
  if (!member) return null;
  const [last, kinds, domains, deletions] = await Promise.all([
    findLastRequest(db, memberId),
    findAskedKinds(db, member),
    workDomainsOf(db, { memberId }),
    db
      .selectFrom("attachment_deletions")
      .select(["deleted_at as deletedAt", "received_at as receivedAt"])
      .where("member_id", "=", memberId)
      .orderBy("deleted_at", "desc")
      .limit(5)
      .execute(),
  ]);
  const standing = { verification: member.verification as Verification, verifiedUntil: member.verified_until };
  return {
    ...standing,
    maySubmit: maySubmit({ ...standing, now }),
    open:
      last?.state === "submitted"
        ? {
            submittedAt: last.submitted_at,
            proofName: last.proofName,
            file: last.publicId
              ? { publicId: last.publicId, originalName: last.originalName ?? "", size: last.size ?? 0 }
              : null,
          }
        : null,
    refusal:
      last?.state === "rejected" && last.decided_at
        ? {
            reason: shownReason(last.reason),
            note: last.note,
            decidedAt: last.decided_at,
          }
        : null,
    kinds,
    workDomains: domains.map(({ domain }) => domain),
    memberType: member.typeName,
    memberStatus: member.statusName,
    deletions,
  };
}

/**
 * Returns how a member stands, in one statement, because most of what a small statement costs is its round trip; null for
 * a member of another brand.
 */
export async function findStandingView(
  db: Db,
  { memberId, brandId, now }: { memberId: string; brandId: string; now: Date },
): Promise<StandingView | null> {
  const { rows } = await sql<{
    verification: Verification;
    verifiedUntil: Date | null;
    state: RequestState | null;
    reason: string | null;
    isClosing: boolean;
  }>`${keepPlan}
    select member.verification, member.verified_until as "verifiedUntil", last.state, last.reason, exists (
        select from closures closure where closure.member_id = member.id and closure.state <> 'cancelled'
          and closure.state in ('requested', 'awaiting_payout')) as "isClosing"
    from members member left join lateral (
      select request.state, request.reason from verification_requests request
      where request.member_id = member.id and request.state <> 'replaced'
      order by request.submitted_at desc limit 1) last on true
    where member.id = ${memberId} and member.brand_id = ${brandId}`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const { verification, verifiedUntil, state, reason, isClosing } = row;
  return {
    verification,
    verifiedUntil,
    maySubmit: maySubmit({ verification, verifiedUntil, now }),
    isSubmitted: state === "submitted",
    refusedFor: state === "rejected" ? shownReason(reason) : null,
    isClosing,
  };
}

function shownReason(reason: string | null): ReasonCode {
  return reason !== null && isReasonCode(reason) ? reason : "other";
}

function findLastRequest(db: Db, memberId: string) {
  return db
    .selectFrom("verification_requests as request")
    .leftJoin("proof_kinds as kind", "kind.id", "request.proof_kind_id")
    .leftJoin("attachments as file", "file.request_id", "request.id")
    .select([
      "request.state",
      "request.reason",
      "request.note",
      "request.submitted_at",
      "request.decided_at",
      "kind.name as proofName",
      "file.public_id as publicId",
      "file.original_name as originalName",
      "file.size",
    ])
    .where("request.member_id", "=", memberId)
    .where("request.state", "<>", "replaced")
    .orderBy("request.submitted_at", "desc")
    .limit(1)
    .executeTakeFirst();
}

export interface RequestForOperator {
  id: string;
  publicId: string;
  /** The brand's short name, and the one that people read. */
  brand: string;
  brandName: string;
  state: RequestState;
  submittedAt: Date;
  isRenewal: boolean;
  way: string;
  proof: string | null;
  reason: string | null;
  note: string | null;
  decidedBy: string | null;
  decidedAt: Date | null;
  member: {
    number: string;
    name: string;
    email: string;
    type: string | null;
    status: string | null;
    dateOfBirth: string | null;
  };
  file: { originalName: string; mediaType: string; size: number } | null;
}

/** Returns the requests that wait for a decision, oldest first. */
export function listOpenRequests(db: Db, { max = 200 } = {}): Promise<RequestForOperator[]> {
  return forOperators(db, { state: "submitted", max });
}

export async function findRequestForOperator(
  db: Db,
  { publicId }: { publicId: string },
): Promise<RequestForOperator | null> {
  return (await forOperators(db, { publicId, max: 1 }))[0] ?? null;
}

async function forOperators(
  db: Db,
  { state, publicId, max }: { state?: RequestState; publicId?: string; max: number },
): Promise<RequestForOperator[]> {
  const rows = await db
    .selectFrom("verification_requests as request")
    .innerJoin("members", "members.id", "request.member_id")
    .innerJoin("brands", "brands.id", "request.brand_id")
    .leftJoin("member_types as type", "type.id", "members.member_type_id")
    .leftJoin("member_statuses as status", "status.id", "members.member_status_id")
    .leftJoin("proof_kinds as kind", "kind.id", "request.proof_kind_id")
    .leftJoin("attachments as file", "file.request_id", "request.id")
    .select([
      "request.id",
      "request.public_id",
      "brands.slug as brand",
      "brands.name as brandName",
      "request.state",
      "request.submitted_at",
      "request.is_renewal",
      "request.way",
      "request.reason",
      "request.note",
      "request.decided_by",
      "request.decided_at",
      "kind.name as proof",
      "members.member_number",
      "members.name",
      "members.email",
      "members.date_of_birth",
      "type.name as typeName",
      "status.name as statusName",
      "file.original_name",
      "file.media_type",
      "file.size",
    ])
    .$if(state !== undefined, (query) => query.where("request.state", "=", state ?? ""))
    .$if(publicId !== undefined, (query) => query.where("request.public_id", "=", publicId ?? ""))
    .orderBy("request.submitted_at")
    .limit(max)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    publicId: row.public_id,
    brand: row.brand,
    brandName: row.brandName,
    state: row.state as RequestState,
    submittedAt: row.submitted_at,
    isRenewal: row.is_renewal,
    way: row.way,
    proof: row.proof,
    reason: row.reason,
    note: row.note,
    decidedBy: row.decided_by,
    decidedAt: row.decided_at,
    member: {
      number: row.member_number,
      name: row.name,
      email: row.email,
      type: row.typeName,
      status: row.statusName,
      dateOfBirth: row.date_of_birth as string | null,
    },
    file: row.original_name
      ? { originalName: row.original_name, mediaType: row.media_type ?? "", size: row.size ?? 0 }
      : null,
  }));
}
