import type { Db } from "@farthing/db/client.ts";
import { sql, type RawBuilder } from "kysely";
import type { ReportRange } from "../telemetry/reader.ts";
import { moneyByDay } from "./money-sums.server.ts";

/** What the ledger booked in a month (T7), in pence; of the first and last month only the days of the range. docs/telemetry.md says what each is. */
export interface MoneyMonth {
  /** The first day of the month, as `2026-11-01`. */
  month: string;
  tracked: number;
  confirmed: number;
  declined: number;
  payable: number;
  bonuses: number;
  goodwill: number;
  cardCashback: number;
  /** How many payouts were asked for, and how much. */
  payouts: number;
  requested: number;
  /** Everything that left for members, also as gift cards. */
  paid: number;
  /** Payouts that were stopped, refused or sent back. */
  unpaid: number;
  commission: number;
  share: number;
}

/** Returns every month that the range touches, in order. A brand's figures are those of transfers that touch an account of one of its members. */
export async function readMoneyMonths(db: Db, { brandId, from, to }: ReportRange): Promise<MoneyMonth[]> {
  const { rows } = await sql<MoneyMonth>`
    with booked as (
      select date_trunc('month', day::timestamp)::date as month, transfer_kind, account_kind, sum(pence) as pence, sum(transfers) as transfers
      from ${moneyByDay} sums
      where day between ${from}::date and ${to}::date and ${brandId === null ? sql`true` : sql`brand_id = ${brandId}`} group by 1, 2, 3
    )
    select months.month::date as month,
      ${total(sql`transfer_kind = 'cashback_tracked' and account_kind like 'member\\_%'`)} as tracked,
      ${total(sql`transfer_kind in ('cashback_tracked', 'cashback_confirmed', 'cashback_reinstated') and account_kind in ('member_confirmed', 'member_payable')`)} as confirmed,
      -${total(sql`transfer_kind = 'cashback_declined' and account_kind like 'member\\_%'`)} as declined,
      ${total(sql`transfer_kind in ('cashback_tracked', 'cashback_payable') and account_kind = 'member_payable'`)} as payable,
      -${total(sql`account_kind = 'club_bonuses'`)} as bonuses,
      -${total(sql`account_kind = 'club_goodwill'`)} as goodwill,
      -${total(sql`account_kind = 'club_card_cashback'`)} as "cardCashback",
      coalesce(sum(transfers) filter (where transfer_kind = 'payout_requested' and account_kind = 'member_in_transit'), 0)::bigint as payouts,
      ${total(sql`transfer_kind = 'payout_requested' and account_kind = 'member_in_transit'`)} as requested,
      ${total(sql`transfer_kind <> 'payout_returned' and account_kind = 'member_paid'`)} as paid,
      -(${total(sql`transfer_kind = 'payout_failed' and account_kind = 'member_in_transit'`)}
        + ${total(sql`transfer_kind = 'payout_returned' and account_kind = 'member_paid'`)}) as unpaid,
      -${total(sql`account_kind = 'network_received'`)} as commission,
      ${total(sql`account_kind = 'club_earned'`)} as share
    from generate_series(date_trunc('month', ${from}::timestamp), ${to}::timestamp, '1 month') as months (month)
    left join booked on booked.month = months.month::date group by 1 order by 1`.execute(db);
  return rows;
}

const total = (which: RawBuilder<unknown>) => sql`coalesce(sum(pence) filter (where ${which}), 0)::bigint`;
