import { sql, type RawBuilder } from "kysely";
import type { Db } from "@farthing/db/client.ts";
import { accountId } from "../ledger/operations.server.ts";
import type { ListQuery } from "../lists/find-list-page.server.ts";
import { sumPence } from "../money/money.ts";
import type { Day } from "./bacs-calendar.ts";
import { PAYOUT_REASONS, type PayoutReason, type PayoutState } from "./rules.ts";

/** A payout as operators list it. */
export interface ListedPayout {
  publicId: string;
  state: PayoutState;
  brand: string;
  memberId: string;
  memberNumber: string;
  memberName: string;
  amountPence: number;
  requestedAt: Date;
  paidAt: Date | null;
  requestedBy: string;
  reference: string;
  batchNumber: number | null;
  /** True while an operator holds the member's payouts. */
  isHeld: boolean;
  reason: PayoutReason | null;
  lastError: string | null;
}

/** `asked`: by when it was asked for. */
export type PayoutSort = "asked";

/** The filters, as they are typed; one that is missing does not narrow. */
export interface PayoutFilters {
  /** A state, "held" (waits, and its member is on hold) or "left-out" (waits, and did not join the last batch). */
  state?: string;
  brand?: string;
  /** The number of a payout or member, or the bank's reference. */
  q?: string;
  batch?: string;
}

const isHeld = sql<boolean>`exists (select from payout_holds hold
  where hold.member_id = payout.member_id and hold.lifted_at is null)`;

/** Returns how payouts are listed (A3): by the indexes payouts_by_state, _of_brand and _of_batch, otherwise payouts_listed. */
export function payoutList({ state, brand, q, batch }: PayoutFilters): ListQuery<PayoutSort> {
  const where: RawBuilder<unknown>[] = [];
  if (state === "held") where.push(sql`payout.state = 'requested' and ${isHeld}`);
  else if (state === "left-out") where.push(sql`payout.state = 'requested' and payout.last_error is not null`);
  else if (state) where.push(sql`payout.state = ${state}`);
  // By its id, so that the index of its payouts gives their order too.
  if (brand) where.push(sql`payout.brand_id = (select id from brands where slug = ${brand})`);
  if (batch)
    where.push(
      /^\d{1,9}$/.test(batch)
        ? sql`payout.batch_id = (select id from payout_batches where batch_number = ${Number(batch)})`
        : sql`false`,
    );
  if (q)
    where.push(sql`payout.id in (
      select id from payouts where public_id = ${q}
      union all select id from payouts where bank_reference = ${q.toUpperCase()}
      union all select id from payouts where member_id in (select id from members where member_number = ${q.toUpperCase()}))`);
  return {
    from: sql`payouts payout join members member on member.id = payout.member_id
      join brands brand on brand.id = payout.brand_id
      left join payout_batches batch on batch.id = payout.batch_id`,
    select: sql`payout.public_id as "publicId", payout.state, brand.name as brand, member.id as "memberId",
      member.member_number as "memberNumber", member.name as "memberName", payout.paid_at as "paidAt", payout.amount_pence as "amountPence", payout.requested_at as "requestedAt",
      payout.requested_by as "requestedBy", payout.bank_reference as reference, batch.batch_number as "batchNumber",
      ${isHeld} as "isHeld", payout.reason, payout.last_error as "lastError"`,
    where,
    sorts: { asked: { by: sql`payout.requested_at`, type: "timestamptz" } },
    id: { by: sql`payout.id`, type: "uuid" },
  };
}

/** What waits and what is at the bank, in sums. */
export interface PayoutSums {
  waiting: number;
  waitingPence: number;
  /** Of the waiting: those whose member is on hold. */
  held: number;
  atBank: number;
  atBankPence: number;
}

export async function findPayoutSums(db: Db): Promise<PayoutSums> {
  const { rows } = await sql<PayoutSums>`
    select count(*) filter (where state = 'requested')::int as waiting,
      coalesce(sum(amount_pence) filter (where state = 'requested'), 0)::bigint as "waitingPence",
      count(*) filter (where state = 'requested' and ${isHeld})::int as held,
      count(*) filter (where state = 'processing')::int as "atBank",
      coalesce(sum(amount_pence) filter (where state = 'processing'), 0)::bigint as "atBankPence"
    from payouts payout where state in ('requested', 'processing')`.execute(db);
  return rows[0]!;
}

/** One payout with everything that an operator asks about it. */
export interface PayoutRecord extends ListedPayout {
  id: string;
  bankSaid: string | null;
  /** For the operator's page: why it failed or came back, in words for the member. */
  reasonText: string | null;
  batchAt: Date | null;
  entryDay: Day | null;
  isApproved: boolean;
  processingAt: Date | null;
  failedAt: Date | null;
  returnedAt: Date | null;
  isClosing: boolean;
  /** The sealed account that it goes to, or the member's own while it waits; null: none, or deleted. */
  sealed: string | null;
  usableFrom: Date | null;
  hold: { publicId: string; reason: string; placedBy: string; placedAt: Date } | null;
  /** The cashback that it was asked for, at most 100. */
  purchases: {
    entryId: string;
    clickId: string;
    retailer: string;
    purchasedAt: Date;
    cashbackPence: number;
    state: string;
  }[];
  /** How many purchases there are, and their sum: more than those listed. */
  purchaseCount: number;
  purchasePence: number;
  /** What else the amount is made of; with the purchases it adds up to the amount. */
  others: PayoutPart[];
  /** Its movements in the ledger. */
  transfers: { id: string; kind: string; happenedAt: Date }[];
}

/** A part of a payout's amount that is no purchase. `rest`: what was left of earlier money, or taken from it since. */
export interface PayoutPart {
  kind: "goodwill" | "bonus" | "gift-card" | "returned" | "rest";
  amountPence: number;
  at: Date | null;
  /** The payout that came back, or null. */
  payout: { publicId: string; reference: string } | null;
}

const MAX_PURCHASES = 100;
const MAX_OTHERS = 200;

/** Returns one payout; null: there is none. */
export async function findPayoutRecord(db: Db, { publicId }: { publicId: string }): Promise<PayoutRecord | null> {
  const { select, from } = payoutList({});
  const { rows } = await sql<Omit<PayoutRecord, "purchases" | "transfers" | "reasonText" | "hold" | "others">>`
    select payout.id, ${select}, payout.bank_said as "bankSaid", batch.made_at as "batchAt", batch.entry_day as "entryDay",
      coalesce(batch.approved_at is not null, false) as "isApproved", payout.processing_at as "processingAt",
      payout.failed_at as "failedAt", payout.returned_at as "returnedAt",
      payout.closure_id is not null as "isClosing", coalesce(payout.payee, details.sealed) as sealed,
      details.usable_from as "usableFrom", earned.count as "purchaseCount", earned.pence as "purchasePence"
    from ${from} left join bank_details details on details.member_id = payout.member_id and payout.state = 'requested'
      cross join lateral (select count(*)::int as count, coalesce(sum(cashback_pence), 0)::bigint as pence
        from payout_entries paid join cashback_entries entry on entry.id = paid.entry_id where paid.payout_id = payout.id) earned
    where payout.public_id = ${publicId}`.execute(db);
  const row = rows[0];
  if (!row) return null;
  const [others, purchases, transfers, hold] = await Promise.all([
    findOthers(db, row),
    sql<PayoutRecord["purchases"][number]>`
      select entry.id as "entryId", entry.click_id as "clickId", retailer.name as retailer, entry.purchased_at as "purchasedAt",
        entry.cashback_pence as "cashbackPence", entry.state
      from payout_entries paid join cashback_entries entry on entry.id = paid.entry_id
        join retailers retailer on retailer.id = entry.retailer_id
      where paid.payout_id = ${row.id} order by entry.purchased_at, entry.id limit ${MAX_PURCHASES}`.execute(db),
    sql<PayoutRecord["transfers"][number]>`
      select id, transfer_kind as kind, happened_at as "happenedAt" from ledger_transfers
      where transfer_key = any(${["requested", "paid", "failed", "returned"].map((step) => `payout:${row.id}:${step}`)})
      order by xact_id, id`.execute(db),
    db
      .selectFrom("payout_holds")
      .select(["public_id as publicId", "reason", "placed_by as placedBy", "placed_at as placedAt"])
      .where("member_id", "=", row.memberId)
      .where("lifted_at", "is", null)
      .executeTakeFirst(),
  ]);
  return {
    ...row,
    reasonText: row.reason === null ? null : PAYOUT_REASONS[row.reason].text,
    purchases: purchases.rows,
    others,
    transfers: transfers.rows,
    hold: hold ?? null,
  };
}

/**
 * Returns what reached the payable balance between the last earlier payout that took it and this one, other than purchases.
 * What they don't explain is one part, the rest, so that all parts add up to the amount.
 */
async function findOthers(
  db: Db,
  payout: Pick<PayoutRecord, "id" | "memberId" | "amountPence" | "purchasePence">,
): Promise<PayoutPart[]> {
  const account = accountId({ kind: "member_payable", memberId: payout.memberId });
  const { rows } = await sql<PayoutPart>`
    with own as (
      select xact_id from ledger_transfers where transfer_key = ${`payout:${payout.id}:requested`}
    ), last as (
      select max(transfer.xact_id) as xact_id from payouts earlier
        join ledger_transfers transfer on transfer.transfer_key = 'payout:' || earlier.id || ':requested'
      where earlier.member_id = ${payout.memberId} and earlier.method = 'bank' and earlier.state in ('paid', 'returned')
        and transfer.xact_id < (select xact_id from own)
    )
    select case when transfer.transfer_kind = 'payout_returned' then 'returned'
        when transfer.cause_kind = 'gift_card_line' then 'gift-card' else transfer.cause_kind end as kind,
      sum(entry.amount_pence)::bigint as "amountPence", min(transfer.happened_at) as at,
      (select jsonb_build_object('publicId', public_id, 'reference', bank_reference) from payouts
        where id = transfer.cause_id and transfer.cause_kind = 'payout') as payout
    from ledger_entries entry join ledger_transfers transfer on transfer.id = entry.transfer_id
    where entry.account_id = ${account} and entry.xact_id < (select xact_id from own)
      and entry.xact_id > coalesce((select xact_id from last), '0'::xid8)
      and (transfer.cause_kind in ('goodwill', 'bonus', 'gift_card_line') or transfer.transfer_kind = 'payout_returned')
    group by 1, transfer.cause_kind, transfer.cause_id
    having sum(entry.amount_pence) <> 0
    order by min(transfer.happened_at), transfer.cause_id limit ${MAX_OTHERS}`.execute(db);
  const restPence = payout.amountPence - payout.purchasePence - sumPence(rows.map(({ amountPence }) => amountPence));
  return restPence === 0 ? rows : [...rows, { kind: "rest", amountPence: restPence, at: null, payout: null }];
}
