import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import type { PartnerMode } from "../partners/mode.ts";
import type { DrawnReport, ReportChart, ReportColumn } from "./report-table.ts";

/** What a partner's pages and server did on a day or in a month of London (W10). */
export interface PartnerUsage {
  /** The day, or the first day of the month, as `2026-11-25`. */
  period: string;
  /** Payments that were begun, and what became of them until now. */
  begun: number;
  taken: number;
  takenPence: number;
  refundedPence: number;
  /** Declined and not tried again, or cancelled. */
  failed: number;
  /** Events for the partner's webhooks. */
  deliveries: number;
  delivered: number;
  givenUp: number;
}

export interface UsageRange {
  partnerId: string;
  mode: PartnerMode;
  by: "day" | "month";
  /** Days in London, both included. */
  from: string;
  to: string;
}

/**
 * Returns a partner's usage of every day or month that the range touches, in order; of the first and the last month only the days of the range. Reads
 * the indexes payments_of_partner_by_day and partner_webhook_deliveries_by_day alone.
 */
export async function readPartnerUsage(db: Db, { partnerId, mode, by, from, to }: UsageRange): Promise<PartnerUsage[]> {
  const starts = sql`${from}::timestamp at time zone 'Europe/London'`;
  const ends = sql`(${to}::timestamp + interval '1 day') at time zone 'Europe/London'`;
  const period = sql`date_trunc(${sql.lit(by)}, created_at at time zone 'Europe/London')::date`;
  const { rows } = await sql<PartnerUsage>`
    with paid as (
      select ${period} as period, count(*) as begun,
        count(*) filter (where state in ('paid', 'partly_refunded', 'refunded')) as taken,
        sum(amount_pence) filter (where state in ('paid', 'partly_refunded', 'refunded')) as taken_pence,
        sum(refunded_pence) as refunded_pence, count(*) filter (where state in ('failed', 'cancelled')) as failed
      from payments where partner_id = ${partnerId} and mode = ${mode} and created_at >= ${starts} and created_at < ${ends} group by 1
    ), sent as (
      select ${period} as period, count(*) as deliveries, count(*) filter (where delivered_at is not null) as delivered,
        count(*) filter (where delivered_at is null and next_try_at is null) as given_up
      from partner_webhook_deliveries
      where webhook_id in (select id from partner_webhooks where partner_id = ${partnerId} and mode = ${mode})
        and created_at >= ${starts} and created_at < ${ends} group by 1
    )
    select period::date as period, coalesce(begun, 0)::int as begun, coalesce(taken, 0)::int as taken,
      coalesce(taken_pence, 0)::bigint as "takenPence", coalesce(refunded_pence, 0)::bigint as "refundedPence",
      coalesce(failed, 0)::int as failed, coalesce(deliveries, 0)::int as deliveries, coalesce(delivered, 0)::int as delivered,
      coalesce(given_up, 0)::int as "givenUp"
    from generate_series(date_trunc(${sql.lit(by)}, ${from}::timestamp), ${to}::timestamp, ${sql.lit(`1 ${by}`)}::interval) as periods (starts)
    cross join lateral (select starts::date as period) named left join paid using (period) left join sent using (period) order by 1`.execute(
    db,
  );
  return rows;
}

/** Returns a partner's usage as a table and charts. */
export function drawUsage(usage: readonly PartnerUsage[], by: UsageRange["by"]): DrawnReport {
  const column = (label: string, kind: ReportColumn["kind"]): ReportColumn => ({ label, kind });
  const lines = (title: string, unit: ReportChart["unit"], series: [string, keyof PartnerUsage][]): ReportChart => ({
    ...{ kind: "lines", title, unit, step: by, days: usage.map(({ period }) => period) },
    series: series.map(([name, key]) => ({ name, values: usage.map((each) => Number(each[key])) })),
  });
  return {
    columns: [
      column(by === "day" ? "Day" : "Month", by),
      ...["Payments begun", "Taken"].map((label) => column(label, "count")),
      ...["Amount taken", "Refunded"].map((label) => column(label, "money")),
      ...["Failed or cancelled", "Deliveries", "Delivered", "Given up"].map((label) => column(label, "count")),
    ],
    rows: usage.map((each) => [
      ...[each.period, each.begun, each.taken, each.takenPence, each.refundedPence, each.failed],
      ...[each.deliveries, each.delivered, each.givenUp],
    ]),
    charts: [
      lines("Payments", "count", [
        ["Begun", "begun"],
        ["Failed or cancelled", "failed"],
        ["Taken", "taken"],
      ]),
      lines("Amounts", "money", [
        ["Taken", "takenPence"],
        ["Refunded", "refundedPence"],
      ]),
      lines("Deliveries to webhooks", "count", [
        ["Delivered", "delivered"],
        ["Given up", "givenUp"],
      ]),
    ],
  };
}

/** Returns the sum of usage, without the period. */
export function totalUsage(usage: readonly PartnerUsage[]): Omit<PartnerUsage, "period"> {
  const sum = (key: Exclude<keyof PartnerUsage, "period">) => usage.reduce((total, each) => total + each[key], 0);
  return {
    ...{ begun: sum("begun"), taken: sum("taken"), takenPence: sum("takenPence"), failed: sum("failed") },
    ...{ refundedPence: sum("refundedPence"), deliveries: sum("deliveries"), delivered: sum("delivered") },
    givenUp: sum("givenUp"),
  };
}
