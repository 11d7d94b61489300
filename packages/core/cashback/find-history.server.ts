import type { Db } from "@farthing/db/client.ts";
import { keepPlan, unseenByPlanner } from "@farthing/db/kept-plans.ts";
import type { CashbackEntries } from "@farthing/db/schema.ts";
import { type RawBuilder, type Selectable, sql } from "kysely";
import type { RateSnapshot } from "../clicks/rate-snapshot.ts";
import { findAmountChanges } from "./amount-changes.server.ts";
import type { AmountChange, CashbackItem, CashbackState, PurchaseView } from "./cashback-view.ts";
import { EXPECTATION_WORDS, overdueFrom, type Awaits } from "./expectation.ts";
import { findToldExpectations } from "./expectations.server.ts";
import { cursorOf, type HistoryPlace } from "./history-cursor.ts";
import { decisionOf, explainEntry, timelineSteps } from "./timeline.ts";

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
  awaits: Awaits | null;
  expected_from: Date | null;
  expected_to: Date | null;
  overdue_since: Date | null;
}

/**
 * Returns one page of a member's purchases and corrections, by the time of the purchase. It reads the rows of this page
 * alone, however long the history is. Without items: there is no such page, or `place` is not an entry of this member.
 */
export async function findHistoryPage(
  db: Db,
  {
    memberId,
    now,
    place,
    limit,
    retailerIds = null,
  }: { memberId: string; now: Date; place: HistoryPlace; limit: number; retailerIds?: readonly string[] | null },
): Promise<HistoryPage> {
  const isTowardsNewer = place !== null && "newerThan" in place;
  const read = await readEntries(db, { memberId, place, limit: limit + 1, retailerIds });
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

/** `retailerIds` narrows it to the purchases at a few retailers: each is read by its own index, as far as the page needs. */
async function readEntries(
  db: Db,
  {
    memberId,
    place,
    limit,
    retailerIds,
  }: { memberId: string; place: HistoryPlace; limit: number; retailerIds: readonly string[] | null },
): Promise<HistoryRow[]> {
  const order = place !== null && "newerThan" in place ? sql`` : sql`desc`;
  const member = unseenByPlanner(memberId, "uuid");
  const newest = (where: RawBuilder<unknown>) => sql`
    select * from cashback_entries entry
    where entry.member_id = ${member} and ${where} and ${isBeyond(place, memberId)}
      -- a correction of the club's share alone is not shown to the member
      and (entry.entry_kind = 'purchase' or entry.cashback_pence <> 0)
    order by entry.purchased_at ${order}, entry.id ${order} limit ${sql.lit(limit)}`;
  const page =
    retailerIds === null
      ? newest(sql`true`)
      : sql`select entry.* from unnest(${retailerIds}::uuid[]) shop (id)
          cross join lateral (${newest(sql`entry.retailer_id = shop.id`)}) entry
          order by entry.purchased_at ${order}, entry.id ${order} limit ${sql.lit(limit)}`;
  const { rows } = await sql<HistoryRow>`${keepPlan}
    with page as materialized (${page}) ${historyColumns}
    order by page.purchased_at ${order}, page.id ${order}`.execute(db);
  return rows;
}

/** Clicks, retailers and watches are looked up by key for each row of `page`: a join may read them all. */
const historyColumns = sql`
  select page.id, page.state, page.entry_kind, page.sale_pence, page.cashback_pence, page.reason_code,
    page.confirm_expected_from, page.confirm_expected_to, page.purchased_at, page.tracked_at, page.confirmed_at,
    page.payable_at, page.paid_at, page.declined_at, page.network_transaction_id,
    click.click_number, click.created_at as clicked_at,
    click.rate_snapshot ->> 'offerTitle' as offer_title,
    click.rate_snapshot #>> '{tracking,confirmsAfter}' as confirms_after, retailer.slug, retailer.name,
    watch.awaits, watch.expected_from, watch.expected_to, watch.overdue_since
  from page
    cross join lateral (select * from clicks where id = page.click_id limit 1) click
    cross join lateral (select slug, name from retailers where id = page.retailer_id limit 1) retailer
    left join lateral (
      select awaits, expected_from, expected_to, overdue_since from cashback_watches where entry_id = page.id limit 1) watch on true`;

/** Returns one purchase or correction of a member with everything that is known of it; null where it is not theirs (C3). */
export async function findPurchase(
  db: Db,
  { memberId, entryId, now }: { memberId: string; entryId: string; now: Date },
): Promise<PurchaseView | null> {
  const { rows } = await sql<HistoryRow & { network_transaction_id: string }>`${keepPlan}
    with page as materialized (select * from cashback_entries where id = ${entryId} and member_id = ${memberId}
      and (entry_kind = 'purchase' or cashback_pence <> 0)) ${historyColumns}`.execute(db);
  const row = rows[0];
  if (!row) return null;
  const [changes, told, related] = await Promise.all([
    findAmountChanges(db, [row.id]),
    findToldExpectations(db, { entryId: row.id }),
    db
      .selectFrom("cashback_entries")
      .select(["id", "entry_kind", "cashback_pence", "created_at"])
      .where("network_transaction_id", "=", row.network_transaction_id)
      .where("member_id", "=", memberId)
      .where("id", "<>", row.id)
      .where((where) => where.or([where("entry_kind", "=", "purchase"), where("cashback_pence", "<>", 0)]))
      .orderBy("created_at")
      .limit(MAX_RELATED)
      .execute(),
  ]);
  return {
    ...toItem(row, changes.get(row.id) ?? [], now),
    isCorrection: row.entry_kind === "correction",
    told: told.map(({ awaits, range, reason, toldAt }) => ({
      awaits,
      range,
      because: EXPECTATION_WORDS[reason],
      toldAt,
    })),
    related: related.map((one) => ({
      id: one.id,
      isCorrection: one.entry_kind === "correction",
      cashbackPence: one.cashback_pence,
      at: one.created_at,
    })),
  };
}

const MAX_RELATED = 20;

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
  const watched = rangeOf(row.expected_from, row.expected_to);
  const confirmExpected =
    row.awaits === "confirmation" ? watched : rangeOf(row.confirm_expected_from, row.confirm_expected_to);
  const isOpen = state === "tracked" || state === "confirmed";
  const due = overdueFrom({ range: row.awaits === null ? (state === "tracked" ? confirmExpected : null) : watched });
  // The job marks it within a minute; the page does not wait for the job.
  const isOverdue = isOpen && (row.overdue_since !== null || (due !== null && due <= now));
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
      isOverdue,
      reasonCode: row.reason_code,
      confirmsAfter: row.confirms_after,
    }),
    decision: decisionOf({ state, isCorrection, reasonCode: row.reason_code }),
    isOverdue,
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
      payableExpected: row.awaits === "payment" ? watched : null,
      amountChanges,
    }),
  };
}

function rangeOf(from: Date | null, to: Date | null): { from: Date; to: Date } | null {
  return from && to ? { from, to } : null;
}
