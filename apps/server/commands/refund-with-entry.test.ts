import { begun, openTill } from "@farthing/core/payments/payments.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { commandEntries } from "./command-entries.testing.ts";
import { refundWithEntry } from "./refund-with-entry.ts";

const { db } = await testDatabase();

test("A1 G3 a refund by command is in the log with its payment, and an id that names none is not", async () => {
  const till = await openTill(db);
  const accounts = { live: till.cards.provider, test: null };
  const { publicId, ...started } = begun(await (await till.visit()).start());
  await till.pay({ publicId, ...started });
  const refund = (id: string, amountPence: number | null) =>
    refundWithEntry(db, accounts, { publicId: id, amountPence, by: "op", now: till.now() });
  expect(await refund("AbCdEfGhIjKlMnOpQrStUv", null)).toEqual({ outcome: "no-such-payment" });
  expect(await commandEntries(db, "op")).toEqual([]);
  expect((await refund(publicId, 100)).outcome).toBe("refunded");
  expect((await refund(publicId, 1_000_000)).outcome).toBe("more-than-left");
  expect(await commandEntries(db, "op")).toEqual(
    ["payment.refund.begin", "payment.refund", "payment.refund.begin", "payment.refund.refused"].map(
      (action) => `${action} ${publicId}`,
    ),
  );
});
