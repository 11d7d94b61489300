import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { createClickTargets } from "./click-targets.server.ts";

const { db } = await testDatabase();
const brandId = "00000000-0000-7000-8000-000000000001";
const now = new Date("2026-11-20T12:00:00Z");

test("S1 made-up ids and slugs stay within the cache's maximum, and long ones are not cached", async () => {
  const targets = createClickTargets({ db, max: 50, clock: () => 1 });
  for (let number = 0; number < 200; number += 1) {
    await targets.ofRetailer({ brandId, slug: `shop-${number}`, now });
    await targets.ofOffer({ brandId, publicId: `offer${number}`, variantPublicId: null, now });
  }
  expect(targets.size).toBe(50);
  const fresh = createClickTargets({ db, clock: () => 1 });
  await fresh.ofRetailer({ brandId, slug: "x".repeat(60_000), now });
  expect(fresh.size).toBe(0);
});
