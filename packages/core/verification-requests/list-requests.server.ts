import { sql, type RawBuilder } from "kysely";
import type { ListQuery } from "../lists/find-list-page.server.ts";
import { membersCalled } from "../members/list-members.server.ts";
import type { RequestState } from "./rules.ts";

/** Proof of membership as operators list it. */
export interface ListedRequest {
  publicId: string;
  state: RequestState;
  memberId: string;
  memberName: string;
  brand: string;
  type: string | null;
  proof: string | null;
  isRenewal: boolean;
  submittedAt: Date;
  decidedAt: Date | null;
  decidedBy: string | null;
}

/** Returns how requests are listed: those that wait, unless `state` says otherwise ("any": all). */
export function requestList({
  q,
  state = "submitted",
  brand,
}: {
  /** A name or an address of the member. */
  q?: string;
  state?: string;
  brand?: string;
}): ListQuery<"submitted"> {
  const where: RawBuilder<unknown>[] = [];
  // A literal, so that the partial index on waiting requests serves it.
  if (state === "submitted") where.push(sql`request.state = 'submitted'`);
  else if (state !== "any") where.push(sql`request.state = ${state}`);
  if (brand) where.push(sql`brand.slug = ${brand}`);
  if (q) where.push(sql`request.member_id in (${membersCalled(q)})`);
  return {
    from: sql`verification_requests request join members member on member.id = request.member_id
      join brands brand on brand.id = request.brand_id
      left join member_types type on type.id = member.member_type_id
      left join proof_kinds proof on proof.id = request.proof_kind_id`,
    select: sql`request.public_id as "publicId", request.state, member.id as "memberId", member.name as "memberName",
      brand.name as brand, type.name as type,
      case request.way when 'work_email' then 'Work e-mail' else coalesce(proof.name, 'A document') end as proof,
      request.is_renewal as "isRenewal", request.submitted_at as "submittedAt", request.decided_at as "decidedAt",
      request.decided_by as "decidedBy"`,
    where,
    sorts: { submitted: { by: sql`request.submitted_at`, type: "timestamptz" } },
    id: { by: sql`request.public_id`, type: "text" },
  };
}
