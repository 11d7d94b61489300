import type { Database, Db, Trx } from "@farthing/db/client.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { untilWaiting } from "@farthing/db/testing/until-waiting.ts";
import { sql, type ControlledTransaction } from "kysely";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { lockImports } from "../../catalogue-imports/import-lock.server.ts";
import { seedNetworks } from "../../catalogue-imports/seed-networks.server.ts";
import {
  daysFromNow,
  insertBoost,
  insertProgramme,
  insertRateTier,
  insertRetailer,
  NOW,
} from "../catalogue.testing.ts";
import { tiersJson, toRates, type TiersJson } from "../retailers/retailer-cards.server.ts";
import { lockRate } from "./find-rates.server.ts";

const { db } = await testDatabase({ max: 4 });
await seedNetworks(db);

let retailer: { id: string; slug: string };
let programme: string;
let other: string;
let tiers: string[];

/** A programme with two rates, and another with none. */
beforeEach(async () => {
  const network = await db.selectFrom("networks").select("id").where("slug", "=", "awin").executeTakeFirstOrThrow();
  retailer = await insertRetailer(db);
  programme = (await insertProgramme(db, { networkId: network.id, retailerId: retailer.id })).id;
  other = (await insertProgramme(db, { networkId: network.id, retailerId: (await insertRetailer(db)).id })).id;
  const [first, second] = [
    await insertRateTier(db, { programmeId: programme, label: "New customers", bp: 800 }),
    await insertRateTier(db, { programmeId: programme, label: "Everybody", bp: 300, capPence: 500, position: 1 }),
  ];
  tiers = [first.id, second.id];
});

/** The label and the rate of each tier, as a card shows them at `now`. */
async function onCard(id: string, now = NOW) {
  const { rows } = await sql<{ tiers: TiersJson }>`select ${tiersJson(sql`${id}::uuid`, now)} as tiers`.execute(db);
  return toRates(rows[0]!.tiers, now).map((rate) => [
    rate.label,
    rate.kind === "percent" ? rate.rateBp : rate.ratePence,
  ]);
}

async function begin(): Promise<ControlledTransaction<Database>> {
  const trx = await db.startTransaction().execute();
  onTestFinished(async () => {
    if (!trx.isCommitted) await trx.rollback().execute();
  });
  return trx;
}

const setRate = (on: Db | Trx, id: string, bp: number) =>
  sql`update rate_tiers set member_rate_bp = ${bp} where id = ${id}`.execute(on);

describe("C5 D4 a card shows the rates of its programme", () => {
  test("C5 a rate that is added, changed, moved or removed is on the card at once", async () => {
    expect(await onCard(programme)).toEqual([
      ["New customers", 800],
      ["Everybody", 300],
    ]);
    expect(await onCard(other)).toEqual([]);
    await setRate(db, tiers[1]!, 350);
    await sql`update rate_tiers set label = 'All others', position = -1 where id = ${tiers[1]}`.execute(db);
    expect(await onCard(programme)).toEqual([
      ["All others", 350],
      ["New customers", 800],
    ]);
    await sql`update rate_tiers set programme_id = ${other} where id = ${tiers[1]}`.execute(db);
    expect(await onCard(programme)).toEqual([["New customers", 800]]);
    expect(await onCard(other)).toEqual([["All others", 350]]);
    await sql`update rate_tiers set rate_kind = 'fixed', member_rate_bp = null, member_rate_pence = 2500`.execute(db);
    expect([await onCard(programme), await onCard(other)]).toEqual([[["New customers", 2500]], [["All others", 2500]]]);
    await sql`delete from rate_tiers`.execute(db);
    expect([await onCard(programme), await onCard(other)]).toEqual([[], []]);
  });

  test("C5 a boost is on the card while it lasts, also one that is moved, and not when it is removed", async () => {
    const [from, to] = [daysFromNow(1), daysFromNow(2)];
    await insertBoost(db, { rateTierId: tiers[0]!, bp: 1200, startsAt: from, endsAt: to });
    const rateAt = async (now: Date) => (await onCard(programme, now))[0]![1];
    expect([await rateAt(NOW), await rateAt(from), await rateAt(to)]).toEqual([800, 1200, 800]);
    // Two boosts in one statement, and one of another programme's tier.
    const elsewhere = await insertRateTier(db, { programmeId: other, bp: 100 });
    await insertBoost(db, { rateTierId: elsewhere.id, bp: 150, startsAt: from, endsAt: to });
    await sql`update boosts set ends_at = ${daysFromNow(5)} where rate_tier_id in (${tiers[0]}, ${elsewhere.id})`.execute(
      db,
    );
    expect([await rateAt(daysFromNow(4)), (await onCard(other, daysFromNow(4)))[0]![1]]).toEqual([1200, 150]);
    await sql`update boosts set rate_tier_id = ${elsewhere.id}, starts_at = ${NOW} where rate_tier_id = ${tiers[0]}`.execute(
      db,
    );
    expect([await rateAt(from), (await onCard(other, from))[0]![1]]).toEqual([800, 1200]);
    await sql`delete from boosts where rate_tier_id = ${elsewhere.id}`.execute(db);
    expect((await onCard(other, from))[0]![1]).toBe(100);
  });

  test("C5 a tier that leaves takes its boosts along, and so does a programme", async () => {
    await insertBoost(db, { rateTierId: tiers[0]!, bp: 1200, startsAt: NOW, endsAt: daysFromNow(2) });
    await sql`delete from rate_tiers where id = ${tiers[0]}`.execute(db);
    expect(await onCard(programme)).toEqual([["Everybody", 300]]);
    await insertBoost(db, { rateTierId: tiers[1]!, bp: 400, startsAt: NOW, endsAt: daysFromNow(2) });
    await sql`delete from programmes where id = ${programme}`.execute(db);
    const { rows } = await sql`select from programme_rates where programme_id = ${programme}`.execute(db);
    expect(rows).toEqual([]);
  });

  test("C5 two changes of one programme at once are both on the card", async () => {
    const first = await begin();
    await setRate(first, tiers[0]!, 900);
    const second = setRate(db, tiers[1]!, 450);
    await untilWaiting(db);
    await first.commit().execute();
    await second;
    expect(await onCard(programme)).toEqual([
      ["New customers", 900],
      ["Everybody", 450],
    ]);
  });

  test("A2 while an import changes another rate of the programme, an operator is told so and no one waits for the other", async () => {
    const importing = await begin();
    await lockImports(importing);
    await setRate(importing, tiers[0]!, 900);
    const asked = { retailer: retailer.slug, id: tiers[1]! };
    expect(await db.transaction().execute((trx) => lockRate(trx, asked))).toBe("busy");
    await setRate(importing, tiers[1]!, 450);
    await importing.commit().execute();
    expect(await db.transaction().execute((trx) => lockRate(trx, asked))).toMatchObject({ memberRateBp: 450 });
  });
});
