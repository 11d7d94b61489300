import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { rateSnapshotSchema } from "../clicks/rate-snapshot.ts";
import { findMemberBalances } from "../ledger/balances.server.ts";
import { findAmountChanges } from "./amount-changes.server.ts";
import type { CashbackItem, CashbackState, CashbackTimeline, OpenClick } from "./cashback-view.ts";
import { explainEntry, timelineSteps } from "./timeline.ts";

const DAY_MS = 86_400_000;
/** How long an untracked click is shown after its promised date. */
const SHOWN_AFTER_DAYS = 60;

/** Returns a member's balances from the ledger, their purchases, newest first, and clicks without a purchase so far. */
export async function findCashbackTimeline(
  db: Db,
  { memberId, now, limit = 100 }: { memberId: string; now: Date; limit?: number },
): Promise<CashbackTimeline> {
  const [balances, items, openClicks] = await Promise.all([
    findMemberBalances(db, { memberId }),
    findItems(db, memberId, now, limit),
    findOpenClicks(db, memberId, now),
  ]);
  return {
    balances: {
      trackedPence: balances.member_tracked,
      confirmedPence: balances.member_confirmed,
      payablePence: balances.member_payable,
      paidPence: balances.member_paid,
    },
    items,
    openClicks,
  };
}

async function findItems(db: Db, memberId: string, now: Date, limit: number): Promise<CashbackItem[]> {
  const rows = await db
    .selectFrom("cashback_entries as entry")
    .innerJoin("clicks as click", "click.id", "entry.click_id")
    .innerJoin("retailers as retailer", "retailer.id", "entry.retailer_id")
    .select([
      "click.click_number",
      "click.created_at as clicked_at",
      "click.rate_snapshot",
      "retailer.slug",
      "retailer.name",
    ])
    .selectAll("entry")
    .where("entry.member_id", "=", memberId)
    // a correction of the club's share alone is not shown to the member
    .where((where) => where.or([where("entry.entry_kind", "=", "purchase"), where("entry.cashback_pence", "<>", 0)]))
    .orderBy("entry.purchased_at", "desc")
    .orderBy("entry.created_at", "desc")
    .orderBy("entry.id", "desc")
    .limit(limit)
    .execute();
  const amountChanges = await findAmountChanges(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => {
    const state = row.state as CashbackState;
    const isCorrection = row.entry_kind === "correction";
    const { offerTitle, tracking } = rateSnapshotSchema.parse(row.rate_snapshot);
    const confirmExpected =
      row.confirm_expected_from && row.confirm_expected_to
        ? { from: row.confirm_expected_from, to: row.confirm_expected_to }
        : null;
    return {
      id: row.id,
      clickNumber: row.click_number,
      retailer: { slug: row.slug, name: row.name },
      offerTitle,
      state,
      purchasePence: row.sale_pence,
      cashbackPence: row.cashback_pence,
      reason: explainEntry({
        state,
        isCorrection,
        isOverdue: confirmExpected !== null && confirmExpected.to < now,
        reasonCode: row.reason_code,
        confirmsAfter: tracking.confirmsAfter,
      }),
      purchasedAt: row.purchased_at,
      steps: timelineSteps({
        state,
        isCorrection,
        clickedAt: row.clicked_at,
        trackedAt: row.tracked_at,
        confirmedAt: row.confirmed_at,
        payableAt: row.payable_at,
        paidAt: row.paid_at,
        declinedAt: row.declined_at,
        confirmExpected,
        amountChanges: amountChanges.get(row.id) ?? [],
      }),
    };
  });
}

/** Returns the latest click per retailer that may still earn cashback: it promised a rate, and neither it nor a later click there led to a purchase. */
async function findOpenClicks(db: Db, memberId: string, now: Date): Promise<OpenClick[]> {
  const { rows } = await sql<{
    click_number: string;
    slug: string;
    name: string;
    created_at: Date;
    tracks_max: number;
  }>`
    select click.click_number, retailer.slug, retailer.name, click.created_at, (click.rate_snapshot #>> '{tracking,tracksWithinDays,max}')::int as tracks_max
    from (
      select distinct on (retailer_id) * from clicks
      where member_id = ${memberId} and created_at > ${new Date(now.getTime() - 2 * SHOWN_AFTER_DAYS * DAY_MS)} and jsonb_array_length(rate_snapshot -> 'rates') > 0
      order by retailer_id, created_at desc
    ) click
    join retailers retailer on retailer.id = click.retailer_id
    where not exists (
        select from cashback_entries entry join clicks used on used.id = entry.click_id
        where entry.member_id = ${memberId} and entry.retailer_id = click.retailer_id and used.created_at >= click.created_at)
      and click.created_at + (click.rate_snapshot #>> '{tracking,tracksWithinDays,max}')::int * interval '1 day' > ${new Date(now.getTime() - SHOWN_AFTER_DAYS * DAY_MS)}
    order by click.created_at desc limit 20`.execute(db);
  return rows.map((row) => ({
    clickNumber: row.click_number,
    retailer: { slug: row.slug, name: row.name },
    clickedAt: row.created_at,
    tracksBy: new Date(row.created_at.getTime() + row.tracks_max * DAY_MS),
  }));
}
