import { testDatabase } from "@farthing/db/testing/test-database.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertVerifiedMember } from "../testing/insert-member.testing.ts";
import { insertNetwork } from "../testing/insert-network.testing.ts";
import { findBalance } from "./balances.server.ts";
import { checkLedger } from "./check.server.ts";
import { foldEverything } from "./ledger.testing.ts";
import { postTransfer, TransferConflictError } from "./operations.server.ts";
import { postTransfers } from "./post-transfers.server.ts";
import type { AccountRef, NewTransfer } from "./rules.ts";
import { foldTotals } from "./totals.server.ts";

const { db } = await testDatabase({ max: 6 });

/** What somebody asks of the ledger under one of a few keys, so that keys come again with the same content and with another. */
interface Ask {
  how: "post" | "post-in-a-set" | "roll-back";
  key: number;
  from: number;
  to: number;
  pence: number;
}

const ask: fc.Arbitrary<Ask> = fc
  .record({
    how: fc.constantFrom("post" as const, "post" as const, "post-in-a-set" as const, "roll-back" as const),
    key: fc.nat({ max: 7 }),
    from: fc.nat({ max: 3 }),
    to: fc.nat({ max: 3 }),
    pence: fc.constantFrom(1, 2, 999_999_999),
  })
  .filter(({ from, to }) => from !== to);
/** What is asked at the same time names different keys; folds run beside it. */
const round = fc.record({
  asks: fc.uniqueArray(ask, { selector: ({ key }) => key, minLength: 1, maxLength: 5 }),
  folds: fc.nat({ max: 2 }),
});

class ChangedMindError extends Error {}

test("C4 any transfers, repeated, contradicted, rolled back and folded at the same time leave each account what a map of keys says", async () => {
  const brandId = (await insertBrand(db)).id;
  const networkId = (await insertNetwork(db, { slug: "awin" })).id;
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 6 }), async (rounds) => {
      const run = (runs += 1);
      const memberId = (await insertVerifiedMember(db, { brandId })).id;
      const kinds = ["member_tracked", "member_confirmed", "member_payable", "member_in_transit"] as const;
      const accounts: AccountRef[] = kinds.map((kind) => ({ kind, memberId }));
      const toTransfer = ({ key, from, to, pence }: Ask): NewTransfer => ({
        key: `model:${run}:${key}`,
        kind: "cashback_tracked",
        legs: [
          { account: accounts[from]!, amountPence: -pence },
          { account: accounts[to]!, amountPence: pence },
        ],
        cause: { kind: "cashback_entry", id: networkId },
        happenedAt: new Date("2026-11-20T10:00:00Z"),
      });
      /** What the ledger must say to an ask, and what it holds afterwards. */
      const model = new Map<number, Ask>();
      const answerOf = ({ key, from, to, pence }: Ask) => {
        const known = model.get(key);
        if (!known) return "posted";
        return known.from === from && known.to === to && known.pence === pence ? "already-posted" : "conflict";
      };
      let companions = 0;
      /** A set has two transfers; this one is of other accounts. */
      const companion = (): NewTransfer => ({
        ...toTransfer({ how: "post", key: 0, from: 0, to: 1, pence: 1 }),
        key: `model:${run}:companion:${(companions += 1)}`,
        legs: [
          { account: { kind: "club_earned" }, amountPence: 1 },
          { account: { kind: "network_received", networkId }, amountPence: -1 },
        ],
      });
      const answer = async (one: Ask): Promise<string> => {
        try {
          return await db.transaction().execute(async (trx) => {
            const wanted = toTransfer(one);
            const { outcome } =
              one.how === "post-in-a-set"
                ? (await postTransfers(trx, [wanted, companion()]))[0]!
                : await postTransfer(trx, wanted);
            if (one.how === "roll-back") throw new ChangedMindError(outcome);
            return outcome;
          });
        } catch (error) {
          if (error instanceof ChangedMindError) return error.message;
          if (error instanceof TransferConflictError) return "conflict";
          throw error;
        }
      };
      for (const { asks, folds } of rounds) {
        const must = asks.map(answerOf);
        const [said] = await Promise.all([
          Promise.all(asks.map(answer)),
          ...Array.from({ length: folds }, () => foldTotals(db)),
        ]);
        expect(said).toEqual(must);
        for (const [at, one] of asks.entries())
          if (must[at] === "posted" && one.how !== "roll-back") model.set(one.key, one);
        const held = accounts.map((_, account) =>
          [...model.values()].reduce(
            (sum, { from, to, pence }) => sum + (to === account ? pence : from === account ? -pence : 0),
            0,
          ),
        );
        expect(await Promise.all(accounts.map((account) => findBalance(db, { account })))).toEqual(held);
      }
    }),
    { numRuns: 40 },
  );
  await foldEverything(db);
  expect((await checkLedger(db)).faults).toEqual([]);
});
