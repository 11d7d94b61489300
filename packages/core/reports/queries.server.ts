import type { Db } from "@farthing/db/client.ts";
import { sql, type RawBuilder } from "kysely";
import type { ReportRange, TelemetryReader } from "../telemetry/reader.ts";
import { MAX_COMPARED, ownSums, readMostClicked } from "./most-clicked.server.ts";
import type { BrandFigures, Funnel, FunnelCounts, MemberGrowth, OfferConversion, SearchedTerm } from "./report-view.ts";
import { addCounts, noCounts } from "./rules.ts";

/** Where reports read: the club's own records, and telemetry from wherever it is. */
export interface ReportSources {
  db: Db;
  telemetry: TelemetryReader;
}

interface DayRow extends Omit<FunnelCounts, "views" | "redemptions"> {
  brandId: string;
  day: string;
}

/** Returns the way from an offer's page to confirmed cashback (T7): for a brand or all, in total and by brand and day. */
export async function readFunnel({ db, telemetry }: ReportSources, range: ReportRange): Promise<Funnel> {
  const [slugs, events, own, ofRetailers] = await Promise.all([
    brandSlugs(db),
    telemetry.countByDay(range),
    readOwnDays(db, range),
    readRetailerClicks(db, range),
  ]);
  const days = new Map<string, Funnel["days"][number]>();
  const at = (brandId: string, day: string) => {
    const key = `${brandId}/${day}`;
    const known = days.get(key) ?? { brand: slugs.get(brandId) ?? brandId, day, ...noCounts };
    days.set(key, known);
    return known;
  };
  for (const { brandId, day, eventType, events: count } of events) {
    if (eventType === "OfferPage") at(brandId, day).views += count;
    if (eventType === "OfferRedeemed") at(brandId, day).redemptions += count;
  }
  for (const { brandId, day, ...counts } of own) Object.assign(at(brandId, day), counts);
  const listed = [...days.values()].toSorted(
    (one, other) => compare(one.day, other.day) || compare(one.brand, other.brand),
  );
  return { total: listed.reduce<FunnelCounts>(addCounts, noCounts), ofRetailers, days: listed };
}

/** Returns what was searched for most, with how much it finds. */
export async function readTopSearches(
  { db, telemetry }: ReportSources,
  range: ReportRange,
  { max }: { max: number },
): Promise<SearchedTerm[]> {
  const counted = await telemetry.countByTerm(range, { max });
  return withResults(db, counted);
}

/** Returns searches that find nothing, the most searched first (T7): what members miss. */
export async function readSearchesWithoutResult(
  { db, telemetry }: ReportSources,
  range: ReportRange,
  { max }: { max: number },
): Promise<SearchedTerm[]> {
  const { rows } = await sql<{ term: string }>`
    select distinct term from telemetry_search_results where results = 0 and ${ofBrand(range)}`.execute(db);
  if (rows.length === 0) return [];
  const counted = await telemetry.countByTerm(range, { max: max * 2, terms: rows.map(({ term }) => term) });
  // A term may find nothing at one brand and something at another.
  return (await withResults(db, counted)).filter(({ results }) => results === 0).slice(0, max);
}

async function withResults(
  db: Db,
  counted: readonly { brandId: string; term: string; searches: number }[],
): Promise<SearchedTerm[]> {
  const slugs = await brandSlugs(db);
  const { rows } = await sql<{ brand_id: string; term: string; results: number; checked_at: Date }>`
    select known.* from telemetry_search_results known
    join unnest(${counted.map(({ brandId }) => brandId)}::uuid[], ${counted.map(({ term }) => term)}::text[]) as asked (brand_id, term)
      using (brand_id, term)`.execute(db);
  const known = new Map(rows.map((row) => [`${row.brand_id}/${row.term}`, row]));
  return counted.map(({ brandId, term, searches }) => {
    const found = known.get(`${brandId}/${term}`);
    return {
      ...{ brand: slugs.get(brandId) ?? brandId, term, searches },
      ...{ results: found?.results ?? null, checkedAt: found?.checked_at ?? null },
    };
  });
}

/**
 * Returns offers by their conversion (T7): the share of their clicks that a purchase was tracked for, the highest first. `minClicks` leaves out those
 * with too few clicks to say anything.
 */
export async function readOfferConversions(
  { db, telemetry }: ReportSources,
  range: ReportRange,
  { max, minClicks }: { max: number; minClicks: number },
): Promise<OfferConversion[]> {
  const rows = await readMostClicked(db, range, { minClicks });
  if (rows.length === 0) return [];
  const viewed = await telemetry.countByOffer(range, {
    max: MAX_COMPARED * 10,
    offers: [...new Set(rows.map(({ offer }) => offer))],
  });
  const views = new Map(viewed.map((one) => [`${one.brandId}/${one.offer}`, one]));
  const share = ({ tracked, clicks }: FunnelCounts) => (clicks === 0 ? 0 : tracked / clicks);
  return rows
    .map(({ brandId, ...row }) => {
      const seen = views.get(`${brandId}/${row.offer}`);
      return { ...row, views: seen?.views ?? 0, redemptions: seen?.redemptions ?? 0 };
    })
    .toSorted((one, other) => share(other) - share(one) || other.clicks - one.clicks || compare(one.offer, other.offer))
    .slice(0, max);
}

/** Returns the brands side by side (T7), by name. */
export async function readBrands(sources: ReportSources, range: ReportRange): Promise<BrandFigures[]> {
  const { db, telemetry } = sources;
  const [slugs, funnel, events, growth] = await Promise.all([
    brandSlugs(db),
    readFunnel(sources, range),
    telemetry.countByDay(range),
    readMemberGrowth(db, range),
  ]);
  const wanted = [...slugs].filter(([id]) => range.brandId === null || id === range.brandId);
  return wanted
    .map(([id, brand]) => {
      const days = growth.filter((day) => day.brand === brand);
      const counts = funnel.days.filter((day) => day.brand === brand).reduce<FunnelCounts>(addCounts, noCounts);
      const searches = events.filter((one) => one.brandId === id && one.eventType === "SearchPage");
      return {
        ...{ brand, ...counts },
        searches: sum(searches.map((one) => one.events)),
        joined: sum(days.map(({ joined }) => joined)),
        left: sum(days.map(({ left }) => left)),
        members: days.at(-1)?.members ?? 0,
      };
    })
    .toSorted((one, other) => compare(one.brand, other.brand));
}

/** Returns how many members joined and left on each day of the range, and how many there are at its end (T7), by brand and day. */
export async function readMemberGrowth(db: Db, range: ReportRange): Promise<MemberGrowth[]> {
  const { rows } = await sql<MemberGrowth>`
    with moved as (
      select brand_id, (created_at at time zone 'Europe/London')::date as day, 1 as joined, 0 as left_club from members where ${ofBrand(range)}
      union all
      select brand_id, (closed_at at time zone 'Europe/London')::date, 0, 1 from members where closed_at is not null and ${ofBrand(range)}
    ), counted as (
      select brand_id, greatest(day, ${range.from}::date - 1) as day, sum(joined) as joined, sum(left_club) as left_club
      from moved where day <= ${range.to}::date group by 1, 2
    )
    select brands.slug as brand, days.day::date as day, coalesce(joined, 0)::float8 as joined, coalesce(left_club, 0)::float8 as "left",
      sum(coalesce(joined, 0) - coalesce(left_club, 0)) over (partition by brands.id order by days.day)::float8 as members
    from brands cross join generate_series(${range.from}::timestamp - interval '1 day', ${range.to}::timestamp, '1 day') as days (day)
    left join counted on counted.brand_id = brands.id and counted.day = days.day
    where ${range.brandId === null ? sql`true` : sql`brands.id = ${range.brandId}`} order by 1, 2`.execute(db);
  // The day before the range holds everything before it.
  return rows.filter(({ day }) => day >= range.from);
}

/** Returns the id of the brand with this name in addresses; null if there is none. */
export async function findReportBrand(db: Db, { slug }: { slug: string }): Promise<string | null> {
  const brand = await db.selectFrom("brands").select("id").where("slug", "=", slug).executeTakeFirst();
  return brand?.id ?? null;
}

/** Returns until when reveals, clicks and cashback are in the sums; null: they were never summed. */
export async function findSummedUntil(db: Db): Promise<Date | null> {
  const mark = await db.selectFrom("report_watermark").select("summed_until").executeTakeFirst();
  return mark?.summed_until ?? null;
}

async function readOwnDays(db: Db, range: ReportRange): Promise<DayRow[]> {
  const { rows } = await sql<DayRow>`
    select brand_id as "brandId", day, ${ownSums} from report_offer_days sums
    where day between ${range.from}::date and ${range.to}::date and ${ofBrand(range)} group by 1, 2`.execute(db);
  return rows;
}

async function readRetailerClicks(db: Db, range: ReportRange): Promise<Funnel["ofRetailers"]> {
  const { rows } = await sql<Funnel["ofRetailers"]>`
    select coalesce(sum(clicks), 0)::float8 as clicks, coalesce(sum(tracked), 0)::float8 as tracked, coalesce(sum(confirmed), 0)::float8 as confirmed
    from report_offer_days where offer_id is null and day between ${range.from}::date and ${range.to}::date and ${ofBrand(range)}`.execute(
    db,
  );
  return rows[0] ?? { clicks: 0, tracked: 0, confirmed: 0 };
}

async function brandSlugs(db: Db): Promise<Map<string, string>> {
  const rows = await db.selectFrom("brands").select(["id", "slug"]).execute();
  return new Map(rows.map(({ id, slug }) => [id, slug]));
}

function ofBrand({ brandId }: ReportRange): RawBuilder<unknown> {
  return brandId === null ? sql`true` : sql`brand_id = ${brandId}`;
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
