import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { differenceOf, mergeLegs } from "../ledger/rules.ts";
import {
  canDisputeGo,
  DISPUTE_TRANSITIONS,
  disputeEvents,
  disputeLegs,
  disputeTransferKind,
  isSettled,
  nextDisputeLook,
  refundablePence,
  type DisputePosition,
  type DisputeState,
} from "./dispute-rules.ts";

const states = Object.keys(DISPUTE_TRANSITIONS) as DisputeState[];
const at = (state: DisputeState, withdrawnPence: number, feePence = 0, isForGiftCards = false): DisputePosition => ({
  ...{ state, withdrawnPence, feePence, isForGiftCards },
});
const leg = (kind: string, amountPence: number) => ({ account: { kind }, amountPence });

describe("G3 the lifecycle of a dispute", () => {
  test("G3 the database allows the same transitions as the table", () => {
    const file = readFileSync(new URL("../../db/functions/check_dispute_change.sql", import.meta.url), "utf8");
    const pairs = [...file.matchAll(/\('(\w+)', '(\w+)'\)/g)].map(([, from, to]) => `${from} -> ${to}`);
    const table = states.flatMap((from) => DISPUTE_TRANSITIONS[from].map((to) => `${from} -> ${to}`));
    expect(pairs.toSorted()).toEqual(table.toSorted());
  });

  test("G3 a bank may reopen what it has decided, and nothing becomes a mere question again", () => {
    expect(canDisputeGo("lost", "won")).toBe(true);
    expect(canDisputeGo("closed", "needs_response")).toBe(true);
    expect(states.filter((from) => from !== "inquiry" && canDisputeGo(from, "inquiry"))).toEqual([]);
    expect(canDisputeGo("lost", "closed")).toBe(false);
  });

  test("C4 any way through the states posts what the last position says, balanced, whatever was seen between", () => {
    const position = fc.record({
      state: fc.constantFrom(...states),
      withdrawnPence: fc.integer({ min: 0, max: 50_000 }),
      feePence: fc.integer({ min: 0, max: 2000 }),
    });
    fc.assert(
      fc.property(fc.array(position, { minLength: 1, maxLength: 6 }), fc.boolean(), (way, isForGiftCards) => {
        const posted = way.flatMap((to, index) => {
          const before = way[index - 1];
          const legs = differenceOf(
            before ? disputeLegs({ ...before, isForGiftCards }) : [],
            disputeLegs({ ...to, isForGiftCards }),
          );
          expect(legs.reduce((sum, { amountPence }) => sum + amountPence, 0)).toBe(0);
          return legs;
        });
        expect(mergeLegs(posted)).toEqual(
          mergeLegs(disputeLegs({ ...(way.at(-1) as DisputePosition), isForGiftCards })),
        );
      }),
    );
  });

  test("C4 withdrawn money is disputed until it is lost, by the club for gift cards and else by the partner", () => {
    expect(mergeLegs(disputeLegs(at("needs_response", 1000, 2000)))).toEqual([
      ...[leg("card_received", 3000), leg("payment_disputed", -1000), leg("provider_fees", -2000)],
    ]);
    expect(mergeLegs(disputeLegs(at("lost", 1000, 0)))).toEqual([
      leg("card_received", 1000),
      leg("payment_held", -1000),
    ]);
    expect(mergeLegs(disputeLegs(at("lost", 1000, 0, true)))).toEqual([
      ...[leg("card_received", 1000), leg("club_dispute_losses", -1000)],
    ]);
    // Won, and the money is not back yet.
    expect(mergeLegs(disputeLegs(at("won", 1000)))).toEqual([
      leg("card_received", 1000),
      leg("payment_disputed", -1000),
    ]);
    expect(mergeLegs(disputeLegs(at("inquiry", 0)))).toEqual([]);
  });

  test("C4 each change of money has its kind", () => {
    expect(disputeTransferKind(null, at("needs_response", 1000, 2000))).toBe("dispute_withdrawn");
    expect(disputeTransferKind(at("inquiry", 0), at("needs_response", 1000))).toBe("dispute_withdrawn");
    expect(disputeTransferKind(at("under_review", 1000), at("won", 0))).toBe("dispute_reinstated");
    expect(disputeTransferKind(at("under_review", 1000), at("lost", 1000))).toBe("dispute_lost");
    expect(disputeTransferKind(null, at("lost", 1000))).toBe("dispute_lost");
    expect(disputeTransferKind(at("lost", 1000), at("under_review", 1000))).toBe("dispute_reopened");
    expect(disputeTransferKind(at("won", 0, 2000), at("won", 0, 0))).toBe("dispute_fee");
  });

  test("W10 a partner hears of the beginning and the end once each, also where only the end was seen", () => {
    expect(disputeEvents(null, "inquiry")).toEqual(["payment.disputed"]);
    expect(disputeEvents("inquiry", "needs_response")).toEqual([]);
    expect(disputeEvents("needs_response", "needs_response")).toEqual([]);
    expect(disputeEvents("under_review", "lost")).toEqual(["payment.dispute_closed"]);
    expect(disputeEvents("won", "won")).toEqual([]);
    expect(disputeEvents("lost", "won")).toEqual(["payment.dispute_closed"]);
    expect(disputeEvents("lost", "under_review")).toEqual(["payment.disputed"]);
    expect(disputeEvents(null, "lost")).toEqual(["payment.disputed", "payment.dispute_closed"]);
  });

  test("G3 a dispute is read again each day until its money has moved", () => {
    const now = new Date("2026-11-20T12:00:00Z");
    for (const lookups of [0, 1, 400]) expect(nextDisputeLook(lookups, now)).toEqual(new Date("2026-11-21T12:00:00Z"));
    expect(states.filter((state) => isSettled(at(state, 0)))).toEqual(["won", "closed"]);
    expect(states.filter((state) => isSettled(at(state, 1000)))).toEqual(["lost"]);
  });

  test("G3 what a bank has or asks for is not refunded", () => {
    expect(refundablePence({ amountPence: 1000, refundedPence: 300, claimedPence: 0 })).toBe(700);
    expect(refundablePence({ amountPence: 1000, refundedPence: 300, claimedPence: 400 })).toBe(300);
    expect(refundablePence({ amountPence: 1000, refundedPence: 300, claimedPence: 1000 })).toBe(0);
  });
});
