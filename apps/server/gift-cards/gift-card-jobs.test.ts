import { memoryCards } from "@farthing/core/gift-cards/memory-cards.testing.ts";
import { findFloats } from "@farthing/core/gift-cards/floats.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test, vi } from "vitest";
import { startGiftCardJobs } from "./gift-card-jobs.ts";

const { db } = await testDatabase();
const now = () => new Date("2026-11-20T10:00:00Z");

test("A3 G5 the float of the last issuer is forgotten after it is removed, so that nothing warns of it", async () => {
  await db
    .insertInto("issuer_floats")
    .values({ issuer: "removed", float_pence: 1, read_at: now(), low_since: now() })
    .execute();
  const ignore = () => {};
  const jobs = startGiftCardJobs({
    ...{ db, issuers: new Map(), cards: { live: memoryCards(now).provider, test: null }, now },
    keys: ["a key of tests"],
    unsubscribeKeys: ["a key for links"],
    logger: { info: ignore, warn: ignore, error: ignore },
  });
  try {
    await vi.waitFor(async () => expect(await findFloats(db)).toEqual([]));
  } finally {
    await jobs.close();
  }
});
