import { makeClick, makeClub, reportedSale } from "@farthing/core/cashback/cashback.testing.ts";
import { recordReportedTransaction } from "@farthing/core/cashback/operations.server.ts";
import { advanceClosures } from "@farthing/core/closures/close-member.server.ts";
import { findClosureView } from "@farthing/core/closures/queries.server.ts";
import { changePayee, requestClosure } from "@farthing/core/closures/operations.server.ts";
import { closureDays, daysAfter } from "@farthing/core/closures/rules.ts";
import { placeHold } from "@farthing/core/payouts/holds.server.ts";
import { signIn } from "@farthing/core/payouts/payouts.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { commandEntries } from "./command-entries.testing.ts";
import { ClosureActionError, runClosureAction } from "./closure-actions.ts";

const { db } = await testDatabase();
const now = new Date("2026-11-20T10:00:00Z");
const keys = ["a key"] as const;
const run = (...words: string[]) => runClosureAction({ db, keys, by: "tester", now: () => now }, words);

test("M5 an operator lists waiting payouts and records each one, once and with the right amount", async () => {
  expect(await run("list")).toEqual(["Nobody is leaving."]);
  const club = await makeClub(db);
  const sale = reportedSale(club, await makeClick(db, club), { status: "approved", paidToPublisher: true });
  await recordReportedTransaction(db, { networkId: club.networkId, reported: sale, now });
  const payee = { name: "Ada Lovelace", sortCode: "200000", accountNumber: "55779911" };
  await requestClosure(db, {
    brandId: club.brandId,
    memberId: club.memberId,
    pendingChoice: "wait",
    payableChoice: "pay-out",
    payee,
    keys,
    now,
  });
  expect((await run("list")).join("\n"), "nothing to pay in the week of second thoughts").not.toContain("55779911");
  await advanceClosures(db, { now: daysAfter(now, closureDays.cancel) });
  const listed = (await run("list")).join("\n");
  expect(listed).toContain("pay £6.00 to Ada Lovelace, 20-00-00, 55779911");
  const id = /^\S+/.exec(listed)?.[0] ?? "";
  await expect(run("paid", id, "5.99")).rejects.toThrow(/£6.00 is payable/);
  await expect(run("paid", id, "six")).rejects.toThrow(ClosureActionError);
  await expect(run("paid", "no-such", "6.00")).rejects.toThrow(/no closure/);
  await expect(run("paid", id)).rejects.toThrow(/npm run closures/);
  expect(await run("paid", id, "6.00")).toEqual(["Paid £6.00; the account is closed and its data erased."]);
  await expect(run("paid", id, "6.00")).rejects.toThrow(/the closure is closed/);
  expect(await commandEntries(db, "tester"), "A1").toEqual([`member.pay-closure ${club.memberId}`]);
  expect(await run("list")).toEqual(["Nobody is leaving."]);
});

test("M5 details that can't be decrypted hide nobody else's, and are paid to by nobody", async () => {
  const [lost, other] = [await makeClub(db, { networkSlug: "cj" }), await makeClub(db, { networkSlug: "impact" })];
  for (const [club, key] of [
    [lost, "a key that is gone"],
    [other, "a key"],
  ] as const) {
    const sale = reportedSale(club, await makeClick(db, club), { status: "approved", paidToPublisher: true });
    await recordReportedTransaction(db, { networkId: club.networkId, reported: sale, now });
    const payee = { name: `Payee of ${key}`, sortCode: "200000", accountNumber: "55779911" };
    const { brandId, memberId } = club;
    await requestClosure(db, {
      ...{ brandId, memberId, payee, keys: [key], now },
      ...{ pendingChoice: "wait", payableChoice: "pay-out" },
    });
  }
  await advanceClosures(db, { now: daysAfter(now, closureDays.cancel) });
  const listed = (await run("list")).join("\n");
  expect(listed).toContain("pay £6.00 to Payee of a key, 20-00-00, 55779911");
  expect(listed).toMatch(/pay £6\.00 to bank details that can't be decrypted: .*FARTHING_OLD_SECRETS/);
  const id = /^(\S+) .*\n {2}pay £6\.00 to bank details that can't/m.exec(listed)?.[1] ?? "";
  await expect(run("paid", id, "6.00")).rejects.toThrow(/can't be decrypted/);
  expect((await run("list")).join("\n"), "nothing was recorded").toBe(listed);
  const view = await findClosureView(db, { memberId: lost.memberId, keys, now });
  expect(view.open, "the member gives them again").toMatchObject({ state: "awaiting_payout", accountEnding: null });
});

test("M5 nothing is listed to be paid, or recorded as paid, once a shop has taken the money back", async () => {
  const club = await makeClub(db, { networkSlug: "awin-2" });
  const { brandId, memberId, networkId } = club;
  const sale = reportedSale(club, await makeClick(db, club), { status: "approved", paidToPublisher: true });
  await recordReportedTransaction(db, { networkId, reported: sale, now });
  const payee = { name: "Grace Hopper", sortCode: "200000", accountNumber: "55779911" };
  await requestClosure(db, { brandId, memberId, payee, keys, now, pendingChoice: "wait", payableChoice: "pay-out" });
  await advanceClosures(db, { now: daysAfter(now, closureDays.cancel) });
  expect(await findClosureView(db, { memberId, keys, now })).toMatchObject({ open: { state: "awaiting_payout" } });
  const modifiedAt = new Date(sale.modifiedAt.getTime() + 60_000);
  const taken = { ...sale, status: "declined" as const, modifiedAt, observedAt: modifiedAt };
  await recordReportedTransaction(db, { networkId, reported: taken, now });
  const listed = await run("list");
  expect(listed.join("\n")).not.toContain("Grace Hopper");
  const line = listed.find((one) => one.endsWith("nothing to pay by hand")) ?? "";
  await expect(run("paid", /^\S+/.exec(line)?.[0] ?? "", "6.00")).rejects.toThrow(/The account closes by itself/);
});

test("M5 C6 a member on hold is listed without bank details, and the refusal names the hold and how to lift it", async () => {
  const club = await makeClub(db, { networkSlug: "awin-3" });
  const { brandId, memberId, networkId } = club;
  const sale = reportedSale(club, await makeClick(db, club), { status: "approved", paidToPublisher: true });
  await recordReportedTransaction(db, { networkId, reported: sale, now });
  const payee = { name: "Mary Shelley", sortCode: "200000", accountNumber: "55779911" };
  await requestClosure(db, { brandId, memberId, payee, keys, now, pendingChoice: "wait", payableChoice: "pay-out" });
  await advanceClosures(db, { now: daysAfter(now, closureDays.cancel) });
  const { member_number: memberNumber } = await db
    .selectFrom("members")
    .select("member_number")
    .where("id", "=", memberId)
    .executeTakeFirstOrThrow();
  const placed = await placeHold(db, { memberNumber, reason: "ten accounts, one card", by: "an operator", now });
  const hold = placed.outcome === "held" ? placed.publicId : "";
  const listed = (await run("list")).join("\n");
  expect(listed).not.toContain("Mary Shelley");
  expect(listed).toContain(`pay nothing: payouts are on hold (${hold}): ten accounts, one card`);
  const { public_id: id } = await db
    .selectFrom("closures")
    .select("public_id")
    .where("member_id", "=", memberId)
    .executeTakeFirstOrThrow();
  const refused = run("paid", id, "6.00");
  await expect(refused).rejects.toThrow(`on hold (${hold}): ten accounts, one card`);
  await expect(refused).rejects.toThrow(`npm run payouts -- lift ${hold}`);
});

test("M5 C6 a changed account is listed with the moment before which nothing is paid to it, and paid to after that", async () => {
  const club = await makeClub(db, { networkSlug: "awin-4" });
  const { brandId, memberId, networkId } = club;
  const sale = reportedSale(club, await makeClick(db, club), { status: "approved", paidToPublisher: true });
  await recordReportedTransaction(db, { networkId, reported: sale, now });
  const payee = { name: "Ada Byron", sortCode: "200000", accountNumber: "55779911" };
  const asked = daysAfter(now, -closureDays.cancel);
  const choices = { pendingChoice: "wait", payableChoice: "pay-out" } as const;
  await requestClosure(db, { brandId, memberId, payee, keys, now: asked, ...choices });
  await advanceClosures(db, { now });
  const sessionId = await signIn(db, club);
  const changed = { ...payee, name: "Ada King" };
  const change = (at: Date) => changePayee(db, { brandId, memberId, sessionId, payee: changed, keys, now: at });
  expect(await change(now)).toBe("changed");
  const listed = await run("list");
  const line = listed.findIndex((one) => one.includes("Ada King"));
  expect(listed[line]).toContain(", not before 2026-11-23T10:00:00.000Z");
  const id = /^\S+/.exec(listed[line - 1] ?? "")?.[0] ?? "";
  await expect(run("paid", id, "6.00")).rejects.toThrow(/nothing is paid to them before 2026-11-23T10:00:00\.000Z/);
  const later = { db, keys, by: "tester", now: () => new Date("2026-11-23T10:00:00Z") };
  expect((await runClosureAction(later, ["list"])).join("\n")).toMatch(/Ada King, 20-00-00, 55779911$/m);
  expect(await runClosureAction(later, ["paid", id, "6.00"])).toHaveLength(1);
});
