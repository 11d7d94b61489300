import { testDatabase } from "@farthing/db/testing/test-database.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { findMemberBalances } from "../ledger/balances.server.ts";
import { foldTotals } from "../ledger/totals.server.ts";
import { confirmBatch } from "./confirm.server.ts";
import { applyFailures } from "./failures.server.ts";
import { cancelPayout, requestPayout } from "./operations.server.ts";
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
  takeBack,
  WEDNESDAY,
} from "./payouts.testing.ts";

const { db } = await testDatabase();
let runs = 0;

/** What the model knows of a member: three sums, and the payout that is under way. */
interface Model {
  payable: number;
  inTransit: number;
  paid: number;
  state: "none" | "requested" | "processing";
}

const steps = ["earn", "take-back", "request", "cancel", "batch", "confirm", "fail", "return", "fold"] as const;
type Step = (typeof steps)[number];

test("C6 C4 any order of earnings, reversals, requests, batches, failures and returns keeps the books balanced and never pays more than is payable", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...steps), { minLength: 4, maxLength: 16 }), async (wanted: Step[]) => {
      const club = await makePayingClub(db, { networkSlug: `model-${(runs += 1)}` });
      const { brandId, memberId } = club;
      await giveDetails(db, club);
      const model: Model = { payable: 0, inTransit: 0, paid: 0, state: "none" };
      const earned: Awaited<ReturnType<typeof earn>>[] = [];
      const newest = () =>
        db
          .selectFrom("payouts")
          .selectAll()
          .where("member_id", "=", memberId)
          .orderBy("requested_at", "desc")
          .orderBy("id", "desc")
          .executeTakeFirst();
      const end = (to: "payable" | "paid") => {
        model[to] += model.inTransit;
        model.inTransit = 0;
        model.state = "none";
      };
      const run: Record<Step, () => Promise<void>> = {
        earn: async () => {
          earned.push(await earn(db, club));
          model.payable += 600;
        },
        "take-back": async () => {
          const one = earned.pop();
          if (!one) return;
          await takeBack(db, club, one);
          model.payable -= 600;
        },
        request: async () => {
          const { outcome } = await requestPayout(db, { brandId, memberId, sessionId: null, now: MONDAY });
          const isDue = model.state === "none" && model.payable >= 500;
          expect(outcome === "requested").toBe(isDue);
          if (!isDue) return;
          Object.assign(model, { inTransit: model.payable, payable: 0, state: "requested" });
        },
        cancel: async () => {
          const payout = await newest();
          if (!payout) return;
          await cancelPayout(db, { brandId, memberId, publicId: payout.public_id, now: MONDAY });
          if (model.state === "requested") end("payable");
        },
        batch: async () => {
          await makeApprovedBatch(db, { method, bankKeys, payeeKeys, by: "model", now: MONDAY });
          if (model.state !== "requested") return;
          if (model.payable < 0) end("payable");
          else model.state = "processing";
        },
        confirm: async () => {
          const batches = await db
            .selectFrom("payout_batches")
            .select("batch_number")
            .where("confirmed_at", "is", null)
            .execute();
          for (const { batch_number: batchNumber } of batches)
            await confirmBatch(db, { batchNumber, bankKeys, by: "model", now: WEDNESDAY });
          if (model.state === "processing") end("paid");
        },
        fail: async () => {
          const payout = await newest();
          if (!payout || model.state !== "processing") return;
          await applyFailures(db, { failures: [failureOf(payout)], now: WEDNESDAY });
          end("payable");
        },
        return: async () => {
          const payout = await newest();
          if (payout?.state !== "paid") return;
          await applyFailures(db, { failures: [failureOf(payout)], now: WEDNESDAY });
          model.paid -= payout.amount_pence;
          model.payable += payout.amount_pence;
        },
        fold: async () => void (await foldTotals(db)),
      };
      for (const step of wanted) {
        await run[step]();
        const balances = await findMemberBalances(db, { memberId });
        expect(
          { payable: balances.member_payable, inTransit: balances.member_in_transit, paid: balances.member_paid },
          step,
        ).toEqual({ payable: model.payable, inTransit: model.inTransit, paid: model.paid });
      }
      expect(await faultsOf(db)).toEqual([]);
    }),
    { numRuns: 25 },
  );
}, 300_000);

function failureOf(payout: { bank_reference: string; amount_pence: number }) {
  return { reference: payout.bank_reference, amountPence: payout.amount_pence, reason: "recalled" as const, said: "C" };
}
