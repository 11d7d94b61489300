import type { Trx } from "@farthing/db/client.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { makeClub, reportedSale, type ClubForTests } from "../cashback/cashback.testing.ts";
import { recordReportedTransaction } from "../cashback/operations.server.ts";
import { createClickRecorder } from "../clicks/click-recorder.server.ts";
import { clickAt } from "../clicks/clicks.testing.ts";
import type { PreFlightFinding } from "../clicks/pre-flight.ts";
import { findDailyFigures } from "../needs/daily-figures.server.ts";
import { findNetworkHealth } from "../networks/queries.server.ts";
import { insertVerifiedMember } from "../testing/insert-member.testing.ts";
import { findSettled, keepHours } from "./report-hours.server.ts";

const { db, pool } = await testDatabase();
// On the day after the clocks went back: the 25th has 25 hours.
const now = new Date("2026-10-26T10:20:00Z");
const sunday = "2026-10-25";
/** 25 October in London. */
const times = ["2026-10-24T23:00:00Z", "2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-10-25T23:59:59.999Z"];
let club: ClubForTests;

beforeEach(async () => {
  await pool.query("delete from report_hours");
  await pool.query("delete from report_late_hours");
  club ??= await makeClub(db, { networkSlug: "one" });
  await pool.query("update members set created_at = '2026-01-01'");
});

async function click(at: string, preFlight: PreFlightFinding | null = null): Promise<string> {
  const recorder = createClickRecorder({ db });
  const { reference } = await recorder.record({ ...clickAt(club.shop, club), preFlight, createdAt: new Date(at) });
  await recorder.close();
  return reference;
}

async function join(at: string, trx: Trx | typeof db = db): Promise<string> {
  const { id } = await insertVerifiedMember(trx, { brandId: club.brandId });
  await sql`update members set created_at = ${at} where id = ${id}`.execute(trx);
  return id;
}

/** A purchase that is tracked at one moment and confirmed at another. */
async function buy(trackedAt: string, confirmedAt: string): Promise<void> {
  const reported = reportedSale(club, await click(trackedAt));
  const { networkId } = club;
  await recordReportedTransaction(db, { networkId, reported, now: new Date(trackedAt) });
  const approved = { ...reported, status: "approved", changedAt: new Date(confirmedAt) } as const;
  await recordReportedTransaction(db, { networkId, reported: approved, now: new Date(confirmedAt) });
}

const figures = () => findDailyFigures(db, { now });
const since = new Date("2026-10-19T10:20:00Z");
const checked = async () => (await findNetworkHealth(db, { since }))[0]?.preFlight;

/** What the figures have to be, from the rows, by another way. */
async function fromRows() {
  const { rows } = await pool.query<Record<string, unknown>>(
    `select to_char(day, 'YYYY-MM-DD') as day,
      (select count(*)::int from members where (created_at at time zone 'Europe/London')::date = day) as joined,
      (select count(*)::int from clicks where (created_at at time zone 'Europe/London')::date = day) as clicks,
      (select count(*)::int from cashback_changes where change_kind = 'tracked' and (changed_at at time zone 'Europe/London')::date = day) as tracked,
      (select coalesce(sum(cashback_pence), 0)::int from cashback_changes where change_kind = 'confirmed' and (changed_at at time zone 'Europe/London')::date = day) as "confirmedPence",
      0 as "paidPence"
     from (select generate_series(date '2026-10-13', date '2026-10-26', interval '1 day')::date as day) days`,
  );
  return rows;
}

test("A3 the days of the home page are the same from rows, from kept hours and with some hours missing, also where the clocks go back", async () => {
  for (const at of [...times, "2026-10-26T00:00:00Z", "2026-10-26T09:59:00Z", "2026-10-26T10:05:00Z"]) {
    await join(at);
    await buy(at, "2026-10-26T08:00:00Z");
  }
  const counted = await fromRows();
  expect(counted.find(({ day }) => day === sunday)).toMatchObject({ joined: 4, clicks: 4, tracked: 4 });
  expect(await figures()).toEqual(counted);
  expect(await keepHours(db, { now })).toBeGreaterThan(14 * 24);
  expect(await keepHours(db, { now })).toBe(0);
  expect(await figures()).toEqual(counted);
  await pool.query(
    "delete from report_hours where hour in ('2026-10-25 00:00Z', '2026-10-25 01:00Z', '2026-10-25 23:00Z')",
  );
  expect(await figures()).toEqual(counted);
  expect(await keepHours(db, { now })).toBe(3);
  expect(await figures()).toEqual(counted);
});

test("A3 hours that are over are read from what is kept, without their rows, and the hour that is not over from rows", async () => {
  await keepHours(db, { now });
  await pool.query("update report_hours set joined = 100 where hour = '2026-10-25 12:00Z'");
  const network = club.networkId;
  await pool.query(
    `insert into report_click_hours (hour, network_id, healthy, slow, blocked, no_cookies, unchecked)
     values ('2026-10-25 12:00Z', $1, 200, 0, 0, 0, 0) on conflict (hour, network_id) do update set healthy = 200`,
    [network],
  );
  const before = (await fromRows()).find(({ day }) => day === sunday) as { joined: number; clicks: number };
  const shown = (await figures()).find(({ day }) => day === sunday);
  expect(shown).toMatchObject({ joined: before.joined + 100, clicks: before.clicks + 200 });
  const { rows } = await pool.query<{ last: Date }>("select max(hour) as last from report_hours");
  expect(rows[0]?.last).toEqual(new Date("2026-10-26T09:00:00Z"));
  const early = new Date("2026-10-26T10:09:59Z");
  // As after a clock that went back: 9 to 10 o'clock is not over for long enough.
  await keepHours(db, { now: early });
  const kept = await pool.query<{ last: Date }>("select max(hour) as last from report_hours");
  expect(kept.rows[0]?.last).toEqual(new Date("2026-10-26T08:00:00Z"));
});

test("A3 a late row counts at once, and its hour is kept again with it: a member, a click, a purchase, and a member who is moved or gone", async () => {
  await keepHours(db, { now });
  const id = await join("2026-10-25T12:30:00Z");
  await buy("2026-10-25T13:30:00Z", "2026-10-25T14:30:00Z");
  const steps = [
    async () => {},
    () => pool.query("update members set created_at = '2026-10-24T12:00Z' where id = $1", [id]),
    () => pool.query("delete from members where id = $1", [id]),
  ];
  for (const step of steps) {
    await step();
    const counted = await fromRows();
    expect(await figures()).toEqual(counted);
    expect(await keepHours(db, { now })).toBeGreaterThan(0);
    expect((await pool.query("select from report_late_hours where hour < '2026-10-26'")).rowCount).toBe(0);
    expect(await keepHours(db, { now })).toBe(0);
    expect(await figures()).toEqual(counted);
  }
});

test("A3 a late row that is committed while its hour is kept counts, whichever comes first", async () => {
  await db.transaction().execute(async (trx) => {
    await join("2026-10-25T12:30:00Z", trx);
    // This transaction is open: its row is in no count, and its note stays.
    await keepHours(db, { now: new Date("2026-10-26T10:20:00Z") });
    expect(await figures()).toEqual(await fromRows());
  });
  expect(await figures()).toEqual(await fromRows());
  await keepHours(db, { now });
  expect(await figures()).toEqual(await fromRows());
});

test("A3 no hour is kept that an open transaction may still add to", async () => {
  const soon = new Date(Date.now() + 86_400_000);
  const { began, settled } = await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ began: Date }>`
      select xact_start as began, pg_current_xact_id() from pg_stat_activity where pid = pg_backend_pid()`.execute(trx);
    await sql`select pg_sleep(0.05)`.execute(trx);
    return { began: rows[0]!.began, settled: await findSettled(db, { now: soon }) };
  });
  expect(settled).toEqual(began);
  // A clock that is ahead keeps nothing early either.
  const after = await findSettled(db, { now: soon });
  expect(after.getTime()).toBeGreaterThan(began.getTime());
  expect(after.getTime()).toBeLessThan(Date.now() + 60_000);
  expect(await findSettled(db, { now })).toEqual(now);
});

test("A3 C1 the checks before clicks of seven days are the same from rows, from kept hours, and with a late click", async () => {
  const counts = async () => {
    const { rows } = await pool.query<{ pre_flight: string; count: number }>(
      `select coalesce(pre_flight, 'unchecked') as pre_flight, count(*)::int as count from clicks
       where created_at >= '2026-10-19T10:00Z' and created_at < 'infinity' group by 1`,
    );
    const found = Object.fromEntries(rows.map((row) => [row.pre_flight, row.count]));
    return { healthy: 0, slow: 0, blocked: 0, no_cookies: 0, unchecked: 0, ...found };
  };
  for (const finding of ["healthy", "slow", "blocked", "no_cookies", null] as const) {
    await click("2026-10-19T09:59:59Z", finding);
    for (const at of ["2026-10-19T10:00:00Z", "2026-10-22T10:00:00Z", "2026-10-26T10:19:00Z"]) await click(at, finding);
  }
  expect(await counts()).toMatchObject({ healthy: 3, slow: 3, blocked: 3, no_cookies: 3 });
  expect(await checked()).toEqual(await counts());
  await keepHours(db, { now });
  expect(await checked()).toEqual(await counts());
  await click("2026-10-22T10:01:00Z", "slow");
  expect(await checked()).toEqual(await counts());
  await keepHours(db, { now });
  expect(await checked()).toEqual(await counts());
});

test("A3 concurrent calls keep each hour once, and hours that no page shows are forgotten", async () => {
  await join("2026-10-25T12:30:00Z");
  await Promise.all([keepHours(db, { now }), keepHours(db, { now }), keepHours(db, { now })]);
  expect(await figures()).toEqual(await fromRows());
  await keepHours(db, { now: new Date("2026-11-05T10:20:00Z") });
  const { rows } = await pool.query<{ first: Date }>("select min(hour) as first from report_hours");
  expect(rows[0]?.first).toEqual(new Date("2026-10-20T11:00:00Z"));
});
