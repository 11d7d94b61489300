import { sql, type RawBuilder } from "kysely";
import { isOrder } from "../claimed-orders/find-order.ts";
import { orderKey } from "../claimed-orders/rules.ts";
import { contains, escapeLike } from "../lists/contains.ts";
import type { ListQuery } from "../lists/find-list-page.server.ts";

/** A member as operators list them. */
export interface ListedMember {
  id: string;
  number: string;
  name: string;
  email: string;
  brand: string;
  verification: string;
  joinedAt: Date;
  suspendedAt: Date | null;
  closedAt: Date | null;
}

export type MemberSort = "joined" | "name";

/** The filters, as they are typed; one that is missing does not narrow. */
export interface MemberFilters {
  /** A name, an address, a member's number, or the number of an order, click, claim, payout or card payment. */
  q?: string;
  brand?: string;
  verification?: string;
  /** "open", "suspended" or "closed". */
  state?: string;
}

/** Returns how members are listed and found (A3). */
export function memberList({ q, brand, verification, state }: MemberFilters): ListQuery<MemberSort> {
  const where: RawBuilder<unknown>[] = [];
  if (brand) where.push(sql`brand.slug = ${brand}`);
  if (verification) where.push(sql`member.verification = ${verification}`);
  if (state === "open") where.push(sql`member.suspended_at is null and member.closed_at is null`);
  if (state === "suspended") where.push(sql`member.suspended_at is not null`);
  if (state === "closed") where.push(sql`member.closed_at is not null`);
  if (q) where.push(sql`member.id in (${found(q)})`);
  return {
    from: sql`members member join brands brand on brand.id = member.brand_id`,
    select: sql`member.id, member.member_number as number, member.name, member.email, brand.name as brand,
      member.verification, member.created_at as "joinedAt", member.suspended_at as "suspendedAt",
      member.closed_at as "closedAt"`,
    where,
    sorts: {
      joined: { by: sql`member.created_at`, type: "timestamptz" },
      name: { by: sql`lower(member.name)`, type: "text" },
    },
    id: { by: sql`member.id`, type: "uuid" },
  };
}

/** Where more are found, more letters are needed; without a bound one letter would read every member. */
const MAX_FOUND = 1_000;

/** The ids of members whose name or address holds the words. Each branch has an index. */
export function membersCalled(q: string): RawBuilder<unknown> {
  return sql`(select id from members where ${isNamed(q)} limit ${MAX_FOUND}) ${ofAddress(q.toLowerCase().trim())}`;
}

/** The ids of members whom the words may mean. Each branch has an index. */
function found(q: string): RawBuilder<unknown> {
  // Members read numbers out, and type them with or without their spaces and dashes.
  const number = q.toUpperCase().replaceAll(/[\s-]/g, "");
  return sql`
    (select id from members where member_number in (${number}, upper(btrim(${q}))))
    union ${membersCalled(q)}
    union (select member_id from claims where public_id = ${q} or order_key = ${orderKey(q)} limit ${MAX_FOUND})
    union (select entry.member_id from network_transactions sale
      join cashback_entries entry on entry.network_transaction_id = sale.id
      where ${isOrder(sql`sale.order_reference`, q)} limit ${MAX_FOUND})
    union (select member_id from clicks where click_number = ${number.replaceAll(/(.{4})(?=.)/g, "$1-")} or reference = ${q})
    union (select member_id from gift_card_orders where public_id = ${q} and member_id is not null)
    union (select orders.member_id from payments payment join gift_card_orders orders on orders.payment_id = payment.id
      where (payment.public_id = ${q} or payment.provider_payment_id = ${q}) and orders.member_id is not null)
    union (select member_id from payouts where public_id = ${q} or bank_reference = ${number})`;
}

/** Holds for names that have every typed word, in any order. */
function isNamed(q: string): RawBuilder<unknown> {
  const words = q.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const named = (text: string) => contains(sql`lower(name)`, text);
  return words.length < 2 ? named(q) : sql.join(words.map(named), sql` and `);
}

/**
 * What begins an address is read in the order of an index. What may be anywhere in one is looked for by its rarest three letters, of which there are
 * as many as there are members: only where it is long enough, and not where a whole address is typed that somebody has.
 */
function ofAddress(text: string): RawBuilder<unknown> {
  const beginning = sql`union (select member_id from member_emails where email like ${`${escapeLike(text)}%`} limit ${MAX_FOUND})`;
  if (!/[\p{L}\p{N}]/u.test(text)) return sql``;
  if (!/[\p{L}\p{N}]{3}/u.test(text)) return beginning;
  const isNobodys = sql`not exists (select from member_emails where email = ${text})`;
  return sql`union (select member_id from member_emails where email = ${text})
    union (select member_id from member_emails where ${contains(sql`email`, text)}${text.includes("@") ? sql` and ${isNobodys}` : sql``} limit ${MAX_FOUND})`;
}
