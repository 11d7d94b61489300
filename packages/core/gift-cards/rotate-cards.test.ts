import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { cardKeyId, openCard, sealCard } from "./card-seal.ts";
import { checkGiftCards } from "./check.server.ts";
import { rotateCards } from "./rotate-cards.server.ts";
import { openShop } from "./shop.testing.ts";

const { db, url } = await testDatabase();
const OLDEST = "the oldest key";
const OLD = "the old key";
const NEW = "the new key";
const keys = [NEW, OLD, OLDEST] as const;
const shop = await openShop(db, [OLD]);
await insertBrand(db);

const CARDS = 10;
let codes: Map<string, string>;

/** All cards are of the old key again; two of the oldest. */
beforeEach(async () => {
  if ((await sealed()).length === 0) {
    const bought = await shop.buy(Array.from({ length: CARDS }, (): [string, number] => ["fixed", 1000]));
    await bought.pay();
    await shop.work();
    codes = new Map((await sealed()).map(({ id, card }) => [id, openCard(card, id, [OLD]).code]));
  }
  for (const [index, { id, card }] of (await sealed()).entries())
    await store(id, sealCard(openCard(card, id, keys), id, [index < 2 ? OLDEST : OLD]));
});

async function sealed(): Promise<{ id: string; publicId: string; card: string }[]> {
  const rows = await db
    .selectFrom("gift_card_lines")
    .select(["id", "public_id as publicId", "sealed_card as card"])
    .where("sealed_card", "is not", null)
    .orderBy("id")
    .execute();
  return rows.map((row) => ({ ...row, card: row.card ?? "" }));
}

async function store(id: string, card: string): Promise<void> {
  await db.updateTable("gift_card_lines").set({ sealed_card: card }).where("id", "=", id).execute();
}

/** The number of cards of the new key. Each card must have its own code, by the keys given. */
async function readAll(known: readonly [string, ...string[]]): Promise<number> {
  const rows = await sealed();
  for (const { id, card } of rows) if (codes.has(id)) expect(openCard(card, id, known).code).toBe(codes.get(id));
  return rows.filter(({ card }) => card.startsWith(`${cardKeyId([NEW])}.`)).length;
}

test("G6 a rotation encrypts every card with the current key, in batches, and a second one finds nothing to do", async () => {
  const batches: unknown[] = [];
  const rotation = await rotateCards(db, { keys, max: 4, onBatch: (done) => batches.push(done) });
  expect(rotation).toEqual({ current: CARDS, left: 0, unreadable: new Map() });
  expect(batches).toEqual([
    { rotated: 4, of: CARDS },
    { rotated: 8, of: CARDS },
    { rotated: 10, of: CARDS },
  ]);
  expect(await readAll([NEW])).toBe(CARDS);
  const before = await sealed();
  expect(await rotateCards(db, { keys: [NEW] })).toEqual({ current: CARDS, left: 0, unreadable: new Map() });
  expect(await sealed()).toEqual(before);
  expect(await checkGiftCards(db)).toEqual([]);
});

test("G6 R1 kill -9 in the middle of a rotation loses no card, and the next run goes on from there", async () => {
  const script = fileURLToPath(new URL("./killed-rotation.testing.ts", import.meta.url));
  for (const [opened, done] of [
    [0, 0],
    [3, 0],
    [6, 4],
    [1, 4],
    [5, 8],
  ] as const) {
    const words = [script, url, String(opened), "4", ...keys];
    const { signal, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
    expect(signal, stderr).toBe("SIGKILL");
    // Waits until the database has ended the killed process's transaction.
    await sql`select from gift_card_lines for update`.execute(db);
    expect(await readAll(keys), "whole batches").toBe(done);
  }
  expect(await rotateCards(db, { keys })).toMatchObject({ current: CARDS, left: 0 });
  expect(await readAll([NEW])).toBe(CARDS);
});

test("G6 two rotations at once, beside a site that sells and reads, leave every card readable", async () => {
  const site = await openShop(db, [NEW, OLD, OLDEST]);
  const sell = async () => {
    for (let orders = 0; orders < 5; orders += 1) {
      const bought = await site.buy([["fixed", 1000]]);
      await bought.pay();
      await site.work();
    }
  };
  const read = async () => {
    for (let rounds = 0; rounds < 20; rounds += 1) await readAll(keys);
  };
  const rotate = () => rotateCards(db, { keys, max: 2 });
  await Promise.all([rotate(), sell(), read(), rotate()]);
  const { current, left } = await rotateCards(db, { keys });
  expect({ current, left }).toEqual({ current: CARDS + 5, left: 0 });
  expect(await readAll([NEW])).toBe(CARDS + 5);
  const rows = await sealed();
  expect(() => rows.map(({ id, card }) => openCard(card, id, [NEW]))).not.toThrow();
});

test("G6 a card that a worker holds is left for the next run, and the others don't wait for it", async () => {
  const [first] = await sealed();
  await db.transaction().execute(async (trx) => {
    // A rotation that waits makes this test fail, not hang.
    await sql`set local idle_in_transaction_session_timeout = '10s'`.execute(trx);
    await trx
      .selectFrom("gift_card_lines")
      .select("id")
      .where("id", "=", first?.id ?? "")
      .forUpdate()
      .execute();
    expect(await rotateCards(db, { keys })).toMatchObject({ left: 1 });
  });
  expect(await rotateCards(db, { keys })).toMatchObject({ left: 0 });
});

test("G6 a card of an unknown key, or damaged, is named and left as it is; the others are rotated", async () => {
  const [lost, damaged] = await sealed();
  if (!lost || !damaged) throw new Error("There are no cards.");
  await store(damaged.id, `${damaged.card.slice(0, -4)}AAAA`);
  const before = await sealed();
  const { left, unreadable } = await rotateCards(db, { keys: [NEW, OLD] });
  expect(left).toBe(0);
  expect([...unreadable.keys()].sort()).toEqual([lost.publicId, damaged.publicId].sort());
  expect(unreadable.get(lost.publicId)).toContain("FARTHING_OLD_SECRETS");
  expect((await sealed()).slice(0, 2)).toEqual(before.slice(0, 2));
  await store(damaged.id, damaged.card);
});
