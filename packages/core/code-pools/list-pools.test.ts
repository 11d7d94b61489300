import { countReads } from "@farthing/db/testing/count-reads.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { expect, test } from "vitest";
import { insertOffer, insertRetailer, NOW } from "../catalogue/catalogue.testing.ts";
import { makeClub } from "../cashback/cashback.testing.ts";
import { findListPage } from "../lists/find-list-page.server.ts";
import { poolList, type ListedPool, type PoolSort } from "./list-pools.server.ts";

const { db, pool } = await testDatabase();
const OFFERS = 60;
const CODES = 30;

test("A3 O4 pools that run out are listed first, and alone without reading the others", async () => {
  const { networkId } = await makeClub(db);
  const { id: retailerId } = await insertRetailer(db, { name: "Shop" });
  for (let number = 0; number < OFFERS; number++)
    await insertOffer(db, { retailerId, networkId, title: `Offer ${number}` });
  await pool.query(
    "insert into offer_codes (id, offer_id, code_kind, code) select gen_random_uuid(), id, 'pool', 'C' || n from offers, generate_series(1, $1::int) n",
    [CODES],
  );
  const { rows: offers } = await pool.query<{ id: string }>(
    "select id from offers where title in ('Offer 7', 'Offer 9') order by title",
  );
  const [seven, nine] = offers.map(({ id }) => id);
  const raise = (offer_id: string | undefined, level: "low" | "empty", hour: number, ended_at: Date | null = null) =>
    db
      .insertInto("code_pool_alarms")
      .values({
        ...{ id: newId(), offer_id: offer_id!, level, codes_free: 0, codes_total: CODES, ended_at },
        raised_at: new Date(NOW.getTime() + hour * 3_600_000),
      })
      .execute();
  await raise(seven, "low", 3);
  await raise(seven, "empty", 4);
  await raise(nine, "low", 2);
  await raise(nine, "empty", 0, NOW);
  await pool.query("vacuum analyze offers, offer_codes, code_pool_alarms");
  const state = { sort: "raised", isDescending: false, after: null, before: null, size: 50 } as const;
  const list = (joined: typeof db, level?: string) =>
    findListPage<ListedPool, PoolSort>(joined, poolList(level === undefined ? {} : { level }), state);
  const { rows, next } = await list(db);
  expect(next).not.toBeNull();
  expect(rows.slice(0, 2).map(({ title, level }) => [title, level])).toEqual([
    ["Offer 9", "low"],
    ["Offer 7", "empty"],
  ]);
  expect(rows[1]).toMatchObject({ free: CODES, total: CODES, raisedAt: new Date(NOW.getTime() + 3 * 3_600_000) });
  expect(rows[2]).toMatchObject({ level: null, raisedAt: null });
  let out: ListedPool[] = [];
  const read = await countReads(db, async (trx) => {
    ({ rows: out } = await list(trx, "out"));
  });
  expect(out).toEqual(rows.slice(0, 2));
  expect(read.rows).toBeLessThan(15 * CODES);
});
