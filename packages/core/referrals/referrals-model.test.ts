import { testDatabase } from "@farthing/db/testing/test-database.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { makeClub } from "../cashback/cashback.testing.ts";
import { findMemberBalances } from "../ledger/balances.server.ts";
import { foldTotals } from "../ledger/totals.server.ts";
import { makeBatch } from "../payouts/batch.server.ts";
import { requestPayout } from "../payouts/operations.server.ts";
import { account, bankKeys, faultsOf, giveDetails, method, payeeKeys } from "../payouts/payouts.testing.ts";
import type { ReportedTransaction } from "../networks/network-transaction.ts";
import { decideHold, holdReferral } from "./decide-hold.server.ts";
import {
  FRIEND_PENCE,
  invite,
  INVITER_PENCE,
  keys,
  LATER,
  report,
  revise,
  start,
  verify,
  work,
} from "./referrals.testing.ts";

const { db } = await testDatabase();
let runs = 0;

const steps = [
  "buy",
  "confirm",
  "pay",
  "decline",
  "verify",
  "hold",
  "lift",
  "refuse",
  "withdraw",
  "batch",
  "fold",
] as const;
type Step = (typeof steps)[number];
type Stage = "tracked" | "confirmed" | "payable" | "declined";

/** What the model knows: the purchases, whether the friend is verified, the hold, and where the inviter's money is. */
interface Model {
  purchases: { reported: ReportedTransaction; stage: Stage }[];
  isVerified: boolean;
  wasEarned: boolean;
  hold: "none" | "open" | "refused";
  hasEnded: boolean;
  /** What the inviter has: in confirmed, in payable, asked for, and in a batch for the bank. */
  confirmed: number;
  payable: number;
  requested: number;
  sent: number;
}

/** An independent statement of what the inviter has after each step, in sums alone. */
function settle(model: Model): void {
  const bonus = model.confirmed + model.payable + model.requested + model.sent; // what the inviter was given: 0 or one bonus
  const best = model.purchases.some(({ stage }) => stage === "payable")
    ? "payable"
    : model.purchases.some(({ stage }) => stage === "confirmed")
      ? "confirmed"
      : null;
  const isSpent = bonus > 0 && model.confirmed === 0 && model.payable + model.requested < INVITER_PENCE;
  const isEarned = best !== null && (model.isVerified || model.wasEarned);
  if (model.hasEnded || (isSpent && isEarned)) return;
  const wanted = isEarned && model.hold === "none" ? best : null;
  if (model.hold === "refused") model.hasEnded = true;
  if (wanted) model.wasEarned = true;
  // What was asked for ends when the bonus in it is held or refused; a shop that takes a purchase back leaves that to the batch.
  if (isEarned && model.hold !== "none" && model.confirmed === 0 && model.payable < INVITER_PENCE) {
    model.payable += model.requested;
    model.requested = 0;
  }
  // The difference rule: what was given goes, what is due comes. What is in a batch stays there.
  const given = bonus > 0 ? INVITER_PENCE : 0;
  if (given > 0) {
    if (model.confirmed > 0) model.confirmed -= given;
    else model.payable -= given;
  }
  if (wanted === "confirmed") model.confirmed += INVITER_PENCE;
  if (wanted === "payable") model.payable += INVITER_PENCE;
}

test("C8 C4 any order of purchases, decisions of shops and operators and withdrawals gives what the model says, and the books balance", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...steps), { minLength: 5, maxLength: 18 }), async (wanted: Step[]) => {
      const club = await makeClub(db, { networkSlug: `model-${(runs += 1)}` });
      const { brandId, memberId } = club;
      await db.updateTable("brands").set({ payout_threshold_pence: 500 }).where("id", "=", brandId).execute();
      await start(db, brandId);
      await giveDetails(db, club, { of: { ...account, accountNumber: "55779911" } });
      const { friend, friendId, referralId } = await invite(db, club, { isVerified: false });
      const { public_id: publicId } = await db
        .selectFrom("referrals")
        .select("public_id")
        .where("id", "=", referralId!)
        .executeTakeFirstOrThrow();
      const model: Model = {
        purchases: [],
        isVerified: false,
        wasEarned: false,
        hold: "none",
        hasEnded: false,
        confirmed: 0,
        payable: 0,
        requested: 0,
        sent: 0,
      };
      const openHold = () =>
        db
          .selectFrom("referral_holds")
          .select("public_id")
          .where("referral_id", "=", referralId!)
          .where("decision", "is", null)
          .executeTakeFirst();
      const decide = async (decision: "lifted" | "refused") => {
        const hold = await openHold();
        expect(hold !== undefined).toBe(model.hold === "open");
        if (!hold) return;
        await decideHold(db, { publicId: hold.public_id, decision, note: "the model", by: "model", keys, now: LATER });
        model.hold = decision === "lifted" ? "none" : "refused";
      };
      const move = async (from: Stage[], to: Stage, changes: Partial<ReportedTransaction>) => {
        const purchase = model.purchases.find(({ stage }) => from.includes(stage));
        if (!purchase) return;
        await revise(db, friend, purchase.reported, changes);
        purchase.stage = to;
      };
      const run: Record<Step, () => Promise<void>> = {
        buy: async () => void model.purchases.push({ reported: await report(db, friend), stage: "tracked" }),
        confirm: () => move(["tracked"], "confirmed", { status: "approved" }),
        pay: () => move(["tracked", "confirmed"], "payable", { status: "approved", paidToPublisher: true }),
        decline: () => move(["tracked", "confirmed", "payable"], "declined", { status: "declined" }),
        verify: async () => {
          await verify(db, friendId);
          model.isVerified = true;
        },
        hold: async () => {
          await holdReferral(db, { publicId, by: "model", keys, now: LATER });
          if (model.hold === "none") model.hold = "open";
        },
        lift: () => decide("lifted"),
        refuse: () => decide("refused"),
        withdraw: async () => {
          const { outcome } = await requestPayout(db, { brandId, memberId, sessionId: null, now: LATER });
          const isDue = model.requested + model.sent === 0 && model.payable >= 500;
          expect(outcome === "requested").toBe(isDue);
          if (!isDue) return;
          model.requested = model.payable;
          model.payable = 0;
        },
        batch: async () => {
          await makeBatch(db, { method, bankKeys, payeeKeys, by: "model", now: LATER });
          if (model.payable < 0) model.payable += model.requested;
          else model.sent += model.requested;
          model.requested = 0;
        },
        fold: async () => void (await foldTotals(db)),
      };
      for (const step of wanted) {
        await run[step]();
        await work(db);
        settle(model);
        const { member_confirmed, member_payable, member_in_transit } = await findMemberBalances(db, { memberId });
        expect(
          { confirmed: member_confirmed, payable: member_payable, inTransit: member_in_transit },
          `${step} of ${wanted.join(" ")}`,
        ).toEqual({
          confirmed: model.confirmed,
          payable: model.payable,
          inTransit: model.requested + model.sent,
        });
      }
      const friendBonus = await db
        .selectFrom("bonuses")
        .select("state")
        .where("referral_id", "=", referralId!)
        .where("side", "=", "friend")
        .executeTakeFirstOrThrow();
      const cashback = model.purchases.filter(({ stage }) => stage === "payable").length * 600;
      const friends = await findMemberBalances(db, { memberId: friendId });
      expect(friends.member_payable).toBe(cashback + (friendBonus.state === "payable" ? FRIEND_PENCE : 0));
      expect(await faultsOf(db)).toEqual([]);
    }),
    { numRuns: 20 },
  );
}, 300_000);
