import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { insertVariant, NOW } from "../catalogue/catalogue.testing.ts";
import { changeOffer } from "../catalogue/offers/change-offer.server.ts";
import { findOfferRecord } from "../catalogue/offers/find-offer-record.server.ts";
import { openReveals } from "../reveals/reveals.testing.ts";
import { findPoolRecord } from "./list-pools.server.ts";
import { fillPool } from "./operations.server.ts";

const { db, pool } = await testDatabase();
const { person, makeOffer, reveal } = await openReveals(db);

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

describe("O4 the alarm of an offer's pool ends with its first variant, whose pool is another", () => {
  const emptyOffer = async () => {
    const offer = await makeOffer({ kind: "code" });
    const alarms = async () => (await findPoolRecord(db, { publicId: offer.publicId }))?.alarms;
    expect(await reveal(await person(), offer)).toEqual({ outcome: "pool-empty" });
    expect(await alarms()).toMatchObject([{ variant: null, level: "empty" }]);
    return { offer, alarms };
  };

  test("O4 an operator who adds the variant ends the alarm", async () => {
    const { offer, alarms } = await emptyOffer();
    const record = (await findOfferRecord(db, offer))!;
    const form = { ...record, variants: [{ label: "Adult", landingUrl: null }] };
    const { publicId } = offer;
    expect(await changeOffer(db, { publicId, seen: record.fingerprint, form, now: NOW })).toEqual({
      outcome: "changed",
    });
    expect(await alarms()).toEqual([]);
  });

  test("O4 codes for a variant that an import brought end the alarm", async () => {
    const { offer, alarms } = await emptyOffer();
    const variant = await insertVariant(db, { offerId: offer.id, label: "Adult" });
    await fillPool(db, { offerId: offer.id, variantId: variant.id, codes: ["A1"], now: NOW });
    expect(await alarms()).toEqual([]);
  });
});
