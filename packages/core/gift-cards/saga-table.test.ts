import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkCashback } from "../cashback/check.server.ts";
import { checkLedger } from "../ledger/check.server.ts";
import { makePartner } from "../partners/partners.testing.ts";
import { checkDisputes, checkPayments } from "../payments/check.server.ts";
import { checkPayouts } from "../payouts/check.server.ts";
import { makePayingClub } from "../payouts/payouts.testing.ts";
import { insertVerifiedMember } from "../testing/insert-member.testing.ts";
import { checkGiftCards } from "./check.server.ts";
import { FAULTS, type Fault, type Service } from "./saga-faults.testing.ts";
import { addProducts, runCell, SCENARIOS, type World } from "./saga-table.testing.ts";

// The table of saga steps and faults (issue 14). A run without a fault lists the calls of each scenario; every call with
// every fault that its service can have is a cell. The suite runs a sample of them, the same each time;
// GIFT_CARD_CELLS=1 runs them all, and GIFT_CARD_CELLS=10 every tenth.

// Prime, so that the sample has every scenario, service and fault.
const SAMPLE = Number(process.env["GIFT_CARD_CELLS"] ?? 199);
// GIFT_CARD_FAULT=down-for-long runs the cells of one fault.
const ONLY = process.env["GIFT_CARD_FAULT"];

const { db } = await testDatabase();
let world: World;
let cells = 0;
let run = 0;
beforeAll(async () => {
  const partner = await makePartner(db);
  const club = await makePayingClub(db, { networkSlug: "awin" });
  const { brandId, memberId: id } = club;
  const shop = { id: partner.id, name: "Test shop", publicId: partner.publicId };
  world = { db, partner: shop, member: { id, brandId }, club };
  await db
    .updateTable("members")
    .set({ created_at: new Date("2026-01-01T00:00:00Z") })
    .execute();
  await addProducts(db);
});

const faultsOf = (service: Service): readonly Fault[] =>
  // A transaction is carried out once or not at all, and a late one is a slow one.
  service === "database" ? FAULTS.filter((fault) => !/twice|late/.test(fault)) : FAULTS;

test.each(SCENARIOS)(
  "G4 $name: one card or one refund per line, whatever fails",
  { timeout: 3_600_000 },
  async (scenario) => {
    // One member's orders of many cells would exceed the limits of a day.
    const fresh = async (): Promise<World> => {
      if (!scenario.isMember) return world;
      const { id } = await insertVerifiedMember(db, { brandId: world.member.brandId });
      return { ...world, member: { ...world.member, id } };
    };
    const calm = await runCell(await fresh(), scenario, null);
    expect(calm.faults).toEqual([]);
    const failed: string[] = [];
    for (const [call, service] of calm.calls.entries())
      for (const fault of faultsOf(service)) {
        cells += 1;
        if (cells % SAMPLE !== 0 || (ONLY !== undefined && fault !== ONLY)) continue;
        run += 1;
        const name = `${fault} at call ${call} (${service})`;
        try {
          const { faults } = await runCell(await fresh(), scenario, { call, fault });
          failed.push(...faults.map((sentence) => `${name}: ${sentence}`));
        } catch (error) {
          failed.push(`${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
        }
      }
    expect(failed).toEqual([]);
  },
);

test("C4 after the whole table the ledger balances, and agrees with payments and lines", async () => {
  const faults = [
    ...(await checkLedger(db)).faults,
    ...(await checkPayments(db)),
    ...(await checkDisputes(db)),
    ...(await checkGiftCards(db)),
    ...(await checkPayouts(db)),
    ...(await checkCashback(db)),
  ];
  expect(faults).toEqual([]);
});

afterAll(() => console.info(`Gift cards: ${run} of ${cells} cells were run.`));
