import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startClockWatch } from "./clock-watch.ts";

const { db } = await testDatabase();
beforeEach(async () => {
  // Opens a connection before timers are faked: waiting for a new one would time out at the first jump.
  await sql`select 1`.execute(db);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => void vi.useRealTimers());

/** Starts a round, which queries the real database. */
async function round(until: () => boolean): Promise<void> {
  await vi.advanceTimersByTimeAsync(15_000);
  await vi.waitFor(() => expect(until()).toBe(true), { timeout: 20_000, interval: 5 });
}

test("R1 a wall clock that jumps, or differs from the database's, is logged once, with the difference", async () => {
  const real = Date.now();
  const at = { wall: real, passed: 1_000 };
  const lines: unknown[] = [];
  let asked = 0;
  const watch = startClockWatch({
    db,
    logger: { info: () => {}, warn: () => {}, error: (fields, message) => lines.push([fields, message]) },
    now: () => ((asked += 1), new Date(at.wall)),
    clock: () => at.passed,
  });
  await round(() => asked >= 2);
  const pass = (ms: number, jump = 0) => {
    at.passed += ms;
    at.wall += ms + jump;
  };
  for (const jump of [0, 3_600_000, 0, -3_600_000]) {
    const before = asked;
    pass(10, jump);
    await round(() => asked >= before + 2);
  }
  await watch.close();
  expect(lines).toEqual([
    [{ seconds: 3600 }, expect.stringContaining("jumped")],
    [{ seconds: expect.closeTo(3600, -2) as number }, expect.stringContaining("database")],
    [{ seconds: -3600 }, expect.stringContaining("jumped")],
  ]);
});
