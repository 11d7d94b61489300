import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import type { ListQuery } from "../lists/find-list-page.server.ts";
import type { RateMicros } from "../money/money.ts";

export type CurrencySort = "currency" | "since" | "waiting";

/** A foreign currency that has a rate, or that a sale waits in. */
export interface ListedCurrency {
  currency: string;
  /** The rate that holds now, and since when; null: none. */
  rateMicros: RateMicros | null;
  since: Date | null;
  /** The first rate that begins later. */
  nextMicros: RateMicros | null;
  nextFrom: Date | null;
  /** Sales that wait for a rate, and when the first one of them was bought. */
  waiting: number;
  firstBoughtAt: Date | null;
}

/** Sales that wait for a rate: few, and found by an index. */
const waitingSales = sql`(select currency, count(*)::int as count, min(purchased_at) as first_bought
  from network_transactions where held_because = 'no_exchange_rate' group by currency)`;

/** Returns how foreign currencies are listed, with the rate that holds at a moment. */
export function currencyList({ now }: { now: Date }): ListQuery<CurrencySort> {
  return {
    from: sql`(select currency from exchange_rates union select currency from ${waitingSales} sales) known
      left join ${waitingSales} waiting using (currency)
      left join lateral (select rate_micros, valid_from from exchange_rates rate
        where rate.currency = known.currency and valid_from <= ${now} order by valid_from desc limit 1) holds on true
      left join lateral (select rate_micros, valid_from from exchange_rates rate
        where rate.currency = known.currency and valid_from > ${now} order by valid_from limit 1) next on true`,
    select: sql`known.currency, holds.rate_micros as "rateMicros", holds.valid_from as since, next.rate_micros as "nextMicros",
      next.valid_from as "nextFrom", coalesce(waiting.count, 0) as waiting, waiting.first_bought as "firstBoughtAt"`,
    where: [],
    sorts: {
      currency: { by: sql`known.currency`, type: "text" },
      since: { by: sql`coalesce(holds.valid_from, timestamptz '-infinity')`, type: "timestamptz" },
      waiting: { by: sql`coalesce(waiting.count, 0)`, type: "bigint" },
    },
    id: { by: sql`known.currency`, type: "text" },
  };
}

export interface KnownRate {
  id: string;
  rateMicros: RateMicros;
  validFrom: Date;
}

/** A currency's rates and the sales that wait for one, beside a rate that may be added. */
export interface CurrencyRates {
  /** Newest first, at most `max`. */
  rates: KnownRate[];
  /** Changes with each rate of the currency. */
  version: string;
  /** The rate from the same moment, which the new one corrects. */
  same: KnownRate | null;
  /** What the new one is compared with: the last rate before it, or else the first one after it. */
  beside: KnownRate | null;
  /** Sales that wait; those of them that the new rate can credit, bought when it holds; and those bought before it, when no other rate holds. */
  waiting: number;
  credited: number;
  left: number;
  firstBoughtAt: Date | null;
}

/** Returns what is known of a currency beside a rate from `validFrom` on. */
export async function findCurrencyRates(
  db: Db | Trx,
  { currency, validFrom, max = 50 }: { currency: string; validFrom: Date; max?: number },
): Promise<CurrencyRates> {
  const all = await db
    .selectFrom("exchange_rates")
    .select(["id", "rate_micros as rateMicros", "valid_from as validFrom"])
    .where("currency", "=", currency)
    .orderBy("valid_from", "desc")
    .execute();
  const at = validFrom.getTime();
  const next = all.findLast((rate) => rate.validFrom.getTime() > at)?.validFrom ?? null;
  const { rows } = await sql<Pick<CurrencyRates, "waiting" | "credited" | "left" | "firstBoughtAt">>`
    select count(*)::int as waiting, min(purchased_at) as "firstBoughtAt",
      (count(*) filter (where purchased_at >= ${validFrom} and purchased_at < coalesce(${next}::timestamptz, 'infinity')))::int as credited,
      (count(*) filter (where purchased_at < ${validFrom} and not exists (select from exchange_rates rate
        where rate.currency = sale.currency and rate.valid_from <= sale.purchased_at)))::int as left
    from network_transactions sale where held_because = 'no_exchange_rate' and currency = ${currency}`.execute(db);
  return {
    rates: all.slice(0, max),
    version: await versionOf(db, currency),
    same: all.find((rate) => rate.validFrom.getTime() === at) ?? null,
    beside:
      all.find((rate) => rate.validFrom.getTime() < at) ??
      all.findLast((rate) => rate.validFrom.getTime() > at) ??
      null,
    ...(rows[0] ?? { waiting: 0, credited: 0, left: 0, firstBoughtAt: null }),
  };
}

async function versionOf(db: Db | Trx, currency: string): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    select coalesce(md5(string_agg(id || ' ' || rate_micros, ',' order by valid_from)), 'none') as version
    from exchange_rates where currency = ${currency}`.execute(db);
  return rows[0]?.version ?? "none";
}

export type AddedRate =
  | { outcome: "added" | "corrected" | "unchanged"; id: string }
  /** Somebody else has set a rate of the currency since `version`. */
  | { outcome: "stale" };

/**
 * Adds an operator's exchange rate of a currency from a moment on, or corrects the one from that moment (C4). Purchases that were converted already keep
 * their rate; held sales are credited by creditHeldTransactions.
 * @param version of findCurrencyRates: what the operator was shown
 */
export async function addExchangeRate(
  db: Db,
  {
    currency,
    rateMicros,
    validFrom,
    version,
  }: { currency: string; rateMicros: RateMicros; validFrom: Date; version: string },
): Promise<AddedRate> {
  return await db.transaction().execute(async (trx): Promise<AddedRate> => {
    // Changes take turns, a currency's first one too; reads go on.
    await sql`lock table exchange_rates in share row exclusive mode`.execute(trx);
    if ((await versionOf(trx, currency)) !== version) return { outcome: "stale" };
    const known = await trx
      .selectFrom("exchange_rates")
      .select(["id", "rate_micros"])
      .where("currency", "=", currency)
      .where("valid_from", "=", validFrom)
      .executeTakeFirst();
    if (!known) {
      const values = { currency, rate_micros: rateMicros, valid_from: validFrom };
      const { id } = await trx.insertInto("exchange_rates").values(values).returning("id").executeTakeFirstOrThrow();
      return { outcome: "added", id };
    }
    if (known.rate_micros === rateMicros) return { outcome: "unchanged", id: known.id };
    await trx.updateTable("exchange_rates").set({ rate_micros: rateMicros }).where("id", "=", known.id).execute();
    return { outcome: "corrected", id: known.id };
  });
}

/** Sets an exchange rate without a question, for the demo and for tests; operators use addExchangeRate. Purchases that were converted keep their rate. */
export async function setExchangeRate(
  db: Db,
  { currency, rateMicros, validFrom }: { currency: string; rateMicros: RateMicros; validFrom: Date },
): Promise<void> {
  await db
    .insertInto("exchange_rates")
    .values({ currency, rate_micros: rateMicros, valid_from: validFrom })
    .onConflict((conflict) => conflict.columns(["currency", "valid_from"]).doUpdateSet({ rate_micros: rateMicros }))
    .execute();
}
