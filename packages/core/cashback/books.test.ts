import { testDatabase } from "@farthing/db/testing/test-database.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkLedger } from "../ledger/check.server.ts";
import { findBalance, findMemberBalances } from "../ledger/balances.server.ts";
import { NETWORK_ACCOUNTS } from "../ledger/rules.ts";
import { foldTotals } from "../ledger/totals.server.ts";
import { percentOf } from "../money/money.ts";
import type { ReportedTransaction } from "../networks/network-transaction.ts";
import { makeClick, makeClub, reportedSale, type ClubForTests, payMember } from "./cashback.testing.ts";
import { checkCashback } from "./check.server.ts";
import { recordReportedTransaction } from "./operations.server.ts";

const { db } = await testDatabase({ max: 8 });

const OPERATIONS = 5_000;
const RUNS = 10;
const ROUNDS = 25;
const PER_ROUND = OPERATIONS / RUNS / ROUNDS;

/** What a network may say next about a purchase. It never takes an approval back to pending, nor a payment. */
const word = fc.record({
  purchase: fc.nat(11),
  says: fc.constantFrom(
    "pending" as const,
    "approved" as const,
    "paid" as const,
    "declined" as const,
    "repeat" as const,
    "old" as const,
  ),
  // Cashback follows the sale and commission its own figure; either may stay as it was while the other changes. Without commission nothing is earned.
  pounds: fc.option(fc.integer({ min: 0, max: 400 })),
  commissionPence: fc.option(fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 5_000 }))),
  which: fc.nat(),
  times: fc.constantFrom(1, 1, 1, 2),
});
const round = fc.record({
  words: fc.array(word, { minLength: PER_ROUND, maxLength: PER_ROUND }),
  payout: fc.constantFrom(0, 0, 0, 1, 2),
  fold: fc.boolean(),
});

/** The books as a person would keep them on paper: one line per purchase, and what has become of it. */
class Paper {
  readonly lines = new Map<
    string,
    {
      at: number;
      state: "none" | "tracked" | "confirmed" | "settled" | "declined";
      pence: number;
      commission: number;
      payable: number;
      paid: number;
    }
  >();

  hear(id: string, said: ReportedTransaction): void {
    const line = this.lines.get(id) ?? { at: -1, state: "none" as const, pence: 0, commission: 0, payable: 0, paid: 0 };
    this.lines.set(id, line);
    if (said.modifiedAt.getTime() <= line.at) return;
    line.at = said.modifiedAt.getTime();
    const due = said.status === "declined" ? 0 : said.commissionMinor > 0 ? percentOf(said.saleMinor, 600) : 0;
    line.commission = said.status === "declined" ? 0 : said.commissionMinor;
    if (line.state === "settled") line.payable = due - line.paid;
    else if (said.status === "declined") Object.assign(line, { state: "declined", pence: 0 });
    else if (said.paidToPublisher && said.status === "approved")
      Object.assign(line, { state: "settled", pence: 0, payable: due });
    else
      Object.assign(line, {
        state: said.status === "approved" || line.state === "confirmed" ? "confirmed" : "tracked",
        pence: due,
      });
  }

  payOut(): void {
    const lines = [...this.lines.values()];
    if (lines.reduce((sum, line) => sum + line.payable, 0) <= 0) return;
    for (const line of lines) {
      line.paid += line.payable;
      line.payable = 0;
    }
  }

  balances() {
    const lines = [...this.lines.values()];
    const sum = (amount: (line: (typeof lines)[number]) => number) =>
      lines.reduce((total, line) => total + amount(line), 0);
    return {
      member_tracked: sum((line) => (line.state === "tracked" ? line.pence : 0)),
      member_confirmed: sum((line) => (line.state === "confirmed" ? line.pence : 0)),
      member_in_transit: 0, // no payout is requested here
      member_payable: sum((line) => line.payable),
      member_paid: sum((line) => line.paid),
    };
  }

  /** What the network owes the club or has paid it, as it stands on the network's side. */
  networkBalances() {
    const sum = (...states: string[]) =>
      [...this.lines.values()].reduce((total, line) => total - (states.includes(line.state) ? line.commission : 0), 0);
    return {
      network_expected: sum("tracked"),
      network_approved: sum("confirmed"),
      network_received: sum("settled"),
    };
  }
}

test("C4 after 5,000 random operations, including duplicate, stale and concurrent ones, the books balance and agree with a model", async () => {
  let operations = 0;
  let clubs = 0;

  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: ROUNDS, maxLength: ROUNDS }), async (rounds) => {
      const club: ClubForTests = await makeClub(db, { networkSlug: `network-${++clubs}` });
      const references = await Promise.all(Array.from({ length: 12 }, () => makeClick(db, club)));
      const first = references.map((reference) => reportedSale(club, reference));
      const said = first.map((sale) => [sale]);
      const paper = new Paper();
      let minute = 0;

      for (const { words, payout, fold } of rounds) {
        const deliveries = words.flatMap(({ purchase, says, pounds, commissionPence, which, times }) => {
          const history = said[purchase]!;
          const next =
            says === "repeat"
              ? history.at(-1)!
              : says === "old"
                ? history[which % history.length]!
                : nextWord(history, says, { pounds, commissionPence }, ++minute);
          if (says !== "repeat" && says !== "old") history.push(next);
          return Array.from({ length: times }, () => next);
        });
        operations += words.length;
        // All of a round at once, in no order: what holds is decided by the network's dates.
        await Promise.all([
          ...deliveries.map((reported) =>
            recordReportedTransaction(db, { networkId: club.networkId, reported, now: reported.modifiedAt }),
          ),
          ...(fold ? [foldTotals(db)] : []),
        ]);
        for (const reported of [...deliveries].sort((a, b) => a.modifiedAt.getTime() - b.modifiedAt.getTime()))
          paper.hear(reported.networkTransactionId, reported);
        if (payout > 0) {
          await Promise.all(
            Array.from({ length: payout }, () => payMember(db, { memberId: club.memberId, now: new Date() })),
          );
          paper.payOut();
        }
        expect(await findMemberBalances(db, { memberId: club.memberId })).toEqual(paper.balances());
        expect(await networkBalances(club.networkId)).toEqual(paper.networkBalances());
      }
    }),
    { numRuns: RUNS, endOnFailure: true, asyncReporter: reportBriefly },
  );

  await foldTotals(db);
  expect(operations).toBe(OPERATIONS);
  expect([...(await checkLedger(db)).faults, ...(await checkCashback(db))]).toEqual([]);
}, 600_000);

async function networkBalances(networkId: string) {
  const balances = await Promise.all(
    NETWORK_ACCOUNTS.map(async (kind) => [kind, await findBalance(db, { account: { kind, networkId } })] as const),
  );
  return Object.fromEntries(balances);
}

/** Thousands of operations do not shrink in any useful time: the seed repeats them, and the cause says what was wrong. */
async function reportBriefly<T>({ failed, seed, counterexamplePath, errorInstance }: fc.RunDetails<T>): Promise<void> {
  if (failed)
    throw new Error(`Property failed with { seed: ${seed}, path: "${counterexamplePath}" }`, { cause: errorInstance });
}

function nextWord(
  history: readonly ReportedTransaction[],
  says: "pending" | "approved" | "paid" | "declined",
  { pounds, commissionPence }: { pounds: number | null; commissionPence: number | null },
  minute: number,
): ReportedTransaction {
  const last = history.at(-1)!;
  const at = new Date(last.purchasedAt.getTime() + minute * 60_000);
  const sale = {
    saleMinor: pounds === null ? last.saleMinor : pounds * 100 + 7,
    commissionMinor: commissionPence ?? last.commissionMinor,
  };
  const paidToPublisher = says === "paid" || last.paidToPublisher; // what a network has paid, it has paid
  // An approved sale stays approved, even before a decline that was reversed: a reader of the last of three revisions must reach the same state.
  const wasApproved = history.some(({ status }) => status === "approved");
  const isSettled = says !== "pending" || wasApproved || paidToPublisher;
  return {
    ...last,
    ...sale,
    parts: [{ groupId: "101", groupCode: null, ...sale }],
    status: says === "declined" ? "declined" : isSettled ? "approved" : "pending",
    paidToPublisher,
    reason: says === "declined" ? "returned" : null,
    modifiedAt: at,
    observedAt: at,
  };
}
