import type { Db } from "@farthing/db/client.ts";
import { keepPlan, unseenByPlanner } from "@farthing/db/kept-plans.ts";
import { sql } from "kysely";
import { findHistoryPage, type HistoryPage } from "./find-history.server.ts";
import type { HistoryPlace } from "./history-cursor.ts";

/** Purchases on a page of the list. */
export const PURCHASES_PER_PAGE = 25;
const MAX_RETAILERS = 10;

export interface PurchaseList extends HistoryPage {
  /** True where the page asked for does not exist; `items` are the newest ones then. */
  isPageUnknown: boolean;
  /** The retailers that the words found, at most ten; null where nothing was searched for. */
  retailers: string[] | null;
}

/**
 * Returns one page of a member's purchases, newest first; with `words`, those at retailers whose name holds them (C3). Reads the rows of the page
 * and one per retailer that the member has bought at, however long the history is.
 */
export async function findPurchases(
  db: Db,
  {
    memberId,
    now,
    place = null,
    words = "",
    limit = PURCHASES_PER_PAGE,
  }: { memberId: string; now: Date; place?: HistoryPlace; words?: string; limit?: number },
): Promise<PurchaseList> {
  const found = words.trim() === "" ? null : await findOwnRetailers(db, memberId, words);
  const retailers = found && found.map(({ name }) => name);
  const retailerIds = found && found.map(({ id }) => id);
  const asked = await findHistoryPage(db, { memberId, now, place, limit, retailerIds });
  const isPageUnknown = place !== null && asked.items.length === 0;
  const page = isPageUnknown ? await findHistoryPage(db, { memberId, now, place: null, limit, retailerIds }) : asked;
  return { ...page, isPageUnknown, retailers };
}

/** A retailer that was merged is found by its name and by that of the one that stays. Steps from one retailer of the member to the next by the index, instead of reading all purchases. */
async function findOwnRetailers(db: Db, memberId: string, words: string): Promise<{ id: string; name: string }[]> {
  const member = unseenByPlanner(memberId, "uuid");
  const { rows } = await sql<{ id: string; name: string }>`${keepPlan}
    with recursive own as (
      (select retailer_id from cashback_entries where member_id = ${member} order by retailer_id limit 1)
      union all
      select (select entry.retailer_id from cashback_entries entry
        where entry.member_id = ${member} and entry.retailer_id > own.retailer_id order by entry.retailer_id limit 1)
      from own where own.retailer_id is not null)
    select retailer.id, retailer.name
    from own cross join lateral (
      select shop.id, shop.name, (select place.name from retailers place where place.id = shop.merged_into_id) as name_now
      from retailers shop where shop.id = own.retailer_id limit 1) retailer
    where search_fold(${words}) <> ''
      and strpos(search_fold(concat_ws(' / ', retailer.name, retailer.name_now)), search_fold(${words})) > 0
    order by retailer.name, retailer.id limit ${sql.lit(MAX_RETAILERS)}`.execute(db);
  return rows;
}
