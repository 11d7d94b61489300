import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test, vi } from "vitest";
import { openThresholdWatch } from "./threshold-watch.ts";

const { db } = await testDatabase();
const write = (key: string, value: number) =>
  db.insertInto("thresholds").values({ threshold_key: key, club_value: value, updated_at: new Date() }).execute();

test("A2 a stored threshold that can't be used is logged once, and again once it is another wrong one", async () => {
  const logger = { warn: vi.fn<(fields: unknown) => void>(), error: vi.fn<() => void>() };
  const watch = openThresholdWatch({ db, logger });
  const look = async () => {
    watch.look();
    watch.look();
    await watch.settled();
    return logger.warn.mock.calls.map(([fields]) => fields);
  };
  await write("code-failures", 5);
  expect(await look()).toEqual([]);
  await write("code-sample", -1);
  const first = { threshold: "code-sample", brand: null, found: -1, because: expect.stringContaining("1 to 1000") };
  expect(await look()).toEqual([first]);
  expect(await look()).toEqual([first]);
  await db.updateTable("thresholds").set({ club_value: -2 }).where("threshold_key", "=", "code-sample").execute();
  expect(await look()).toEqual([first, { ...first, found: -2 }]);
  expect(logger.error).not.toHaveBeenCalled();
  await db.schema.dropTable("thresholds").execute();
  await look();
  expect(logger.error).toHaveBeenCalled();
});
