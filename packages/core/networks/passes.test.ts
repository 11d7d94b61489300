import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { NOW } from "../catalogue/catalogue.testing.ts";
import { insertNetwork } from "../testing/insert-network.testing.ts";
import { claimPass, finishPass, orderPasses } from "./passes.server.ts";

const { db } = await testDatabase();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const at = (ms: number) => new Date(NOW.getTime() + ms);
const claim = async (networkId: string, now: Date, everyMs = 5 * 60_000) =>
  claimPass(db, { networkId, pass: "transaction", now, everyMs });

test("C2 a pass is due exactly when its interval has passed", async () => {
  const { id } = await insertNetwork(db);
  expect(await claim(id, NOW)).not.toBeNull();
  expect(await claim(id, at(5 * 60_000 - 1))).toBeNull();
  expect(await claim(id, at(5 * 60_000))).not.toBeNull();
  expect(await claim(id, at(5 * 60_000))).toBeNull();
});

test("C2 one of eight concurrent processes reads a pass", async () => {
  const { id } = await insertNetwork(db);
  const claimed = await Promise.all(Array.from({ length: 8 }, () => claim(id, NOW)));
  expect(claimed.filter(Boolean)).toHaveLength(1);
});

test("C2 a pass reads a month at first and once a day, else from an hour before the last end; a failed window is read again", async () => {
  const { id } = await insertNetwork(db);
  const midnight = Date.UTC(2026, 10, 21);
  const read = async (now: number) => claim(id, new Date(now), 1);
  const finish = (result: Parameters<typeof finishPass>[1]["result"]) =>
    finishPass(db, { networkId: id, pass: "transaction", result });

  const first = NOW.getTime();
  expect(await read(first)).toEqual({ from: at(-31 * DAY - HOUR), to: NOW });
  await finish({ problem: "no answer" });
  expect(await read(first + 1)).toEqual({ from: at(-31 * DAY - HOUR), to: at(1) });
  await finish({ coveredUntil: at(1) });
  expect(await read(midnight - 1)).toEqual({ from: at(1 - HOUR), to: new Date(midnight - 1) });
  await finish({ coveredUntil: new Date(midnight - 1) });
  expect(await read(midnight)).toEqual({ from: new Date(midnight - 31 * DAY), to: new Date(midnight) });
  await finish({ coveredUntil: new Date(midnight) });
  expect(await read(midnight + 1)).toEqual({ from: new Date(midnight - HOUR), to: new Date(midnight + 1) });
});

test("C2 the pass that ran longest ago comes first, and one that has never run before all others", async () => {
  const { id: networkId } = await insertNetwork(db);
  await claimPass(db, { networkId, pass: "transaction", now: at(2), everyMs: 1 });
  await claimPass(db, { networkId, pass: "payment", now: at(1), everyMs: 1 });
  expect(await orderPasses(db, { networkId, passes: ["transaction", "amendment", "payment"] })).toEqual([
    ...["amendment", "payment", "transaction"],
  ]);
});
