import type { Db } from "@farthing/db/client.ts";
import { keepPlan, unseenByPlanner } from "@farthing/db/kept-plans.ts";
import { sql } from "kysely";
import { findShownBalances } from "../ledger/balances.server.ts";
import type { ComingPurchase, MoneyView } from "./cashback-view.ts";
import type { Awaits } from "./expectation.ts";

/** Open purchases that the sums by month count, soonest first; the rest is "later". */
const MAX_COUNTED = 100;
const MAX_NEXT = 5;
const MAX_MONTHS = 12;

/**
 * Returns what the money page shows (C3). It reads a bounded number of rows, however long the history is. Balances are folded totals, and a
 * trigger keeps the months. What is coming is read from the purchases that are watched, at most `MAX_COUNTED` of them.
 */
export async function findMoney(db: Db, { memberId, now }: { memberId: string; now: Date }): Promise<MoneyView> {
  const [balances, coming, next, months] = await Promise.all([
    findShownBalances(db, { memberId }),
    sumComing(db, memberId, now),
    findNext(db, memberId, now),
    findMonths(db, memberId),
  ]);
  const dated = coming.reduce((sum, { pence }) => sum + pence, 0);
  const overdue = coming.find(({ month }) => month === null);
  return {
    balances: {
      trackedPence: balances.member_tracked,
      confirmedPence: balances.member_confirmed,
      payablePence: balances.member_payable,
      paidPence: balances.member_paid,
    },
    coming: coming.flatMap(({ month, ...sums }) => (month === null ? [] : [{ month, ...sums }])),
    laterPence: Math.max(0, balances.member_tracked + balances.member_confirmed - dated),
    next: next.filter(({ isOverdue }) => !isOverdue).map(({ isOverdue: _isOverdue, ...purchase }) => purchase),
    overdue: {
      purchases: overdue?.purchases ?? 0,
      pence: overdue?.pence ?? 0,
      first: next.find(({ isOverdue }) => isOverdue) ?? null,
    },
    months,
  };
}

/** Overdue by the day after its range, as `overdueFrom` has it. */
const overdueAt = sql`expected_to + interval '1 day'`;

interface ComingSum {
  /** The first moment of a month in London; null for what is overdue. */
  month: Date | null;
  purchases: number;
  toConfirm: number;
  pence: number;
}

async function sumComing(db: Db, memberId: string, now: Date): Promise<ComingSum[]> {
  const moment = unseenByPlanner(now, "timestamptz");
  const { rows } = await sql<ComingSum>`${keepPlan}
    select month, count(*)::int as purchases, (count(*) filter (where awaits = 'confirmation'))::int as "toConfirm",
      sum(cashback_pence)::bigint as pence from (
      select cashback_pence, awaits, case when ${overdueAt} > ${moment}
        then date_trunc('month', greatest(expected_to, ${moment}) at time zone 'Europe/London') at time zone 'Europe/London' end as month
      from cashback_watches where member_id = ${unseenByPlanner(memberId, "uuid")} and expected_to is not null
      order by expected_to, entry_id limit ${sql.lit(MAX_COUNTED)}) soonest
    group by month order by month`.execute(db);
  return rows;
}

/** The first overdue purchase and the next that are not, in one read from either side of the moment. */
async function findNext(db: Db, memberId: string, now: Date): Promise<(ComingPurchase & { isOverdue: boolean })[]> {
  const moment = unseenByPlanner(now, "timestamptz");
  const member = unseenByPlanner(memberId, "uuid");
  const { rows } = await sql<{
    id: string;
    slug: string;
    name: string;
    cashback_pence: number;
    awaits: Awaits;
    expected_from: Date;
    expected_to: Date;
    is_overdue: boolean;
  }>`${keepPlan}
    with near as materialized (
      (select *, true as is_overdue from cashback_watches
        where member_id = ${member} and expected_to <= ${moment} - interval '1 day' order by expected_to, entry_id limit 1)
      union all
      (select *, false as is_overdue from cashback_watches
        where member_id = ${member} and expected_to > ${moment} - interval '1 day' order by expected_to, entry_id limit ${sql.lit(MAX_NEXT)}))
    select near.entry_id as id, retailer.slug, retailer.name, near.cashback_pence, near.awaits, near.expected_from,
      near.expected_to, near.is_overdue
    from near
      cross join lateral (select retailer_id from cashback_entries where id = near.entry_id limit 1) entry
      cross join lateral (select slug, name from retailers where id = entry.retailer_id limit 1) retailer
    order by near.expected_to, near.entry_id`.execute(db);
  return rows.map((row) => ({
    id: row.id,
    retailer: { slug: row.slug, name: row.name },
    cashbackPence: row.cashback_pence,
    awaits: row.awaits,
    expected: { from: row.expected_from, to: row.expected_to },
    isOverdue: row.is_overdue,
  }));
}

async function findMonths(db: Db, memberId: string): Promise<MoneyView["months"]> {
  const { rows } = await sql<MoneyView["months"][number]>`${keepPlan}
    select month::timestamp at time zone 'Europe/London' as month, purchases,
      tracked_pence + confirmed_pence as "comingPence", payable_pence as "yoursPence", paid_pence as "paidPence",
      declined_pence as "declinedPence"
    from cashback_months where member_id = ${unseenByPlanner(memberId, "uuid")}
    order by cashback_months.month desc limit ${sql.lit(MAX_MONTHS)}`.execute(db);
  return rows;
}
