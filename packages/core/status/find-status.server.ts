import { findQueue, type QueueName } from "../background-work/queues.server.ts";
import { isLate } from "../background-work/rules.ts";
import { PASS_READ_UNTIL } from "../networks/read-until.ts";
import { findThresholds } from "../thresholds/threshold-values.server.ts";
import type { ThresholdValues } from "../thresholds/rules.ts";
import type { Db } from "@farthing/db/client.ts";
import { sql, type RawBuilder } from "kysely";
import type { AreaStatus } from "./rules.ts";

interface Asked {
  brandId: string;
  now: Date;
  values: ThresholdValues;
}

/**
 * Returns how what members of a brand care about does (P6), in the order in which it is shown. It holds no name, no text and no
 * number of anything but the brand's retailers.
 */
export async function findStatus(
  db: Db,
  { brandId, hasGiftCards, now }: { brandId: string; hasGiftCards: boolean; now: Date },
): Promise<AreaStatus[]> {
  const asked = { brandId, now, values: await findThresholds(db) };
  const [reports, confirmations, payouts, giftCards, mails, search] = await Promise.all([
    findLateReports(db, asked),
    findLateWork(db, "cashback_watches", asked),
    findLatePayments(db, asked),
    hasGiftCards ? findLateGiftCards(db, asked) : null,
    findLateMails(db, asked),
    isSearchBehind(db, asked),
  ]);
  const area = (name: AreaStatus["area"], since: Date | null): AreaStatus => ({
    area: name,
    isLate: since !== null,
    since,
    shops: 0,
  });
  return [
    // Whoever reads this page has it before them.
    area("site", null),
    { ...area("purchases", reports.since), shops: reports.shops },
    area("confirmations", earliest(reports.since, confirmations)),
    area("payouts", payouts),
    ...(hasGiftCards ? [area("gift-cards", giftCards)] : []),
    area("mails", mails),
    { ...area("search", null), isLate: search },
  ];
}

function earliest(...moments: (Date | null)[]): Date | null {
  return moments.filter((at) => at !== null).toSorted((one, other) => +one - +other)[0] ?? null;
}

/**
 * Returns how many of the brand's retailers have a network whose report was last read longer ago than the threshold of operators,
 * and up to when the one that is furthest behind was read.
 */
async function findLateReports(
  db: Db,
  { brandId, now, values }: Asked,
): Promise<{ shops: number; since: Date | null }> {
  const { rows } = await sql<{ shops: number; since: Date | null }>`
    select count(distinct programme.retailer_id)::int as shops, min(late.until) as since
    from (select network_id, until from (
          select network_id, ${sql.raw(PASS_READ_UNTIL)} as until from network_passes where pass = 'transaction') read
        where until < ${now}::timestamptz - make_interval(hours => ${values["network-silent-hours"]}::int)) late
      join programmes programme on programme.network_id = late.network_id and programme.status = 'joined' and programme.is_preferred
      join visible_retailers(${brandId}::uuid) retailer on retailer.id = programme.retailer_id`.execute(db);
  return rows[0] ?? { shops: 0, since: null };
}

/** Returns since when the oldest piece of a queue has been due, where that is too long. */
async function findLateWork(db: Db, name: QueueName, { now, values }: Asked): Promise<Date | null> {
  const due = await findQueue(name).due.nextDue(db);
  return isLate(due, { now, minutes: values["work-late-minutes"] }) ? due : null;
}

/** Returns since when a batch of payouts should have been confirmed, whether its file was sent or nobody has had it. */
async function findLatePayments(db: Db, { now }: Asked): Promise<Date | null> {
  return await oldestOf(
    db,
    sql`select min(processing_day + 1)::timestamp at time zone 'Europe/London' as oldest from payout_batches
      where approved_at is not null and confirmed_at is null and cancelled_at is null
        and processing_day < (${now}::timestamptz at time zone 'Europe/London')::date`,
  );
}

/** Returns since when the oldest card has been paid for that its issuer does not give, however often it is asked. */
async function findLateGiftCards(db: Db, asked: Asked): Promise<Date | null> {
  const unanswered = await oldestOf(
    db,
    sql`select min(paid_at) as oldest from gift_card_lines
      where state = 'issuing' and attempts > ${asked.values["gift-card-attempts"]}::int`,
  );
  return earliest(unanswered, await findLateWork(db, "gift_card_lines", asked));
}

/** Returns since when mails have not gone out: the worker does not send, or the mail server takes none. */
async function findLateMails(db: Db, asked: Asked): Promise<Date | null> {
  const untaken = await oldestOf(
    db,
    sql`select failing.oldest from (select min(created_at) as oldest from mails where state = 'waiting' and attempts >= 2) failing
      where not exists (select from mails sent where sent.state = 'sent' and sent.settled_at > failing.oldest)`,
  );
  return earliest(untaken, await findLateWork(db, "mails", asked));
}

async function oldestOf(db: Db, statement: RawBuilder<unknown>): Promise<Date | null> {
  const { rows } = await sql<{ oldest: Date | null }>`${statement}`.execute(db);
  return rows[0]?.oldest ?? null;
}

/** Returns whether an offer among the brand's newest can't be found although it has been there for an hour. */
async function isSearchBehind(db: Db, { brandId, now }: Asked): Promise<boolean> {
  const { rows } = await sql`
    select from (select id, created_at, starts_at from live_offers(${brandId}::uuid, ${now}::timestamptz) order by starts_at desc limit 20) newest
    where greatest(newest.created_at, newest.starts_at) < ${now}::timestamptz - interval '1 hour'
      and not exists (select from search_offers indexed where indexed.offer_id = newest.id) limit 1`.execute(db);
  return rows.length > 0;
}
