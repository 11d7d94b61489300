import { openDatabase } from "@farthing/db/client.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertVerifiedMember } from "../testing/insert-member.testing.ts";
import { insertNetwork } from "../testing/insert-network.testing.ts";
import { ClickRecorderBusyError, createClickRecorder, type NewClick } from "./click-recorder.server.ts";
import { clickAt, makeShop, TRACKING } from "./clicks.testing.ts";
import { takeRateSnapshot } from "./rate-snapshot.ts";
import { chooseLanding, isLandingAllowed } from "../catalogue/landing.ts";
import { newClickNumber, newReference } from "./rules.ts";

const { db, pool, url } = await testDatabase();
let click: NewClick;
beforeAll(async () => {
  const brandId = (await insertBrand(db)).id;
  const networkId = (await insertNetwork(db, { slug: "awin" })).id;
  click = clickAt(await makeShop(db, { brandId, networkId }), {
    brandId,
    memberId: (await insertVerifiedMember(db, { brandId })).id,
    networkId,
  });
});

const frozen = takeRateSnapshot({ tiers: [], offerTitle: null, memberShareBp: 7000, tracking: TRACKING }, new Date());

async function count(references: readonly string[]): Promise<number> {
  return (
    await db
      .selectFrom("clicks")
      .select("id")
      .where("reference", "in", [...references])
      .execute()
  ).length;
}

describe("C1 the recorder", () => {
  test("C1 concurrent clicks are committed when they resolve, each with its own reference and number", async () => {
    const recorder = createClickRecorder({ db, maxBatch: 64 });
    const recorded = await Promise.all(Array.from({ length: 500 }, () => recorder.record(click)));
    expect(new Set(recorded.map((one) => one.reference)).size).toBe(500);
    expect(new Set(recorded.map((one) => one.clickNumber)).size).toBe(500);
    expect(await count(recorded.map((one) => one.reference))).toBe(500);
    await recorder.close();
  });

  test("C1 a click that the database refuses fails alone", async () => {
    const recorder = createClickRecorder({ db });
    const results = await Promise.allSettled([
      recorder.record(click),
      recorder.record({ ...click, memberId: newId() }),
      recorder.record(click),
    ]);
    expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    await recorder.close();
  });

  // SQLSTATE 22 is a value that is none, 23 one that may not be there: whichever fault a row has, it has it alone.
  test.each<[code: string, what: string, fault: Partial<NewClick>]>([
    ["22P02", "an id that is none", { memberId: "nobody" }],
    ["22P02", "an id that is none, on the link", { offerId: "" }],
    ["22008", "a date beyond the calendar", { createdAt: "300000-01-01T00:00:00Z" as unknown as Date }],
    ["22007", "a date that is none", { createdAt: "soon" as unknown as Date }],
    ["22021", "a character that no text may hold", { targetUrl: "https://shop.example/\0" }],
    ["22P05", "the same in the frozen rates", { rateSnapshot: { ...frozen, offerTitle: "\0" } }],
    ["23502", "no address", { targetUrl: null as unknown as string }],
    ["23503", "a programme that is not there", { programmeId: newId() }],
    ["23514", "a fingerprint of no terms", { termsHash: "short" }],
    ["23514", "a fingerprint in capitals", { termsHash: "A".repeat(64) }],
    ["23514", "a fingerprint with a line end", { termsHash: `${"a".repeat(63)}\n` }],
  ])(
    "C1 %s, %s: that click is refused, those before and after it in the batch are recorded",
    async (code, _, fault) => {
      const recorder = createClickRecorder({ db });
      const before = await db.selectFrom("clicks").select("id").execute();
      const batch = [click, { ...click, ...fault }, click, { ...click, ...fault }, click];
      const results = await Promise.allSettled(batch.map((one) => recorder.record(one)));
      expect(results.map(({ status }) => status)).toEqual([
        ...["fulfilled", "rejected", "fulfilled", "rejected", "fulfilled"],
      ]);
      for (const result of results)
        if (result.status === "rejected") expect((result.reason as { code?: string }).code).toBe(code);
      expect(
        await count(results.flatMap((result) => (result.status === "fulfilled" ? [result.value.reference] : []))),
      ).toBe(3);
      expect(await db.selectFrom("clicks").select("id").execute()).toHaveLength(before.length + 3);
      await recorder.close();
    },
  );

  test("C1 an error that concerns no single row rejects the batch at once, without retrying rows", async () => {
    const { db: own, pool: ownPool, close } = openDatabase({ url });
    await pool.query(`create function refuse_clicks() returns trigger language plpgsql as
      $$ begin perform nextval('clicks_tried'); raise exception using errcode = '40001'; end $$`);
    await pool.query("create sequence clicks_tried");
    await pool.query(
      "create trigger refused before insert on clicks for each statement execute function refuse_clicks()",
    );
    try {
      const recorder = createClickRecorder({ db: own });
      const results = await Promise.allSettled(Array.from({ length: 5 }, () => recorder.record(click)));
      expect(results.map(({ status }) => status)).toEqual(Array(5).fill("rejected"));
      await recorder.close();
      const { rows } = await ownPool.query<{ tried: number }>("select last_value as tried from clicks_tried");
      expect(rows).toEqual([{ tried: 1 }]);
    } finally {
      await pool.query("drop trigger refused on clicks; drop function refuse_clicks; drop sequence clicks_tried");
      await close();
    }
  });

  test("C1 when the connection is lost, every waiting click is rejected, and later clicks are recorded", async () => {
    // Connections of its own: the pool may lend one that has been ended once more, and no other test should get it.
    const { db: own, pool: ownPool, close } = openDatabase({ url });
    const recorder = createClickRecorder({ db: own });
    const killer = await ownPool.connect();
    await killer.query("begin; lock table clicks in exclusive mode");
    const [first, second] = [recorder.record(click), recorder.record(click)];
    const outcome = Promise.allSettled([first, second]);
    const ended: number[] = [];
    while (ended.length === 0) {
      // asked outside the transaction, which would see one picture of the activity for good
      const { rows } = await ownPool.query<{ pid: number }>(
        "select pid, pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      ended.push(...rows.map(({ pid }) => pid));
    }
    // One whose end is only announced would be lent once more to this test, too.
    while ((await ownPool.query("select from pg_stat_activity where pid = any($1)", [ended])).rowCount !== 0);
    await killer.query("commit");
    killer.release();
    expect((await outcome).map((result) => result.status)).toEqual(["rejected", "rejected"]);
    expect(await recorder.record(click)).toMatchObject({ reference: expect.any(String) as string });
    await recorder.close();
    await close();
  });

  test("C1 callers that record again at once are never starved", async () => {
    const recorder = createClickRecorder({ db, maxBatch: 3 });
    const answered = await Promise.all(
      Array.from({ length: 8 }, async (_, caller) => {
        let count = 0;
        for (let i = 0; i <= caller * 5; i++) {
          await recorder.record(click);
          count += 1;
        }
        return count;
      }),
    );
    expect(answered).toEqual([1, 6, 11, 16, 21, 26, 31, 36]);
    await recorder.close();
  });

  test("C5 clicks of one batch keep their own snapshots", async () => {
    const recorder = createClickRecorder({ db });
    const titled = (offerTitle: string) => ({ ...click, rateSnapshot: { ...click.rateSnapshot, offerTitle } });
    const recorded = await Promise.all([titled("one"), click, titled("two"), click].map((one) => recorder.record(one)));
    const titles = await Promise.all(
      recorded.map(async ({ reference }) => {
        const row = await db
          .selectFrom("clicks")
          .select("rate_snapshot")
          .where("reference", "=", reference)
          .executeTakeFirstOrThrow();
        return (row.rate_snapshot as { offerTitle: string }).offerTitle;
      }),
    );
    expect(titles).toEqual(["one", "Cashback on everything", "two", "Cashback on everything"]);
    await recorder.close();
  });

  test("C1 clicks of one batch keep their own links, and clicks on one link their own member and moment", async () => {
    const recorder = createClickRecorder({ db });
    const other = (await insertVerifiedMember(db, { brandId: click.brandId })).id;
    const wanted = [
      click,
      { ...click, targetUrl: "https://elsewhere.example/" },
      { ...click, memberId: other, createdAt: new Date("2026-01-02T03:04:05Z") },
      { ...click, offerId: null },
      { ...click, termsHash: "f".repeat(64) },
    ];
    const recorded = await Promise.all(wanted.map((one) => recorder.record(one)));
    for (const [i, { reference }] of recorded.entries()) {
      const row = await db
        .selectFrom("clicks")
        .selectAll()
        .where("reference", "=", reference)
        .executeTakeFirstOrThrow();
      expect(row).toMatchObject({
        member_id: wanted[i]!.memberId,
        created_at: wanted[i]!.createdAt,
        target_url: wanted[i]!.targetUrl,
        offer_id: wanted[i]!.offerId,
        terms_hash: wanted[i]!.termsHash,
        brand_id: click.brandId,
        retailer_id: click.retailerId,
        programme_id: click.programmeId,
        network_id: click.networkId,
        rate_snapshot: click.rateSnapshot,
      });
    }
    await recorder.close();
  });

  test("C1 closing waits for accepted clicks and refuses new ones", async () => {
    const recorder = createClickRecorder({ db });
    const inHand = recorder.record(click);
    await recorder.close();
    expect(await count([(await inHand).reference])).toBe(1);
    await expect(recorder.record(click)).rejects.toThrow(/closed/);
  });

  test("C1 clicks above the maximum are refused at once", async () => {
    const recorder = createClickRecorder({ db, maxWaiting: 2 });
    const results = await Promise.allSettled([recorder.record(click), recorder.record(click), recorder.record(click)]);
    expect(results.map((result) => result.status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
    expect((results[2] as PromiseRejectedResult).reason).toBeInstanceOf(ClickRecorderBusyError);
    await recorder.close();
  });

  test("C1 a click cannot be changed or deleted", async () => {
    const recorder = createClickRecorder({ db });
    await recorder.record(click);
    await recorder.close();
    await expect(pool.query("update clicks set terms_hash = terms_hash")).rejects.toThrow(/written once/);
    await expect(pool.query("delete from clicks")).rejects.toThrow(/written once/);
    await expect(pool.query("truncate clicks cascade")).rejects.toThrow(/written once/);
  });
});

describe("C1 references and landing pages", () => {
  test("C1 references and numbers have the agreed form", () => {
    for (let i = 0; i < 200; i++) {
      expect(newReference()).toMatch(/^[A-Za-z0-9_-]{22}$/);
      expect(newClickNumber()).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/);
    }
  });

  test.each([
    ["https://shop.example/a?b=1", true],
    ["http://www.shop.example/", true],
    ["https://SHOP.example/", true],
    ["https://shop.example.evil.test/", false],
    ["https://evilshop.example/", false],
    ["https://shop.example@evil.test/", false],
    ["https://user:pw@shop.example/", false],
    ["javascript:alert(1)//shop.example", false],
    ["ftp://shop.example/", false],
    ["//shop.example/", false],
    ["", false],
  ])("S1 landing on %s is allowed: %s", (url, allowed) =>
    expect(isLandingAllowed(url, ["www.shop.example"])).toBe(allowed),
  );

  test("S1 any URL leads to the programme's domains or is refused", () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl(), fc.string()), (url) => {
        const chosen = chooseLanding([url], {
          landingUrl: "https://shop.example/home",
          validDomains: ["shop.example"],
        });
        expect(new URL(chosen!).hostname).toMatch(/(^|\.)shop\.example$/);
      }),
    );
    expect(
      chooseLanding(["https://elsewhere.example/"], { landingUrl: "https://shop.example/", validDomains: [] }),
    ).toBe("https://shop.example/");
    expect(chooseLanding([null], { landingUrl: "https://shop.example/", validDomains: ["other.example"] })).toBeNull();
  });
});
