import { sql, type RawBuilder } from "kysely";
import { orderKey } from "../claimed-orders/rules.ts";
import type { ListQuery } from "../lists/find-list-page.server.ts";
import { membersCalled } from "../members/list-members.server.ts";
import { isAppealed } from "./claim-row.server.ts";
import { deadlineSql } from "./deadline.ts";
import { LIVE_STATES, type ClaimKind, type ClaimState } from "./rules.ts";

/** A claim as operators list it. */
export interface ListedClaim {
  publicId: string;
  state: ClaimState;
  kind: ClaimKind;
  brand: string;
  network: string;
  retailer: string;
  memberId: string;
  memberNumber: string;
  memberName: string;
  orderReference: string;
  salePence: number;
  madeAt: Date;
  /** When the next thing is due: to file it, to add what is missing, to answer, to report its sale. Null: it is over. */
  deadline: Date | null;
  awaitsPack: boolean;
  givenUpAt: Date | null;
  isAppeal: boolean;
}

export type ClaimSort = "deadline" | "made";

export interface ClaimFilters {
  /** The number of a claim, an order or a member, or a member's name or address. */
  q?: string;
  /** "person": only those that go on when somebody does something. */
  waits?: string;
  state?: string;
  /** The slug of a network. */
  network?: string;
}

const live = sql.raw(LIVE_STATES.map((state) => `'${state}'`).join(", "));

/** Holds for claims that wait for a person: for a pack or its answer, or given up. The index claims_for_person has it. */
export const waitsForPerson = sql`(claim.awaits_pack or claim.given_up_at is not null) and claim.state in (${live})`;

/** Returns how claims are listed and found. */
export function claimList({ q, waits, state, network }: ClaimFilters): ListQuery<ClaimSort> {
  const where: RawBuilder<unknown>[] = [];
  if (waits === "person") where.push(waitsForPerson);
  if (state) where.push(sql`claim.state = ${state}`);
  if (network) where.push(sql`claim.network_id = (select id from networks where slug = ${network})`);
  if (q)
    where.push(sql`claim.id in (
      select id from claims where public_id = ${q}
      union select id from claims where order_key = ${orderKey(q)}
      union select id from claims where member_id in (
        (select id from members where member_number = ${q.toUpperCase()}) union ${membersCalled(q)}))`);
  return {
    from: sql`claims claim join brands brand on brand.id = claim.brand_id join networks network on network.id = claim.network_id
      join retailers retailer on retailer.id = claim.retailer_id join members member on member.id = claim.member_id`,
    select: sql`claim.public_id as "publicId", claim.state, claim.kind, brand.name as brand, network.name as network,
      retailer.name as retailer, claim.member_id as "memberId", member.member_number as "memberNumber", member.name as "memberName",
      claim.order_reference as "orderReference", claim.sale_pence as "salePence", claim.made_at as "madeAt",
      nullif(${deadline}, timestamp 'infinity') at time zone 'UTC' as deadline, claim.awaits_pack as "awaitsPack",
      claim.given_up_at as "givenUpAt", ${isAppealed} as "isAppeal"`,
    where,
    sorts: {
      deadline: { by: deadline, type: "timestamp" },
      made: { by: sql`claim.made_at`, type: "timestamptz" },
    },
    id: { by: sql`claim.id`, type: "uuid" },
  };
}

const deadline = sql.raw(deadlineSql.replaceAll(/\b(state|closes_at|changed_at)\b/g, (column) => `claim.${column}`));
