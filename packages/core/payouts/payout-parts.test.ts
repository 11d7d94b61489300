import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { giveGoodwill } from "../goodwill/operations.server.ts";
import { confirmBatch } from "./confirm.server.ts";
import { applyFailures } from "./failures.server.ts";
import { findPayoutRecord } from "./list-payouts.server.ts";
import { requestPayout } from "./operations.server.ts";
import {
  bankKeys,
  earn,
  faultsOf,
  giveDetails,
  makeApprovedBatch,
  makePayingClub,
  method,
  MONDAY,
  payeeKeys,
  WEDNESDAY,
} from "./payouts.testing.ts";

const { db } = await testDatabase();
const parts = { method, bankKeys, payeeKeys, by: "first", now: MONDAY };

test("C6 a payout names everything that it is made of, and the parts add up to its amount", async () => {
  const club = await makePayingClub(db, { networkSlug: "parts" });
  const { brandId, memberId } = club;
  await earn(db, club);
  await giveDetails(db, club);
  const recordOf = async (publicId: string) => (await findPayoutRecord(db, { publicId }))!;
  const ask = async (now: Date) => {
    const asked = await requestPayout(db, { brandId, memberId, sessionId: null, now });
    return asked.outcome === "requested" ? asked.publicId : asked.outcome;
  };
  const publicId = await ask(MONDAY);
  const first = await makeApprovedBatch(db, parts);
  await confirmBatch(db, { batchNumber: first.batchNumber!, bankKeys, by: "first", now: WEDNESDAY });
  const { reference } = await recordOf(publicId);
  const failure = { reference, amountPence: 600, reason: "recalled", said: "C" } as const;
  await applyFailures(db, { failures: [failure], now: WEDNESDAY });
  const given = await giveGoodwill(db, {
    ...{
      brandId,
      memberId,
      amountPence: 250,
      reason: "delay",
      note: "a late answer",
      reference: "goodwill-1",
    },
    ...{ claimPublicId: null, limits: { dayPence: 10_000, memberPence: 10_000 }, by: "first", now: WEDNESDAY },
  });
  expect(given.outcome).toBe("given");
  await earn(db, club);
  expect(await recordOf(await ask(WEDNESDAY))).toMatchObject({
    amountPence: 1450,
    purchasePence: 600,
    others: [
      { kind: "returned", amountPence: 600, payout: { publicId, reference } },
      { kind: "goodwill", amountPence: 250, payout: null },
    ],
  });
  expect(await recordOf(publicId)).toMatchObject({ purchasePence: 600, purchaseCount: 1, others: [] });
  expect(await faultsOf(db)).toEqual([]);
});
