import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeEach, describe, expect, test } from "vitest";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { mayWriteToStranger } from "./mail-counts.server.ts";

const { db } = await testDatabase();
const brand = await insertBrand(db);
const neighbour = await insertBrand(db);

beforeEach(async () => {
  await db.deleteFrom("login_tries").execute();
});

describe("S1 mails to strangers", () => {
  const stranger = { brandId: brand.id, email: "nobody@home.example", secret: "the server's secret" };

  test("S1 an address without an account is written to once, whatever other addresses and brands are asked for", async () => {
    expect(await mayWriteToStranger(db, stranger)).toBe(true);
    expect(await mayWriteToStranger(db, stranger)).toBe(false);
    expect(await mayWriteToStranger(db, { ...stranger, email: "another@home.example" })).toBe(true);
    expect(await mayWriteToStranger(db, { ...stranger, brandId: neighbour.id })).toBe(true);
    expect(await mayWriteToStranger(db, stranger)).toBe(false);
  });

  test("S1 the stored key of an address depends on the server's secret, so that the database alone reveals no address", async () => {
    const keyUnder = async (secret: string) => {
      await db.deleteFrom("login_tries").execute();
      await mayWriteToStranger(db, { ...stranger, secret });
      const rows = await db.selectFrom("login_tries").select("key").execute();
      return rows.map(({ key }) => key);
    };
    const stored = await keyUnder(stranger.secret);
    expect(stored).toHaveLength(1);
    expect(await keyUnder(stranger.secret)).toEqual(stored);
    expect(await keyUnder("another server's secret")).not.toEqual(stored);
  });
});
