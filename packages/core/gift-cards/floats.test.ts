import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeEach, describe, expect, test } from "vitest";
import { findNeeds } from "../needs/find-needs.server.ts";
import type { NeedKey } from "../needs/needs.ts";
import { findFloats, FLOAT_READ_MS, readFloats } from "./floats.server.ts";
import { IssuerUnavailableError, type CardIssuer } from "./issuer.ts";
import { openShop } from "./shop.testing.ts";

const { db } = await testDatabase();
const shop = await openShop(db, ["a key of tests"]);
const { issuer } = shop.issuer;
const HOUR_MS = 3_600_000;

beforeEach(async () => {
  await db.deleteFrom("issuer_floats").execute();
});

const need = async (wanted: NeedKey) =>
  (await findNeeds(db, { role: "finance", now: shop.now() })).find(({ key }) => key === wanted);
const read = (more: Partial<CardIssuer> = {}, slugs = ["memory"]) =>
  readFloats(db, { issuers: new Map(slugs.map((slug) => [slug, { ...issuer, ...more, slug }])), now: shop.now() });

describe("A3 G5 the float of an issuer", () => {
  test("A3 G5 is read every five minutes, and home names one below the threshold with the figure, since it was", async () => {
    let asked = 0;
    let pence = 50_000;
    const float = async () => {
      asked += 1;
      return pence;
    };
    await read({ float });
    expect(await need("float-low")).toMatchObject({ count: 0, label: "issuers with a gift-card float below £500" });
    pence = 12_345;
    shop.clock.at += FLOAT_READ_MS - 1;
    await read({ float });
    expect([asked, (await need("float-low"))?.count], "too soon").toEqual([1, 0]);
    shop.clock.at += 1;
    const since = shop.now();
    await read({ float });
    expect(await need("float-low")).toMatchObject({
      ...{ count: 1, oldestAt: since, path: "/admin/gift-cards/floats" },
      label: "issuer with a gift-card float below £500: memory has £123.45",
    });
    shop.clock.at += FLOAT_READ_MS;
    pence = 10_000;
    await read({ float });
    expect((await need("float-low"))?.oldestAt, "it stays low").toEqual(since);
    shop.clock.at += FLOAT_READ_MS;
    pence = 100_000;
    await read({ float });
    expect(await need("float-low")).toMatchObject({ count: 0, oldestAt: null });
  });

  test("A3 G5 of one that does not answer stays as it was, with its time; one that is not set up any more is forgotten", async () => {
    await read({ float: async () => 1_000 }, ["memory", "gone"]);
    const readAt = shop.now();
    shop.clock.at += HOUR_MS;
    const error = new IssuerUnavailableError("silence");
    expect(await read({ float: () => Promise.reject(error) })).toEqual([{ issuer: "memory", error }]);
    expect(await findFloats(db)).toEqual([{ issuer: "memory", pence: 1_000, readAt }]);
  });

  test("A3 G5 is read of every issuer, whatever goes wrong with one before it", async () => {
    const error = new Error("a fault of ours");
    const faulty = { ...issuer, slug: "faulty", float: () => Promise.reject(error) };
    const well = { ...issuer, slug: "well", float: async () => 1_000 };
    const issuers = new Map(Object.entries({ faulty, well }));
    expect(await readFloats(db, { issuers, now: shop.now() })).toEqual([{ issuer: "faulty", error }]);
    expect(await findFloats(db)).toEqual([{ issuer: "well", pence: 1_000, readAt: shop.now() }]);
  });

  test("A3 G4 home names the issuer at the first paid card that is refused for lack of float, until it is made or refunded", async () => {
    expect(await need("float-refused")).toMatchObject({ count: 0, label: "paid gift cards wait for float" });
    shop.issuer.stockLies = true;
    shop.issuer.refusals.set("fixed", "insufficient-float");
    const paidAt = shop.now();
    const [first, second] = [
      await shop.buy([
        ["fixed", 1000],
        ["fixed", 1000],
      ]),
      await shop.buy([["fixed", 1000]]),
    ];
    for (const order of [first, second]) await order.pay();
    await shop.work();
    expect(await findAttempts(), "the first attempt of each").toEqual([1, 1, 1]);
    expect(await need("float-refused")).toMatchObject({
      ...{ count: 3, oldestAt: paidAt, path: "/admin/gift-cards/floats" },
      label: "paid gift cards wait for float: pay into memory, where 2 orders wait. Each is refunded after 4 hours",
    });
    shop.issuer.refusals.clear();
    shop.clock.at += 60_000;
    await shop.work();
    expect((await need("float-refused"))?.count).toBe(0);
  });
});

async function findAttempts(): Promise<number[]> {
  const rows = await db.selectFrom("gift_card_lines").select("attempts").where("state", "=", "issuing").execute();
  return rows.map(({ attempts }) => attempts);
}
