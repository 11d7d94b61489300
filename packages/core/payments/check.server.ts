import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { findBalance } from "../ledger/balances.server.ts";
import { formatPence } from "../money/money.ts";
import { CardProviderRefusalError, CardProviderUnavailableError, type CardProvider } from "./provider.ts";

const MOST = 100;

/**
 * Checks that payments and ledger agree (C4): the postings of each payment equal what was taken and not refunded.
 * Test payments have no postings. Returns one sentence per fault.
 */
export async function checkPayments(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string; wanted: number; posted: number }>`
    with positions as (
      select id, case when mode = 'live' and state in ('paid', 'partly_refunded', 'refunded') then amount_pence - refunded_pence else 0 end as pence from payments
    ), postings as (
      select transfer.cause_id as id, sum(entry.amount_pence)::bigint as pence
      from ledger_transfers transfer
      join ledger_entries entry on entry.transfer_id = transfer.id
      join ledger_accounts account on account.id = entry.account_id and account.account_kind = 'payment_held'
      where transfer.cause_kind = 'payment'
      group by transfer.cause_id
    )
    select coalesce(positions.id, postings.id) as id, coalesce(positions.pence, 0) as wanted, coalesce(postings.pence, 0) as posted
    from positions full join postings on postings.id = positions.id
    where coalesce(positions.pence, 0) <> coalesce(postings.pence, 0) limit ${MOST}`.execute(db);
  return rows.map((row) => `Payment ${row.id} should have ${row.wanted} pence in payment_held, and has ${row.posted}.`);
}

/**
 * Checks that disputes and ledger agree (C4): what each has withdrawn and cost is on the accounts of its state. Returns one
 * sentence per fault.
 */
export async function checkDisputes(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string; kind: string; wanted: number; posted: number }>`
    with positions as (
      select dispute.id, kind, pence from payment_disputes dispute join payments payment on payment.id = dispute.payment_id
        cross join lateral (values
          ('card_received', withdrawn_pence + fee_pence),
          ('provider_fees', -fee_pence),
          (case when dispute.state <> 'lost' then 'payment_disputed' when is_for_gift_cards then 'club_dispute_losses' else 'payment_held' end,
            -withdrawn_pence)
        ) as position (kind, pence)
      where payment.mode = 'live' and pence <> 0
    ), postings as (
      select transfer.cause_id as id, account.account_kind as kind, sum(entry.amount_pence)::bigint as pence
      from ledger_transfers transfer
      join ledger_entries entry on entry.transfer_id = transfer.id
      join ledger_accounts account on account.id = entry.account_id
      where transfer.cause_kind = 'dispute'
      group by transfer.cause_id, account.account_kind having sum(entry.amount_pence) <> 0
    )
    select coalesce(positions.id, postings.id) as id, coalesce(positions.kind, postings.kind) as kind,
      coalesce(positions.pence, 0) as wanted, coalesce(postings.pence, 0) as posted
    from positions full join postings on postings.id = positions.id and postings.kind = positions.kind
    where coalesce(positions.pence, 0) <> coalesce(postings.pence, 0) limit ${MOST}`.execute(db);
  return rows.map((row) => `Dispute ${row.id} should have ${row.wanted} pence in ${row.kind}, and has ${row.posted}.`);
}

/** Checks that the fees that were read are in the ledger (C4). Returns one sentence per fault. */
export async function checkFees(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string; wanted: number; posted: number }>`
    with postings as (
      select transfer.cause_id as id, -sum(entry.amount_pence)::bigint as pence
      from ledger_transfers transfer
      join ledger_entries entry on entry.transfer_id = transfer.id
      join ledger_accounts account on account.id = entry.account_id and account.account_kind = 'provider_fees'
      where transfer.cause_kind = 'payment'
      group by transfer.cause_id
    )
    select coalesce(fee.payment_id, postings.id) as id, coalesce(fee.fee_pence, 0) as wanted, coalesce(postings.pence, 0) as posted
    from payment_fees fee full join postings on postings.id = fee.payment_id
    where coalesce(fee.fee_pence, 0) <> coalesce(postings.pence, 0) limit ${MOST}`.execute(db);
  return rows.map((row) => `Payment ${row.id} should have ${row.wanted} pence of fee, and has ${row.posted}.`);
}

/**
 * Compares the books with what the card provider has of ours (C4). Its payouts to our bank are not in the books, so it may have
 * less, and `note` says how much; having more is a fault. Null: the provider does not answer, or
 * the key may not read the balance.
 */
export async function compareBalance(
  db: Db,
  cards: Pick<CardProvider, "findBalance">,
  /** The account also holds test payments, which the ledger does not have: a surplus is no fault. */
  { isShared }: { isShared: boolean },
): Promise<{ note: string; faults: string[] } | null> {
  let there: number;
  try {
    there = await cards.findBalance();
  } catch (error) {
    if (error instanceof CardProviderUnavailableError || error instanceof CardProviderRefusalError) return null;
    throw error;
  }
  const here = -(await findBalance(db, { account: { kind: "card_received" } }));
  const { unread } = await db
    .selectFrom("payment_fees")
    .select((row) => row.fn.countAll<number>().as("unread"))
    .where("next_read_at", "is not", null)
    .executeTakeFirstOrThrow();
  const waits = Number(unread) === 0 ? "" : ` The fees of ${unread} payments are not read yet.`;
  const both = `The card provider has ${formatPence(there)} of ours, and the books say ${formatPence(here)}.`;
  if (there === here) return { note: `${both}${waits}`, faults: [] };
  if (isShared) return { note: `${both} It also has test payments, which the books leave out.${waits}`, faults: [] };
  if (there > here) return { note: `${both}${waits}`, faults: [`${both} Something that it has taken is not booked.`] };
  return {
    note: `${both} ${formatPence(here - there)} should be what it has paid out to our bank.${waits}`,
    faults: [],
  };
}
