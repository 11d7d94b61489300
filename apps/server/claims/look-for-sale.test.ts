import { makeClaimClub, madeClaim, claimRow, daysAfter, memoryFiler } from "@farthing/core/claims/claims.testing.ts";
import { decideClaim, makePack } from "@farthing/core/claims/operators.server.ts";
import { reportedSale } from "@farthing/core/cashback/cashback.testing.ts";
import { createNetworkRegistry } from "@farthing/core/networks/network-registry.ts";
import type { ReportedTransaction } from "@farthing/core/networks/network-transaction.ts";
import { NetworkUnavailableError, type NetworkProvider } from "@farthing/core/networks/provider.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeEach, expect, test } from "vitest";
import { workClaims } from "./claim-jobs.ts";

const { db } = await testDatabase();
beforeEach(async () => void (await db.deleteFrom("claims").execute()));
const logger = { info() {}, warn() {}, error() {} };
const entriesOf = (memberId: string) =>
  db.selectFrom("cashback_entries").select("state").where("member_id", "=", memberId).execute();

/** A network with a report that the test fills, and a worker. The purchase was made on 1 October. */
async function atNetwork({ hasApi }: { hasApi: boolean }) {
  const club = await makeClaimClub(db);
  const { slug } = await db
    .selectFrom("networks")
    .select("slug")
    .where("id", "=", club.networkId)
    .executeTakeFirstOrThrow();
  const { filer, answers } = memoryFiler();
  const rows: ReportedTransaction[] = [];
  const asked: string[] = [];
  const state = { isDown: false, now: daysAfter(60) };
  const answer = (wanted: (row: ReportedTransaction) => boolean) => {
    if (state.isDown) throw new NetworkUnavailableError("down for the test");
    return { transactions: rows.filter(wanted).map((row) => ({ ...row, observedAt: state.now })), unreadable: [] };
  };
  const provider: NetworkProvider = {
    slug,
    passes: ["transaction", "validation"],
    linkOrigins: [],
    buildLink: () => "",
    readPush: () => ({ outcome: "unreadable", problem: "" }),
    readReportFile: () => ({ outcome: "unreadable", problem: "It has no files." }),
    callsLeft: () => 100,
    async fetchTransactionsById(ids) {
      asked.push(`ids ${ids.join()}`);
      return answer((row) => ids.includes(row.networkTransactionId));
    },
    async *fetchTransactions({ pass, from, to }) {
      asked.push(`${pass} ${from.toISOString().slice(0, 10)} ${to.toISOString().slice(0, 10)}`);
      yield { ...answer((row) => row.purchasedAt >= from && row.purchasedAt <= to), coveredUntil: to };
    },
    ...(hasApi ? { claims: filer } : {}),
  };
  const networks = createNetworkRegistry([provider]);
  const id = await madeClaim(db, club, { now: daysAfter(60) });
  const work = async (now: Date) => {
    state.now = now;
    await workClaims({ db, networks, unsubscribeKeys: ["a key"], logger, now: () => now });
    return (await claimRow(db, id)).state;
  };
  const lists = (changes: Parameters<typeof reportedSale>[2] = {}) =>
    rows.push(reportedSale(club, null, { networkTransactionId: "sale-1", ...changes }));
  return { club, slug, id, answers, asked, state, work, lists };
}

test("C7 an old sale that an accepted claim brings to life is asked for by the id that the answer names", async () => {
  const { club, id, answers, asked, work, lists } = await atNetwork({ hasApi: true });
  expect(await work(daysAfter(60))).toBe("filed");
  answers.set("ORDER-1", { state: "accepted", networkTransactionId: "sale-1" });
  lists({ orderReference: "M-1" });
  expect(await work(daysAfter(62))).toBe("accepted");
  expect(await work(daysAfter(62))).toBe("credited");
  expect(asked).toEqual(["ids sale-1"]);
  expect(await entriesOf(club.memberId)).toEqual([{ state: "tracked" }]);
  expect((await claimRow(db, id)).credited_transaction_id).not.toBeNull();
});

test("C7 one that no answer names is asked for by its day, after a network that was down too", async () => {
  const { club, asked, answers, state, work, lists } = await atNetwork({ hasApi: true });
  await work(daysAfter(60));
  answers.set("ORDER-1", { state: "accepted" });
  await work(daysAfter(62));
  state.isDown = true;
  expect(await work(daysAfter(62))).toBe("accepted");
  state.isDown = false;
  expect(await work(daysAfter(63)), "the report does not have it yet").toBe("accepted");
  lists();
  expect(await work(daysAfter(64))).toBe("credited");
  expect(new Set(asked)).toEqual(new Set(["transaction 2026-09-28 2026-10-05"]));
  expect(asked).toHaveLength(3);
  expect(await entriesOf(club.memberId)).toHaveLength(1);
});

test("C7 a claim that went by pack is looked for when an operator has accepted it", async () => {
  const { club, slug, id, work, lists } = await atNetwork({ hasApi: false });
  expect(await work(daysAfter(60))).toBe("open");
  await makePack(db, { network: slug, by: "op", now: daysAfter(60) });
  const decision = { state: "accepted", note: null } as const;
  await decideClaim(db, { publicId: id, decision, by: "op", now: daysAfter(70) });
  lists();
  expect(await work(daysAfter(70))).toBe("credited");
  expect(await entriesOf(club.memberId)).toHaveLength(1);
});

test("C7 an accepted claim that the report never lists is a person's after four months, and is credited all the same", async () => {
  const { id, answers, asked, work } = await atNetwork({ hasApi: true });
  await work(daysAfter(60));
  answers.set("ORDER-1", { state: "accepted" });
  await work(daysAfter(62));
  await work(daysAfter(62 + 119));
  expect((await claimRow(db, id)).given_up_at).toBeNull();
  await work(daysAfter(62 + 121));
  expect(await claimRow(db, id)).toMatchObject({
    state: "accepted",
    given_up_at: expect.any(Date),
    last_error: expect.stringMatching(/has not listed its sale/),
  });
  const calls = asked.length;
  await work(daysAfter(62 + 130));
  expect(asked).toHaveLength(calls);
});
