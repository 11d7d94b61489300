import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { begun, openTill } from "./payments.testing.ts";

const { db } = await testDatabase();
const till = await openTill(db);

test("G3 a fixed price can be paid after a payment that was cancelled, and only once", async () => {
  const visitor = await till.visit({ amountPence: 2500, reference: "order 7" });
  const cancelled = begun(await visitor.start());
  expect(await visitor.start(), "until it is cancelled, it is the payment").toMatchObject({
    outcome: "started",
    publicId: cancelled.publicId,
  });
  await till.cancel(cancelled);
  const next = begun(await visitor.start());
  expect(next.publicId).not.toBe(cancelled.publicId);
  expect(next.amountPence).toBe(2500);
  await till.pay(next);
  expect(await visitor.start()).toEqual({ outcome: "already-paid" });
  const states = await db
    .selectFrom("payments")
    .select(["public_id", "state"])
    .where("public_id", "in", [cancelled.publicId, next.publicId])
    .orderBy("id")
    .execute();
  expect(states).toEqual([
    { public_id: cancelled.publicId, state: "cancelled" },
    { public_id: next.publicId, state: "paid" },
  ]);
});
