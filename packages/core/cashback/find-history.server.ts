import type { Db } from "@farthing/db/client.ts";
import { keepPlan, unseenByPlanner } from "@farthing/db/kept-plans.ts";
import type { CashbackEntries } from "@farthing/db/schema.ts";
import { type Selectable, sql } from "kysely";
import type { RateSnapshot } from "../clicks/rate-snapshot.ts";
import { findAmountChanges } from "./amount-changes.server.ts";
import type { AmountChange, CashbackItem, CashbackState } from "./cashback-view.ts";
import { cursorOf, type HistoryPlace } from "./history-cursor.ts";
import { explainEntry, timelineSteps } from "./timeline.ts";

export interface HistoryPage {
  /** Newest first. */
  items: CashbackItem[];
  /** Cursors of the pages beside this one; null where there is none. */
  newer: string | null;
  older: string | null;
}

type EntryColumn =
  | "id"
  | "state"
  | "entry_kind"
  | "sale_pence"
  | "cashback_pence"
  | "reason_code"
  | "confirm_expected_from"
  | "confirm_expected_to"
  | "purchased_at"
  | "tracked_at"
  | "confirmed_at"
  | "payable_at"
  | "paid_at"
  | "declined_at";

interface HistoryRow extends Pick<Selectable<CashbackEntries>, EntryColumn> {
  click_number: string;
  clicked_at: Date;
  offer_title: RateSnapshot["offerTitle"];
  confirms_after: RateSnapshot["tracking"]["confirmsAfter"];
  slug: string;
  name: string;
}

/**
 * Returns one page of a member's purchases and corrections, by the time of the purchase. It reads the rows of this page
 * alone, however long the history is. Without items: there is no such page, or `place` is not an entry of this member.
 */
export async function findHistoryPage(
  db: Db,
  { memberId, now, place, limit }: { memberId: string; now: Date; place: HistoryPlace; limit: number },
): Promise<HistoryPage> {
  const isTowardsNewer = place !== null && "newerThan" in place;
  const read = await readEntries(db, { memberId, place, limit: limit + 1 });
  const hasMore = read.length > limit;
  const rows = isTowardsNewer ? read.slice(0, limit).toReversed() : read.slice(0, limit);
  const amountChanges = await findAmountChanges(
    db,
    rows.map(({ id }) => id),
  );
  const [first, last] = [rows.at(0), rows.at(-1)];
  return {
    items: rows.map((row) => toItem(row, amountChanges.get(row.id) ?? [], now)),
    newer: first && (isTowardsNewer ? hasMore : place !== null) ? cursorOf(first.id) : null,
    older: last && (isTowardsNewer || hasMore) ? cursorOf(last.id) : null,
  };
}

async function readEntries(
  db: Db,
  { memberId, place, limit }: { memberId: string; place: HistoryPlace; limit: number },
): Promise<HistoryRow[]> {
  const order = place !== null && "newerThan" in place ? sql`` : sql`desc`;
  const { rows } = await sql<HistoryRow>`${keepPlan}
    with page as materialized (
      select * from cashback_entries entry
      where entry.member_id = ${unseenByPlanner(memberId, "uuid")} and ${isBeyond(place, memberId)}
        -- a correction of the club's share alone is not shown to the member
        and (entry.entry_kind = 'purchase' or entry.cashback_pence <> 0)
      order by entry.purchased_at ${order}, entry.id ${order} limit ${sql.lit(limit)})
    -- Clicks and retailers are looked up by key for each row: a join may read them all.
    select page.id, page.state, page.entry_kind, page.sale_pence, page.cashback_pence, page.reason_code,
      page.confirm_expected_from, page.confirm_expected_to, page.purchased_at, page.tracked_at, page.confirmed_at,
      page.payable_at, page.paid_at, page.declined_at, click.click_number, click.created_at as clicked_at,
      click.rate_snapshot ->> 'offerTitle' as offer_title,
      click.rate_snapshot #>> '{tracking,confirmsAfter}' as confirms_after, retailer.slug, retailer.name
    from page
      cross join lateral (select * from clicks where id = page.click_id limit 1) click
      cross join lateral (select slug, name from retailers where id = page.retailer_id limit 1) retailer
    order by page.purchased_at ${order}, page.id ${order}`.execute(db);
  return rows;
}

/** The place is looked up within the member's own entries: another member's entry leads nowhere, like one that does not exist. */
function isBeyond(place: HistoryPlace, memberId: string) {
  if (place === null) return sql`true`;
  const entryOf = (id: string) =>
    sql`(select place.purchased_at, place.id from cashback_entries place where place.id = ${id} and place.member_id = ${memberId})`;
  return "newerThan" in place
    ? sql`(entry.purchased_at, entry.id) > ${entryOf(place.newerThan)}`
    : sql`(entry.purchased_at, entry.id) < ${entryOf(place.olderThan)}`;
}

function toItem(row: HistoryRow, amountChanges: readonly AmountChange[], now: Date): CashbackItem {
  const state = row.state as CashbackState;
  const isCorrection = row.entry_kind === "correction";
  const confirmExpected =
    row.confirm_expected_from && row.confirm_expected_to
      ? { from: row.confirm_expected_from, to: row.confirm_expected_to }
      : null;
  return {
    id: row.id,
    clickNumber: row.click_number,
    retailer: { slug: row.slug, name: row.name },
    offerTitle: row.offer_title,
    state,
    purchasePence: row.sale_pence,
    cashbackPence: row.cashback_pence,
    reason: explainEntry({
      state,
      isCorrection,
      isOverdue: confirmExpected !== null && confirmExpected.to < now,
      reasonCode: row.reason_code,
      confirmsAfter: row.confirms_after,
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
      amountChanges,
    }),
  };
}
