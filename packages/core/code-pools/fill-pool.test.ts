import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { NOW } from "../catalogue/catalogue.testing.ts";
import { openReveals } from "../reveals/reveals.testing.ts";
import { fillPool } from "./operations.server.ts";

const { db, pool } = await testDatabase();
const { makeOffer } = await openReveals(db);

test("O4 every process that keeps pages hears that a pool was filled, and nothing of codes that are known", async () => {
  const offer = await makeOffer({ kind: "code" });
  const client = await pool.connect();
  onTestFinished(() => client.release(true));
  const heard = vi.fn<(channel: string) => void>();
  client.on("notification", ({ channel }) => heard(channel));
  await client.query("listen site_content");
  await client.query("listen end_of_test");
  for (const codes of [["ONE"], ["ONE"]]) await fillPool(db, { offerId: offer.id, variantId: null, codes, now: NOW });
  // Notifications come in the order of the commits.
  await sql`select pg_notify('end_of_test', '')`.execute(db);
  await vi.waitUntil(() => heard.mock.lastCall?.[0] === "end_of_test");
  expect(heard.mock.calls.flat()).toEqual(["site_content", "end_of_test"]);
});
