import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { advanceClosures } from "@farthing/core/closures/close-member.server.ts";
import { requestClosure } from "@farthing/core/closures/operations.server.ts";
import { closureDays, daysAfter } from "@farthing/core/closures/rules.ts";
import {
  account,
  bankKeys,
  earn,
  faultsOf,
  giveDetails,
  makePayingClub,
  method,
  MONDAY,
  payeeKeys,
  WEDNESDAY,
} from "@farthing/core/payouts/payouts.testing.ts";
import { approveBatch } from "@farthing/core/payouts/approve.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { commandLine } from "../command-line.ts";
import { filesFolder } from "./files-folder.ts";
import { commandEntries } from "./command-entries.testing.ts";
import { runPayoutAction } from "./payout-actions.ts";
import { PayoutActionError } from "./payout-command.ts";

const { db } = await testDatabase();
const folder = await mkdtemp(join(tmpdir(), "payouts-"));
const clock = { now: MONDAY };
const written = new Map<string, string>();
const parts = {
  db,
  method,
  bankKeys,
  payeeKeys,
  by: "tester",
  now: () => clock.now,
  folderProblem: async (): Promise<string | null> => null,
  async write(name: string, text: string) {
    written.set(name, text);
    return name;
  },
};
const run = async (...words: string[]) => (await runPayoutAction(parts, words)).join("\n");
const runAs = async (by: string, ...words: string[]) => (await runPayoutAction({ ...parts, by }, words)).join("\n");
/** Makes a batch that a second person approves, and returns its number. */
async function approvedBatch(): Promise<string> {
  const batch = /approve (\d+)/.exec(await run("batch"))?.[1] ?? "";
  await runAs("second", "approve", batch);
  return batch;
}
/** What the log has of the tester's commands about a record: action and reason. */
const entriesOf = async (id: string) =>
  (
    await db
      .selectFrom("audit_entries")
      .select(["action", "why"])
      .where("subject_id", "=", id)
      .where("actor", "=", `command: ${parts.by}`)
      .orderBy("seq")
      .execute()
  ).map(({ action, why }) => [action, why]);
const refusal = (...words: string[]) =>
  expect(runPayoutAction(parts, words)).rejects.toThrow(PayoutActionError) as Promise<void>;
const club = await makePayingClub(db, { networkSlug: "commands" });
const numberOf = async (memberId: string) =>
  (await db.selectFrom("members").select("member_number").where("id", "=", memberId).executeTakeFirstOrThrow())
    .member_number;

test("C6 an operator pays a member: request, batch, confirm, and what the bank sends back", async () => {
  await earn(db, club);
  await giveDetails(db, club);
  const member = await numberOf(club.memberId);
  expect(await run("list")).toContain("Nothing waits");
  expect(await run("request", member)).toContain("£6.00");
  await refusal("request", member);
  expect(await run("list")).toContain("requested");
  const made = await run("batch");
  expect(made).toContain("1 payment, £6.00");
  expect(made).toContain("by 22:30 on 2026-11-23");
  const batch = /approve (\d+)/.exec(made)?.[1] ?? "";
  expect([...written.keys()], "no file before a second person has approved it").toEqual([]);
  await refusal("file", batch);
  await refusal("approve", batch);
  await refusal("approve", "999999");
  expect(await runAs("second", "approve", batch)).toContain(`confirm ${batch}`);
  await refusal("approve", batch);
  await refusal("reject", batch, "too late");
  expect([...written.keys()]).toEqual([`bacs-${batch}.txt`, `bacs-${batch}.csv`]);
  expect(made, "the screen has no bank details").not.toContain(account.accountNumber);
  const first = written.get(`bacs-${batch}.txt`);
  await run("file", batch);
  expect(written.get(`bacs-${batch}.txt`)).toBe(first);
  await refusal("confirm", batch);
  clock.now = WEDNESDAY;
  expect(await run("confirm", batch)).toContain("1 payment recorded as paid, £6.00");
  expect(await run("batches")).toContain("confirmed");
  const reference = /FP\w{10}/.exec(first ?? "")?.[0] ?? "";
  const path = join(folder, "failures.csv");
  await writeFile(path, `reference,amount,code\n${reference},6.00,B\nFPNOSUCHREFX,1.00,0\n`);
  const applied = await run("failures", path);
  expect(applied).toContain("came back");
  expect(applied).toContain("NOT OURS");
  expect(applied).toContain("1 of 2 applied, £6.00");
  expect(await run("failures", path)).toContain("was applied before");
  expect(await faultsOf(db)).toEqual([]);
});

test("C6 M5 a member who leaves is paid in the same batch, and the account closes when it is confirmed", async () => {
  clock.now = MONDAY;
  const leaving = await makePayingClub(db, { networkSlug: "leaving" });
  await earn(db, leaving);
  const { brandId, memberId } = leaving;
  const choices = { pendingChoice: "wait", payableChoice: "pay-out" } as const;
  const asked = daysAfter(MONDAY, -closureDays.cancel);
  await requestClosure(db, { brandId, memberId, ...choices, payee: account, keys: payeeKeys, now: asked });
  await advanceClosures(db, { now: MONDAY });
  const stateOf = async () =>
    (await db.selectFrom("closures").select("state").where("member_id", "=", memberId).executeTakeFirstOrThrow()).state;
  expect(await stateOf()).toBe("awaiting_payout");
  const batch = await approvedBatch();
  expect(await run("batch"), "once").toContain("no batch was made");
  expect(written.get(`bacs-${batch}.txt`)).toContain(account.accountNumber);
  expect(await stateOf()).toBe("awaiting_payout");
  clock.now = WEDNESDAY;
  await run("confirm", batch);
  expect(await stateOf()).toBe("closed");
  expect(await faultsOf(db)).toEqual([]);
});

test("C6 M5 the bank refuses the account of a member who leaves: they are asked for another, and paid there once", async () => {
  clock.now = MONDAY;
  const leaving = await makePayingClub(db, { networkSlug: "refused" });
  await earn(db, leaving);
  const { brandId, memberId } = leaving;
  const choices = { pendingChoice: "wait", payableChoice: "pay-out" } as const;
  const asked = daysAfter(MONDAY, -closureDays.cancel);
  await requestClosure(db, { brandId, memberId, ...choices, payee: account, keys: payeeKeys, now: asked });
  await advanceClosures(db, { now: MONDAY });
  const batch = await approvedBatch();
  const reference = /FP\w{10}/.exec(written.get(`bacs-${batch}.txt`) ?? "")?.[0] ?? "";
  const path = join(folder, "refused.csv");
  await writeFile(path, `reference,amount,code\n${reference},6.00,5\n`);
  expect(await run("failures", path), "before its processing day").toContain("has not processed it yet");
  clock.now = WEDNESDAY;
  expect(await run("failures", path)).toContain("not paid");
  expect(await run("batch"), "not to the same account").toContain("no batch was made");
  const closure = await db
    .selectFrom("closures")
    .selectAll()
    .where("member_id", "=", memberId)
    .executeTakeFirstOrThrow();
  expect(closure).toMatchObject({ state: "awaiting_payout", payee: null });
  const mails = await db.selectFrom("mails").select("kind").where("member_id", "=", memberId).execute();
  expect(mails.map(({ kind }) => kind)).toContain("closure-bank-details");
});

test("C6 an operator holds a member's payouts with a reason, sees it, and lifts it", async () => {
  clock.now = MONDAY;
  const held = await makePayingClub(db, { networkSlug: "held" });
  await earn(db, held);
  await giveDetails(db, held);
  const member = await numberOf(held.memberId);
  expect(await run("holds")).toBe("Nobody is on hold.");
  await refusal("hold", member);
  await refusal("hold", "no-such", "a reason");
  expect(await run("hold", member, "ten", "accounts,", "one", "card")).toBe("Held.");
  const listed = await run("holds");
  expect(listed).toContain("by tester: ten accounts, one card");
  await refusal("request", member);
  await refusal("lift", "no-such");
  expect(await run("lift", /^\S+/.exec(listed)?.[0] ?? "")).toContain("Lifted");
  expect(await run("request", member)).toContain("£6.00");
  const payout = /^(\S+) .*requested/m.exec(await run("list"))?.[1] ?? "";
  await refusal("stop", payout, "no-such-reason");
  expect(await run("stop", payout)).toContain("Stopped");
  expect(await entriesOf(payout)).toEqual([
    ["payout.request", null],
    ["payout.stop", "operator"],
  ]);
  await refusal("stop", "no-such");
});

test("C6 whoever is alone approves a batch of their own with a reason, and rejects one with a reason", async () => {
  clock.now = MONDAY;
  const alone = await makePayingClub(db, { networkSlug: "alone" });
  await earn(db, alone);
  await giveDetails(db, alone);
  await run("request", await numberOf(alone.memberId));
  const first = /approve (\d+)/.exec(await run("batch"))?.[1] ?? "";
  await refusal("confirm", first);
  expect(await run("reject", first, "wrong", "day")).toContain("1 payout waits");
  await refusal("approve", first, "I am alone");
  await refusal("reject", first, "again");
  expect(await run("list")).toContain(`Batch ${first} was rejected: wrong day`);
  const second = /approve (\d+)/.exec(await run("batch"))?.[1] ?? "";
  expect(await run("approve", second, "I", "am", "alone")).toContain("is approved");
  expect(await run("batches")).toMatch(new RegExp(`^${second} .* not confirmed\n${first} .* rejected$`, "m"));
  expect(await entriesOf(first), "a refused command leaves no entry of a decision").toEqual([
    ["payout-batch.make", null],
    ["payout-batch.confirm.begin", null],
    ["payout-batch.confirm.refused", null],
    ["payout-batch.reject", "wrong day"],
  ]);
  expect(await entriesOf(second), "the log names who has the files").toEqual([
    ["payout-batch.make", null],
    ["payout-batch.approve", "I am alone"],
    ["payout-batch.download", "both files"],
  ]);
  expect(await run("cancel", second, "the", "wrong", "account")).toContain("1 payout waits");
  expect((await entriesOf(second)).at(-1)).toEqual(["payout-batch.cancel", "the wrong account"]);
  await refusal("cancel", second, "again");
  for (const command of ["file", "approve"])
    await expect(runPayoutAction(parts, [command, second])).rejects.toThrow("was cancelled");
  clock.now = WEDNESDAY;
  await refusal("confirm", second);
  expect(await run("batches")).toContain("cancelled");
  expect(await faultsOf(db)).toEqual([]);
});

test("C6 where the files can't be written, nothing is approved; where writing them fails afterwards, it says what is done", async () => {
  clock.now = MONDAY;
  const lost = await makePayingClub(db, { networkSlug: "unwritable" });
  await earn(db, lost);
  await giveDetails(db, lost);
  await run("request", await numberOf(lost.memberId));
  const batch = /approve (\d+)/.exec(await run("batch"))?.[1] ?? "";
  const errorOf = (other: Partial<typeof parts>, ...words: string[]) =>
    runPayoutAction({ ...parts, by: "second", ...other }, words).then(
      () => "",
      (error: unknown) => (error instanceof PayoutActionError ? error.message : `no action's error: ${String(error)}`),
    );
  const file = join(folder, "no-folder");
  await writeFile(file, "");
  for (const place of [join(folder, "nowhere"), file])
    expect(await errorOf(filesFolder(place), "approve", batch)).toMatch(
      new RegExp(`^Nothing was done: ${place} is not .+ Set PAYOUTS_DIR`),
    );
  expect(await run("batches")).toMatch(new RegExp(`^${batch} .* not approved$`, "m"));

  const fullDisk = {
    async write(): Promise<string> {
      throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    },
  };
  const said = await errorOf(fullDisk, "approve", batch);
  expect(said).toContain(`Batch ${batch} is approved.`);
  expect(said).toContain("Send it by 22:30 on 2026-11-23.");
  expect(said).toContain("ENOSPC");
  expect(said).toContain(commandLine(`payouts file ${batch}`));
  expect(said).toContain(commandLine(`payouts confirm ${batch}`));
  expect(await run("batches")).toMatch(new RegExp(`^${batch} .* not confirmed$`, "m"));
  expect(await errorOf(fullDisk, "file", batch)).toContain("ENOSPC");
  expect(await errorOf(filesFolder(file), "file", batch)).toMatch(/^Nothing was done: /);
  expect(await runAs("second", "file", batch)).toContain(`bacs-${batch}.txt`);
});

test("C6 a batch whose files nobody has had is not confirmed without a reason, as after a restore, and its files are not written late", async () => {
  clock.now = MONDAY;
  const lost = await makePayingClub(db, { networkSlug: "restored" });
  await earn(db, lost);
  await giveDetails(db, lost);
  await run("request", await numberOf(lost.memberId));
  const batch = /approve (\d+)/.exec(await run("batch"))?.[1] ?? "";
  await approveBatch(db, { batchNumber: Number(batch), by: "second", aloneBecause: null, now: MONDAY });
  await refusal("confirm", batch, "too", "early");
  clock.now = WEDNESDAY;
  await expect(run("file", batch)).rejects.toThrow("the bank refuses them now");
  await expect(run("confirm", batch)).rejects.toThrow("nobody has had the files");
  expect(await run("confirm", batch, "sent", "before", "the", "restore")).toContain(
    "1 payment recorded as paid, £6.00",
  );
  expect((await entriesOf(batch)).slice(-3)).toEqual([
    ["payout-batch.download", "at the bank already: sent before the restore"],
    ["payout-batch.confirm.begin", "sent before the restore"],
    ["payout-batch.confirm", "sent before the restore"],
  ]);
  expect(await faultsOf(db)).toEqual([]);
});

test("C6 the smallest withdrawal is a brand's own", async () => {
  const { slug } = await db
    .selectFrom("brands")
    .select("slug")
    .where("id", "=", club.brandId)
    .executeTakeFirstOrThrow();
  expect(await run("threshold", slug, "7.50")).toContain("£7.50");
  for (const pounds of ["0", "-1", "x", "1000.01"]) await refusal("threshold", slug, pounds);
  await refusal("threshold", "no-such", "5");
});

test("C6 a command that is none, has too few words, or names nothing that exists says what to do", async () => {
  for (const words of [
    [],
    ["pay"],
    ["toString"],
    ["confirm"],
    ["confirm", "x"],
    ["confirm", "999999"],
    ["file", "999999"],
    ["approve"],
    ["approve", "x"],
    ["reject", "1"],
    ["reject", "999999", "no such"],
    ["cancel", "999999", "no such"],
  ])
    await refusal(...words);
  await refusal("failures", join(folder, "no-such-file"));
  await expect(runPayoutAction({ ...parts, method: null }, ["batch"])).rejects.toThrow(/BACS_ORIGINATOR/);
});

test("A1 C6 a batch, a request, a hold and a threshold are in the log with who typed them", async () => {
  const own = await makePayingClub(db, { networkSlug: "commands-logged" });
  await earn(db, own);
  await giveDetails(db, own);
  const number = await numberOf(own.memberId);
  const { slug } = await db.selectFrom("brands").select("slug").where("id", "=", own.brandId).executeTakeFirstOrThrow();
  const typed = async (...words: string[]) => runAs("oscar", ...words);
  const payout = /payout (\S+)\./.exec(await typed("request", number))?.[1] ?? "";
  const batch = /approve (\d+)/.exec(await typed("batch"))?.[1] ?? "";
  await typed("hold", number, "one", "card,", "ten", "accounts");
  await typed("hold", number, "held", "already");
  const held = (
    await db
      .selectFrom("payout_holds")
      .select("public_id as id")
      .where("member_id", "=", own.memberId)
      .executeTakeFirstOrThrow()
  ).id;
  await typed("lift", held);
  await typed("threshold", slug, "12.50");
  await expect(typed("lift", held)).rejects.toThrow(PayoutActionError);
  await expect(typed("threshold", "nowhere", "12.50")).rejects.toThrow(PayoutActionError);
  expect(await commandEntries(db, "oscar")).toEqual([
    `payout.request ${payout}`,
    `payout-batch.make ${batch}`,
    `payout-hold.place ${held}`,
    `payout-hold.lift ${held}`,
    `brand.change ${slug}`,
  ]);
});

test("A1 C6 each payout that a bank report ends is in the log once, with who applied it", async () => {
  clock.now = MONDAY;
  const paid = await makePayingClub(db, { networkSlug: "failures-logged" });
  await earn(db, paid);
  await giveDetails(db, paid);
  const payout = /payout (\S+)\./.exec(await run("request", await numberOf(paid.memberId)))?.[1] ?? "";
  await approvedBatch();
  const { bank_reference: reference } = await db
    .selectFrom("payouts")
    .select("bank_reference")
    .where("public_id", "=", payout)
    .executeTakeFirstOrThrow();
  const path = join(folder, "logged.csv");
  await writeFile(path, `reference,amount,code\n${reference},6.00,B\n${reference},6.00,B\nFPNOSUCHREFY,1.00,0\n`);
  await runAs("olga", "failures", path);
  expect(await commandEntries(db, "olga"), "before its processing day").toEqual([]);
  clock.now = WEDNESDAY;
  expect(await runAs("olga", "failures", path)).toContain("1 of 3 applied, £6.00");
  await runAs("olga", "failures", path);
  expect(await commandEntries(db, "olga")).toEqual([`payout.fail ${payout}`]);
  const entry = await db
    .selectFrom("audit_entries")
    .select(["before", "after", "why"])
    .where("subject_id", "=", payout)
    .where("action", "=", "payout.fail")
    .executeTakeFirstOrThrow();
  expect(entry).toMatchObject({ before: { state: "processing" }, after: { state: "failed" }, why: "account_closed" });
});
