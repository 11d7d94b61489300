import type { Db } from "@farthing/db/client.ts";
import { keepPlan, unseenByPlanner } from "@farthing/db/kept-plans.ts";
import { sql } from "kysely";
import type { OpenClick } from "./cashback-view.ts";

const DAY_MS = 86_400_000;
/** How long an untracked click is shown after its promised date. */
const SHOWN_AFTER_DAYS = 60;
const MAX_SHOWN = 20;
/** How many of the latest clicks are looked at: the page must not read more for a member who clicks all day. */
const MAX_CLICKS_READ = 50;

/**
 * Returns the latest click per retailer that may still earn cashback: it promised more than nothing, and neither it nor a later
 * click there led to a purchase. Looks at the member's latest `MAX_CLICKS_READ` clicks.
 */
export async function findOpenClicks(db: Db, { memberId, now }: { memberId: string; now: Date }): Promise<OpenClick[]> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
  // A click's purchase and a retailer are looked up by key for each of the few rows: a join may read them all.
  const { rows } = await sql<{
    click_number: string;
    slug: string;
    name: string;
    created_at: Date;
    tracks_max: number;
  }>`${keepPlan}
    with recent as materialized (
      select click.click_number, click.retailer_id, click.created_at,
        jsonb_path_exists(click.rate_snapshot, '$.rates[*] ? (@.rateBp > 0 || @.ratePence > 0)') as promises_cashback,
        (click.rate_snapshot #>> '{tracking,tracksWithinDays,max}')::int as tracks_max,
        (select true from cashback_entries entry where entry.click_id = click.id limit 1) as is_used
      from clicks click
      where click.member_id = ${unseenByPlanner(memberId, "uuid")}
        and click.created_at > ${unseenByPlanner(daysAgo(2 * SHOWN_AFTER_DAYS), "timestamptz")}
      order by click.created_at desc limit ${sql.lit(MAX_CLICKS_READ)}),
    latest as (
      select distinct on (retailer_id) * from recent where promises_cashback order by retailer_id, created_at desc)
    select latest.click_number, retailer.slug, retailer.name, latest.created_at, latest.tracks_max
    from latest cross join lateral (select slug, name from retailers where id = latest.retailer_id limit 1) retailer
    where not exists (
        select from recent later
        where later.retailer_id = latest.retailer_id and later.created_at >= latest.created_at and later.is_used)
      and latest.created_at + latest.tracks_max * interval '1 day' > ${daysAgo(SHOWN_AFTER_DAYS)}
    order by latest.created_at desc limit ${sql.lit(MAX_SHOWN)}`.execute(db);
  return rows.map((row) => ({
    clickNumber: row.click_number,
    retailer: { slug: row.slug, name: row.name },
    clickedAt: row.created_at,
    tracksBy: new Date(row.created_at.getTime() + row.tracks_max * DAY_MS),
  }));
}
