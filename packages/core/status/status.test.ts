import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { type ClubForTests, makeClick, makeClub, reportedSale } from "../cashback/cashback.testing.ts";
import { recordReportedTransaction } from "../cashback/operations.server.ts";
import { makeShop } from "../clicks/clicks.testing.ts";
import { claimPass, finishPass } from "../networks/passes.server.ts";
import { indexCatalogue } from "../search/index-catalogue.server.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertNetwork } from "../testing/insert-network.testing.ts";
import { findStatus } from "./find-status.server.ts";
import { type AreaStatus, type StatusArea, statusSummary, statusWords } from "./rules.ts";

const { db } = await testDatabase();
const now = new Date("2026-11-20T12:00:00Z");
const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000);

const club: ClubForTests = await makeClub(db);
await indexCatalogue(db, { now });

const look = async (brandId = club.brandId, hasGiftCards = true) => {
  const areas = await findStatus(db, { brandId, hasGiftCards, now });
  return new Map(areas.map((status) => [status.area, status]));
};
const late = async (brandId = club.brandId) => {
  const areas = [...(await look(brandId)).values()].filter(({ isLate }) => isLate);
  return Object.fromEntries(areas.map(({ area, since, shops }) => [area, { since, shops }]));
};

/** Reads a network's report up to a moment. */
async function read(networkId: string, until: Date): Promise<void> {
  await claimPass(db, { networkId, pass: "transaction", now: until, everyMs: 0 });
  await finishPass(db, { networkId, pass: "transaction", result: { coveredUntil: until } });
}

/** Adds a row past foreign keys and triggers; what a column may hold is still checked. */
async function plant(table: string, row: Record<string, unknown>): Promise<void> {
  const values = Object.entries({ id: newId(), ...row });
  await db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx);
    await sql`insert into ${sql.table(table)} (${sql.join(values.map(([name]) => sql.ref(name)))})
      values (${sql.join(values.map(([, value]) => sql`${value}`))})`.execute(trx);
  });
}

beforeEach(async () => {
  for (const table of [
    "network_passes",
    "mails",
    "cashback_watches",
    "gift_card_lines",
    "payout_batches",
    "thresholds",
  ])
    await db.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx);
      await sql`delete from ${sql.table(table)}`.execute(trx);
    });
});

describe("P6 what members are told of the club’s state", () => {
  test("P6 a club at rest works; gift cards are named where the brand has them", async () => {
    expect([...(await look()).keys()]).toEqual([
      ...["site", "purchases", "confirmations", "payouts", "gift-cards", "mails", "search"],
    ]);
    expect(await late()).toEqual({});
    expect([...(await look(club.brandId, false)).keys()]).not.toContain("gift-cards");
  });

  test("P6 a network that was not read for a day makes purchases and confirmations late at the brands whose shops it has, and counts those shops", async () => {
    await read(club.networkId, ago(24));
    expect(await late()).toEqual({});
    await read(club.networkId, ago(23));
    await db
      .updateTable("network_passes")
      .set({ covered_until: ago(25) })
      .execute();
    const since = ago(25);
    expect(await late()).toEqual({ purchases: { since, shops: 1 }, confirmations: { since, shops: 0 } });
    const other = await insertBrand(db);
    expect(await late(other.id)).toEqual({});
    const fine = await insertNetwork(db, {});
    const theirs = await makeShop(db, { brandId: club.brandId, networkId: fine.id });
    await read(fine.id, now);
    const slow = await insertNetwork(db, {});
    await makeShop(db, { brandId: club.brandId, networkId: slow.id });
    await makeShop(db, { brandId: club.brandId, networkId: slow.id });
    await indexCatalogue(db, { now });
    await read(slow.id, ago(30));
    expect((await late())["purchases"]).toEqual({ since: ago(30), shops: 3 });
    // A second membership that builds no links makes nothing late.
    const unused = await insertNetwork(db, {});
    const second = {
      retailer_id: theirs.retailerId,
      name: "Second",
      status: "joined",
      landing_url: "https://x.example",
    };
    await plant("programmes", { ...second, network_id: unused.id, network_programme_id: "2", is_preferred: false });
    await read(unused.id, ago(99));
    expect((await late())["purchases"]).toEqual({ since: ago(30), shops: 3 });
  });

  test("P6 the operators’ threshold decides when a network is silent", async () => {
    await read(club.networkId, ago(30));
    expect(Object.keys(await late())).toContain("purchases");
    await db
      .insertInto("thresholds")
      .values({ threshold_key: "network-silent-hours", club_value: 48, updated_at: now })
      .execute();
    expect(await late()).toEqual({});
  });

  test("P6 payouts are late once a batch should have been confirmed", async () => {
    const batch = { method: "bank", made_by: "ada", made_at: ago(90), approved_by: "bob", approved_at: ago(80) };
    await plant("payout_batches", { ...batch, processing_day: "2026-11-20", entry_day: "2026-11-23" });
    expect(await late()).toEqual({});
    await plant("payout_batches", { ...batch, processing_day: "2026-11-18", entry_day: "2026-11-19" });
    expect(await late()).toEqual({ payouts: { since: new Date("2026-11-19T00:00:00Z"), shops: 0 } });
  });

  test("P6 e-mails are late where the worker does not send, or the mail server has taken none since the first that failed", async () => {
    const mail = { brand_id: club.brandId, recipient: "ada@home.example", kind: "welcome" };
    await plant("mails", { ...mail, created_at: ago(0.2), next_try_at: ago(0.2) });
    expect(await late()).toEqual({});
    await plant("mails", { ...mail, created_at: ago(1), next_try_at: ago(0.5) });
    expect(await late()).toEqual({ mails: { since: ago(0.5), shops: 0 } });
    await db
      .updateTable("mails")
      .set({ next_try_at: new Date(now.getTime() + 60_000), attempts: 2 })
      .execute();
    expect(await late()).toEqual({ mails: { since: ago(1), shops: 0 } });
    await plant("mails", { ...mail, created_at: ago(0.5), state: "sent", settled_at: ago(0.4) });
    expect(await late()).toEqual({});
  });

  test("P6 gift cards are late once an issuer does not answer, again and again", async () => {
    const columns = await sql<{
      name: string;
    }>`select attname as name from pg_attribute where attrelid = 'gift_card_lines'::regclass
      and attnum > 0 and attnotnull and not attisdropped and attidentity = '' and attname <> 'id'`.execute(db);
    for (const { name } of columns.rows)
      await sql`alter table gift_card_lines alter column ${sql.ref(name)} drop not null`.execute(db);
    await plant("gift_card_lines", { state: "issuing", attempts: 5, paid_at: ago(3) });
    expect(await late()).toEqual({});
    await plant("gift_card_lines", { state: "issuing", attempts: 6, paid_at: ago(2) });
    expect(await late()).toEqual({ "gift-cards": { since: ago(2), shops: 0 } });
    expect((await look(club.brandId, false)).has("gift-cards")).toBe(false);
  });

  test("P6 the search is late where an offer of more than an hour can’t be found", async () => {
    const network = await insertNetwork(db, {});
    const { offerId } = await makeShop(db, { brandId: club.brandId, networkId: network.id });
    const set = (at: Date) =>
      db.updateTable("offers").set({ created_at: at, starts_at: at }).where("id", "=", offerId).execute();
    await set(ago(0.9));
    expect(await late()).toEqual({});
    await set(ago(1.1));
    expect(await late()).toEqual({ search: { since: null, shops: 0 } });
    await indexCatalogue(db, { now });
    expect(await late()).toEqual({});
  });

  test("P6 confirmations are late where purchases on their way are not looked at", async () => {
    const reported = reportedSale(club, await makeClick(db, club));
    await recordReportedTransaction(db, { networkId: club.networkId, reported, now });
    const lookAt = (at: Date) => db.updateTable("cashback_watches").set({ next_look_at: at }).execute();
    await lookAt(ago(0.2));
    expect(await late()).toEqual({});
    await lookAt(ago(0.5));
    expect(await late()).toEqual({ confirmations: { since: ago(0.5), shops: 0 } });
  });
});

describe("P6 the words", () => {
  const status = (area: StatusArea, more: Partial<AreaStatus> = {}): AreaStatus => ({
    ...{ area, isLate: true, since: ago(25), shops: 0 },
    ...more,
  });
  const words = (given: AreaStatus) => statusWords(given, (moment) => `<${moment.toISOString()}>`);

  test("P6 each says what is late, since when, and what follows", () => {
    for (const area of ["purchases", "confirmations", "payouts", "gift-cards", "mails"] as const) {
      const { says, follows } = words(status(area, { shops: 2 }));
      expect(says).toMatch(/ late, since <2026-11-19T11:00:00\.000Z>\.$/);
      expect(follows).toMatch(/^[A-Z].*\.$/);
    }
    expect(words(status("search", { since: null })).says).toBe("Some new offers can’t be found yet.");
    expect(words(status("purchases", { shops: 1 })).says).toMatch(/^Purchases at 1 shop are reported late/);
    expect(words(status("purchases", { shops: 12 })).says).toMatch(/^Purchases at 12 shops are reported late/);
  });

  test("P6 what works says so, and the first sentence sums up", () => {
    const fine = status("mails", { isLate: false });
    expect(words(fine)).toEqual({ name: "E-mails", says: "E-mails are sent as usual.", follows: null });
    expect(statusSummary([fine, fine])).toBe("Everything works.");
    expect(statusSummary([fine, status("mails")])).toMatch(/^One thing is late/);
    expect(statusSummary([status("payouts"), status("mails")])).toMatch(/^Some things are late/);
  });
});
