import type { Db } from "@farthing/db/client.ts";
import { isUuid } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { hasNumber } from "../claimed-orders/find-held-sale.server.ts";
import { isOrder } from "../claimed-orders/find-order.ts";

/** Everything that came of one click, to the bank transfer and back (A1). */
export interface ClickTrace {
  id: string;
  number: string;
  reference: string;
  clickedAt: Date;
  brand: string;
  retailer: string;
  network: string;
  memberId: string;
  memberNumber: string;
  sales: {
    id: string;
    /** The network's own name of the sale. */
    networkTransactionId: string;
    orderReference: string | null;
    status: string;
    currency: string;
    saleMinor: number;
    commissionMinor: number;
    isPaidToUs: boolean;
    purchasedAt: Date;
    revisions: number;
    entries: TracedEntry[];
  }[];
}

/** What a member earned by a sale, with each change and where it was paid. */
export interface TracedEntry {
  id: string;
  kind: "purchase" | "correction";
  state: string;
  cashbackPence: number;
  /** The code of the reason that the retailer gave; null: none (networks/decline-reason.ts). */
  reasonCode: string | null;
  /** What the member waits for, and when they are told to expect it; null: nothing. Times are ISO 8601. */
  expected: {
    awaits: "confirmation" | "payment";
    from: string | null;
    to: string | null;
    overdueSince: string | null;
  } | null;
  changes: {
    kind: string;
    state: string;
    differencePence: number;
    transferId: string | null;
    changedAt: string;
  }[];
  payouts: { publicId: string; reference: string; state: string; amountPence: number; batchNumber: number | null }[];
}

/** Returns what came of a click; null: there is none. Every step has an index. */
export async function findClickTrace(db: Db, { id }: { id: string }): Promise<ClickTrace | null> {
  if (!isUuid(id)) return null;
  const { rows } = await sql<Omit<ClickTrace, "sales">>`
    select click.id, click.click_number as number, click.reference, click.created_at as "clickedAt", brand.name as brand,
      retailer.name as retailer, network.name as network, member.id as "memberId", member.member_number as "memberNumber"
    from clicks click join members member on member.id = click.member_id join brands brand on brand.id = click.brand_id
      join retailers retailer on retailer.id = click.retailer_id join networks network on network.id = click.network_id
    where click.id = ${id}::uuid`.execute(db);
  const click = rows[0];
  if (!click) return null;
  const { rows: sales } = await sql<ClickTrace["sales"][number]>`
    select sale.id, sale.network_transaction_id as "networkTransactionId", sale.order_reference as "orderReference", sale.status,
      sale.currency, sale.sale_minor as "saleMinor", sale.commission_minor as "commissionMinor",
      sale.paid_to_publisher as "isPaidToUs", sale.purchased_at as "purchasedAt", sale.revision_number as revisions, (
        select coalesce(jsonb_agg(jsonb_build_object('id', entry.id, 'kind', entry.entry_kind, 'state', entry.state,
          'cashbackPence', entry.cashback_pence, 'reasonCode', entry.reason_code, 'expected', (
            select jsonb_build_object('awaits', awaits, 'from', expected_from, 'to', expected_to, 'overdueSince', overdue_since)
            from cashback_watches where entry_id = entry.id),
          'changes', (
            select coalesce(jsonb_agg(jsonb_build_object('kind', change_kind, 'state', change.state,
              'differencePence', difference_pence, 'transferId', transfer_id, 'changedAt', changed_at) order by version), '[]')
            from cashback_changes change where change.entry_id = entry.id),
          'payouts', (
            select coalesce(jsonb_agg(jsonb_build_object('publicId', payout.public_id, 'reference', payout.bank_reference,
              'state', payout.state, 'amountPence', payout.amount_pence, 'batchNumber', batch.batch_number)
              order by payout.requested_at), '[]')
            from payout_entries paid join payouts payout on payout.id = paid.payout_id
              left join payout_batches batch on batch.id = payout.batch_id where paid.entry_id = entry.id)
        ) order by entry.created_at, entry.id), '[]')
        from cashback_entries entry where entry.network_transaction_id = sale.id) as entries
    from network_transactions sale where sale.click_id = ${click.id} order by sale.purchased_at, sale.id limit 100`.execute(
    db,
  );
  return { ...click, sales };
}

/** Something that the words of a search name. */
export interface LedgerFind {
  kind: "member" | "account" | "transfer" | "click" | "payout" | "payment" | "unmatched sale";
  /** Of an unmatched sale, the network's number of it. */
  id: string;
  /** What it is, for a person. */
  text: string;
}

/**
 * Finds what an operator has a number of. That is a member, an account, a transfer, a click, a payout or a card payment. A
 * click is found by its number, its reference, or an order or sale that came of it; a payout by its id or the bank's
 * reference; a sale that nobody is credited for by its own number or that of the order. Each branch has an index.
 */
export async function findInLedger(db: Db, { q }: { q: string }): Promise<LedgerFind[]> {
  const text = q.trim().slice(0, 200);
  if (text === "") return [];
  const byId = isUuid(text)
    ? sql`union all select 'account', id::text, account_kind from ledger_accounts where id = ${text}::uuid
        union all select 'transfer', id::text, transfer_kind from ledger_transfers where id = ${text}::uuid
        union all select 'click', id::text, click_number from clicks where id = ${text}::uuid
        union all select 'click', click_id::text, 'a purchase' from cashback_entries where id = ${text}::uuid`
    : sql``;
  const { rows } = await sql<LedgerFind>`
    select kind, id, text from (
      select 'member' as kind, id::text as id, member_number as text from members where member_number = ${text.toUpperCase()}
      union all select 'click', id::text, click_number from clicks where click_number = ${text.toUpperCase()}
      union all select 'click', id::text, click_number from clicks where reference = ${text}
      union all select 'transfer', id::text, transfer_kind from ledger_transfers where transfer_key = ${text}
      union all select 'payout', public_id, bank_reference from payouts where public_id = ${text}
      union all select 'payout', public_id, bank_reference from payouts where bank_reference = ${text.toUpperCase()}
      union all select 'payment', public_id, reference from payments where public_id = ${text}
      union all select 'payment', public_id, reference from payments where provider_payment_id = ${text}
      union all (select 'click', click_id::text, 'order ' || order_reference from network_transactions
        where ${isOrder(sql`order_reference`, text)} and click_id is not null limit 20)
      union all (select 'click', click_id::text, 'sale ' || network_transaction_id from network_transactions
        where network_id = any(array(select id from networks)) and network_transaction_id = ${text} and click_id is not null limit 20)
      union all (select 'unmatched sale', sale.network_transaction_id, coalesce('order ' || sale.order_reference, sale.network_transaction_id)
        from network_transactions sale where sale.held_because is not null and ${hasNumber(text)} limit 20)
      ${byId}
    ) found limit 50`.execute(db);
  return rows;
}
