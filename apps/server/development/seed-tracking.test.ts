import { saveBrand } from "@farthing/core/brands/save-brand.server.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { seedTracking } from "./seed-tracking.ts";

const { db } = await testDatabase();

test("T5 demo brands load from the sandbox of this start's port; what an operator has set stays", async () => {
  const demo = await insertBrand(db, { slug: "demo" });
  const own = await insertBrand(db, { slug: "own" });
  const off = await insertBrand(db, { slug: "off" });
  const theirs = { tagManager: "GTM-OWN1", engagementScript: "https://push.example/sw.js" };
  expect((await saveBrand(db, { slug: "own", tracking: theirs })).outcome).toBe("changed");
  await saveBrand(db, { slug: "off", tracking: { tagManager: null, engagementScript: null } });
  const trackingOf = async ({ id }: { id: string }) =>
    (await db.selectFrom("brands").select("tracking").where("id", "=", id).executeTakeFirstOrThrow()).tracking;
  for (const port of [3000, 4000]) {
    await seedTracking(db, { port });
    expect(await trackingOf(demo)).toEqual({
      tagManager: "GTM-DEMO",
      engagementScript: `http://localhost:${port + 1}/engagement/worker.js`,
    });
    expect(await trackingOf(own)).toEqual(theirs);
    expect(await trackingOf(off)).toEqual({ tagManager: null, engagementScript: null });
  }
});
