import { insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import {
  account,
  bankKeys,
  earn,
  faultsOf,
  giveDetails,
  makeApprovedBatch,
  makePayingClub,
  method,
  MONDAY,
  payeeKeys,
  WEDNESDAY,
} from "@farthing/core/payouts/payouts.testing.ts";
import { removeBankDetails } from "@farthing/core/bank-details/operations.server.ts";
import { applyFailures } from "@farthing/core/payouts/failures.server.ts";
import { requestPayout } from "@farthing/core/payouts/operations.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { afterEach, expect, test } from "vitest";

const { db } = await testDatabase();
loadAdmin();

const clock = { now: MONDAY };
const admin = openTestAdmin(db, { now: () => clock.now });
afterEach(() => expect(admin.errors).toEqual([]));

let clubs = 0;
/** A member who has asked for £6.00. */
async function asking() {
  clock.now = MONDAY;
  const club = await makePayingClub(db, { networkSlug: `admin-${(clubs += 1)}` });
  await earn(db, club);
  await giveDetails(db, club);
  const asked = await requestPayout(db, { ...club, sessionId: null, now: MONDAY });
  if (asked.outcome !== "requested") throw new Error(asked.outcome);
  const { member_number: memberNumber } = await db
    .selectFrom("members")
    .select("member_number")
    .where("id", "=", club.memberId)
    .executeTakeFirstOrThrow();
  const payout = await db
    .selectFrom("payouts")
    .selectAll()
    .where("public_id", "=", asked.publicId)
    .executeTakeFirstOrThrow();
  return { ...club, memberNumber, publicId: asked.publicId, reference: payout.bank_reference };
}

const stateOf = async (publicId: string) =>
  (await db.selectFrom("payouts").select("state").where("public_id", "=", publicId).executeTakeFirstOrThrow()).state;
const entriesOf = async (subjectId: string) =>
  (
    await db
      .selectFrom("audit_entries")
      .select(["action", "actor", "why"])
      .where("subject_id", "=", subjectId)
      .orderBy("seq")
      .execute()
  ).map(({ action, actor, why }) => [action, actor, why]);

const finance = await insertOperator(db, { role: "finance", now: MONDAY });
const second = await insertOperator(db, { role: "finance", name: "Second", now: MONDAY });
const owner = await insertOperator(db, { role: "owner", now: MONDAY });

async function makeBatch(by = finance): Promise<string> {
  const made = await admin.post("/admin/payouts/batches", by, { act: "make" });
  expect(made.status).toBe(303);
  return made.headers.get("location")!;
}

test("A1 C6 a batch is made by one operator, approved by another, sent, confirmed, and each step is in the log", async () => {
  const { publicId, reference, memberNumber } = await asking();
  const list = await (await admin.get(`/admin/payouts?q=${memberNumber}`, finance)).text();
  expect(list).toContain(reference);
  const batch = await makeBatch();
  const number = batch.split("/").at(-1)!;
  expect(await (await admin.get(batch, finance)).text()).toContain("somebody else approves it");
  for (const kind of ["txt", "csv"])
    expect((await admin.post(`${batch}/file`, finance, { kind })).status, "not before it is approved").toBe(409);
  expect((await admin.post(batch, finance, { act: "confirm" })).status).toBe(409);

  const alone = await admin.post(batch, finance, { act: "approve", confirmed: "yes", why: "nobody else is here" });
  expect(alone.status, "finance approves no batch of its own").toBe(403);
  const approved = await admin.post(batch, second, { act: "approve" });
  expect(await approved.text()).toContain("22:30 on 23 Nov 2026");
  const file = await admin.post(`${batch}/file`, second, { kind: "txt" });
  expect(file.headers.get("content-disposition")).toContain(`bacs-${number}.txt`);
  expect(await file.text()).toContain(account.accountNumber);
  expect((await admin.post(batch, finance, { act: "confirm" })).status, "too early").toBe(409);
  expect((await admin.post(batch, second, { act: "reject", confirmed: "yes", why: "too late" })).status).toBe(409);

  clock.now = WEDNESDAY;
  const confirmed = await admin.post(batch, await insertOperator(db, { role: "finance", now: WEDNESDAY }), {
    act: "confirm",
  });
  expect(await confirmed.text()).toContain("1 payment recorded as paid, £6.00");
  expect(await stateOf(publicId)).toBe("paid");
  expect((await entriesOf(number)).map(([action]) => action)).toEqual([
    "payout-batch.make",
    ...["payout-batch.confirm.begin", "payout-batch.confirm.refused"],
    "payout-batch.approve",
    "payout-batch.download",
    ...["payout-batch.confirm.begin", "payout-batch.confirm.refused"],
    ...["payout-batch.confirm.begin", "payout-batch.confirm"],
  ]);
  expect(await faultsOf(db)).toEqual([]);
});

test("A1 C6 an owner who is alone approves a batch of their own after a question, with a reason", async () => {
  await asking();
  const batch = await makeBatch(owner);
  const asked = await (await admin.post(batch, owner, { act: "approve" })).text();
  expect(asked).toContain("alone?");
  const without = await admin.post(batch, owner, { act: "approve", confirmed: "yes", why: " " });
  expect(without.status).toBe(422);
  const done = await admin.post(batch, owner, { act: "approve", confirmed: "yes", why: "the club has one operator" });
  expect(await done.text()).toContain("By one person, because");
  expect((await entriesOf(batch.split("/").at(-1)!)).at(-1)).toEqual([
    "payout-batch.approve",
    owner.email,
    "the club has one operator",
  ]);
});

test("A1 C6 a rejected batch leaves its payouts waiting with the reason", async () => {
  const { publicId } = await asking();
  const batch = await makeBatch();
  expect(await (await admin.post(batch, second, { act: "reject" })).text()).toContain("Reject batch");
  const done = await admin.post(batch, second, { act: "reject", confirmed: "yes", why: "the sum is wrong" });
  expect(await done.text()).toContain("1 payout waits for the next batch");
  expect(await stateOf(publicId)).toBe("requested");
  expect(await (await admin.get(`/admin/payouts/${publicId}`, finance)).text()).toContain("the sum is wrong");
  expect((await admin.post(batch, second, { act: "approve" })).status).toBe(409);
  expect((await admin.post(batch, second, { act: "burn" })).status).toBe(422);
});

test("A1 C6 a payout shows no more of the account than its ending, and is stopped with a reason", async () => {
  const { publicId } = await asking();
  const page = await (await admin.get(`/admin/payouts/${publicId}`, finance)).text();
  expect(page).toContain(`ending in ${account.accountNumber.slice(-4)}`);
  expect(page).not.toContain(account.accountNumber);
  expect(page).not.toContain(account.name);
  expect(await (await admin.post(`/admin/payouts/${publicId}`, finance, {})).text()).toContain("Stop this payout");
  expect(await stateOf(publicId)).toBe("requested");
  await admin.post(`/admin/payouts/${publicId}`, finance, { confirmed: "yes", why: "asked by phone" });
  expect(await stateOf(publicId)).toBe("failed");
  expect(await entriesOf(publicId)).toEqual([["payout.stop", finance.email, "asked by phone"]]);
  const again = await admin.post(`/admin/payouts/${publicId}`, finance, { confirmed: "yes", why: "again" });
  expect(again.status).toBe(409);
  expect(await entriesOf(publicId)).toHaveLength(1);
});

test("A1 C6 chosen payouts are stopped after a question", async () => {
  const { publicId } = await asking();
  expect((await admin.post("/admin/payouts", finance, { act: "stop" })).status, "none chosen").toBe(422);
  const asked = await (await admin.post("/admin/payouts", finance, { act: "stop", ids: [publicId] })).text();
  expect(asked).toContain("Stop this payout?");
  const form = { act: "stop", ids: [publicId, "no-such"], confirmed: "yes", why: "fraud" };
  expect(await (await admin.post("/admin/payouts", finance, form)).text()).toContain("1 stopped");
  expect(await stateOf(publicId)).toBe("failed");
});

test("A1 C6 a hold is placed with a reason, keeps a payout out of batches, and is lifted with a reason", async () => {
  const { publicId, memberNumber } = await asking();
  const hold = (reason: string, number = memberNumber) =>
    admin.post("/admin/payouts/holds", finance, { act: "hold", member_number: number, reason });
  expect((await hold("x")).status).toBe(422);
  expect((await hold("one card", "9999NOSUCH")).status).toBe(409);
  expect(await (await hold("one card, ten accounts")).text()).toContain("one card, ten accounts");
  expect((await hold("again")).status).toBe(409);
  await admin.post("/admin/payouts/batches", finance, { act: "make" });
  expect(await stateOf(publicId), "left out").toBe("requested");
  expect(await (await admin.get("/admin/payouts?state=held", finance)).text()).toContain(publicId);
  const { public_id: id } = await db
    .selectFrom("payout_holds")
    .select("public_id")
    .where("lifted_at", "is", null)
    .executeTakeFirstOrThrow();
  const lift = (form: Record<string, string>) =>
    admin.post("/admin/payouts/holds", finance, { act: "lift", ids: [id], ...form });
  expect(await (await lift({})).text()).toContain("Lift this hold?");
  expect((await lift({ confirmed: "yes", why: "" })).status).toBe(422);
  expect(await (await lift({ confirmed: "yes", why: "explained" })).text()).toContain("1 lifted");
  expect(await entriesOf(id)).toEqual([
    ["payout-hold.place", finance.email, "one card, ten accounts"],
    ["payout-hold.lift", finance.email, "explained"],
  ]);
  await makeBatch();
  expect(await stateOf(publicId)).toBe("processing");
});

test("A1 C6 a report of the bank is uploaded, looked at, then applied once", async () => {
  const { publicId, reference } = await asking();
  const batch = await makeBatch();
  await admin.post(batch, second, { act: "approve" });
  clock.now = WEDNESDAY;
  const upload = (text: string | Uint8Array<ArrayBuffer>) =>
    admin.upload("/admin/payouts/reports", finance, { name: "file", fileName: "monday.csv", content: text });
  expect(await (await upload("reference,amount\nx,1\n")).text()).toContain("has no column code");
  expect((await upload(new Uint8Array([0xff, 0xfe, 0x00]))).status).toBe(422);
  expect((await upload("")).status).toBe(422);
  const text = `reference,amount,code\n${reference},6.00,B\nFPNOSUCHREFX,1.00,0\n`;
  const read = await upload(text);
  const report = read.headers.get("location")!;
  const shown = await (await admin.get(report, finance)).text();
  expect(shown).toContain("What it would do");
  expect(shown).toContain("not ours");
  expect(await stateOf(publicId), "a dry run").toBe("processing");
  expect((await upload(text)).headers.get("location"), "the same file").toBe(`${report}?again=1`);
  const applied = await admin.post(report, second, { act: "apply" });
  expect(await applied.text()).toContain("Applied");
  expect(await stateOf(publicId)).toBe("failed");
  expect((await admin.post(report, second, { act: "apply" })).status).toBe(409);
  expect((await entriesOf(report.split("/").at(-1)!)).map(([action]) => action)).toEqual([
    "payout-report.read",
    ...["payout-report.apply.begin", "payout-report.apply"],
    ...["payout-report.apply.begin", "payout-report.apply.refused"],
  ]);
  expect(await faultsOf(db)).toEqual([]);
});

/** Makes a batch of one member's payout, and a second person approves it. */
async function approvedBatch() {
  const one = await asking();
  const batch = await makeBatch();
  await admin.post(batch, second, { act: "approve" });
  return { ...one, batch, number: batch.split("/").at(-1)! };
}
const pageOf = async (path: string, operator = finance) => (await admin.get(path, operator)).text();

test("A1 C6 a batch whose bank details are deleted offers no file, says why, and answers 410 where one is asked for", async () => {
  const { batch, publicId } = await approvedBatch();
  expect(await pageOf(batch)).toContain("Download as CSV");
  clock.now = WEDNESDAY;
  const reader = await insertOperator(db, { role: "finance", now: WEDNESDAY });
  await admin.post(batch, reader, { act: "confirm" });
  await db
    .updateTable("payouts")
    .set((eb) => ({ payee: null, version: eb("version", "+", 1) }))
    .where("public_id", "=", publicId)
    .execute();
  const page = await pageOf(batch, reader);
  expect(page).not.toContain("Download as CSV");
  expect(page).toContain("bank details of 1 payment are deleted");
  const asked = await admin.post(`${batch}/file`, reader, { kind: "csv" });
  expect(asked.status).toBe(410);
});

test("A1 C6 an approved batch shows when its file is due, home names it until the file is downloaded, and the page says who has it", async () => {
  await asking();
  clock.now = new Date("2026-12-07T10:00:00Z");
  const [maker, sender] = [
    await insertOperator(db, { role: "finance", now: clock.now }),
    await insertOperator(db, { role: "finance", now: clock.now }),
  ];
  const batch = await makeBatch(maker);
  const number = batch.split("/").at(-1)!;
  await admin.post(batch, sender, { act: "approve" });
  const isAtHome = async () =>
    (await pageOf("/admin", maker)).includes(`send the file of batch ${number} by 22:30 on 7 Dec 2026`);
  expect(await isAtHome()).toBe(true);
  const before = await pageOf(batch, maker);
  expect(before).toContain("Send it to the bank by");
  expect(before).not.toContain("Downloaded on");
  await admin.post(`${batch}/file`, sender, { kind: "txt" });
  const after = (await pageOf(batch, maker)).replaceAll(/<[^>]*>/g, "");
  expect(after).toContain(`Downloaded on 7 Dec 2026, 10:00 by ${sender.email}: the Bacs file`);
  expect(after).toContain("A file of this batch was downloaded before");
  expect(await isAtHome()).toBe(false);
});

test("A1 C6 an approved batch is cancelled with a reason once the operator says that the bank has no file of it, before its day", async () => {
  const { batch, number, publicId } = await approvedBatch();
  const asked = await (await admin.post(batch, second, { act: "cancel" })).text();
  expect(asked).toContain("Has its file been sent to the bank?");
  const form = { act: "cancel", confirmed: "yes", why: "the wrong account pays" };
  const unsure = await admin.post(batch, second, form);
  expect(unsure.status).toBe(422);
  expect(await unsure.text()).toContain("Confirm that the bank has no file");
  expect(await stateOf(publicId)).toBe("processing");
  const done = await admin.post(batch, second, { ...form, not_sent: "yes" });
  expect(await done.text()).toContain("Cancelled: 1 payout waits for the next batch");
  expect(await stateOf(publicId)).toBe("requested");
  expect((await entriesOf(number)).at(-1)).toEqual(["payout-batch.cancel", second.email, form.why]);
  expect((await admin.post(batch, second, { ...form, not_sent: "yes" })).status).toBe(409);
  expect((await admin.post(`${batch}/file`, second, { kind: "txt" })).status).toBe(409);
  expect(await faultsOf(db)).toEqual([]);
});

test("A1 C6 a batch can't be cancelled once its processing day has begun, and offers it no more", async () => {
  const { batch, publicId } = await approvedBatch();
  expect(await pageOf(batch)).toContain("Cancel the batch");
  clock.now = WEDNESDAY;
  const late = await insertOperator(db, { role: "finance", now: WEDNESDAY });
  expect(await pageOf(batch, late)).not.toContain("Cancel the batch");
  const form = { act: "cancel", confirmed: "yes", why: "too late", not_sent: "yes" };
  const refusedLate = await admin.post(batch, late, form);
  expect(refusedLate.status).toBe(409);
  expect(await refusedLate.text()).toContain("its processing day has begun");
  expect(await stateOf(publicId)).toBe("processing");
});

test("A1 C6 a batch calls its rows by the bank's reference, names who has the same account, and leads to the left out only while it is the last", async () => {
  await asking(); // all members of these tests have one account
  const { batch, reference, memberId } = await approvedBatch();
  const page = await pageOf(batch);
  expect(page).toContain(`>${reference}<`);
  expect(page.replaceAll(/<[^>]*>/g, "")).toMatch(/same account as [0-9A-F]{16}/);
  expect(page).toContain(`/admin/members/${memberId}`);
  expect(page).toContain("Who was left out");
  await approvedBatch();
  expect(await pageOf(batch)).not.toContain("Who was left out");
});

test("A1 C6 the preview of a report says what codes mean, what we paid, and what it leaves for somebody to look at", async () => {
  const { batch, reference, publicId } = await approvedBatch();
  const read = async (text: string) => {
    const content = `reference,amount,code\n${text}\n`;
    const done = await admin.upload("/admin/payouts/reports", finance, { name: "file", fileName: "odd.csv", content });
    return (await pageOf(done.headers.get("location")!)).replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  };
  expect(await read(`${reference},6.00,3`)).toContain("the bank has not processed it yet");
  clock.now = WEDNESDAY;
  const lines = [`${reference},6.00,ZZ`, `${reference},5.99,B`, "NOTAREF12345,10.00,0", `${reference},6.00,2`];
  const text = await read([...lines, `${reference},6.00,2`].join("\n"));
  expect(text).toContain("Ends 1 payment,");
  expect(text).toContain("Change nothing 4 lines");
  expect(text).toContain("To look at 3 lines of these");
  expect(text).toContain("2, payee deceased");
  expect(text).toContain("nothing: an unknown code");
  expect(text).toContain("We paid £6.00.");
  expect(text).toContain("NOTAREF12345");
  expect(await stateOf(publicId)).toBe("processing");
  expect(await pageOf(batch)).toContain("1 payment,");
});

test("A1 C6 lists of payouts and batches have the member's name, the day of payment, and the words of the screen", async () => {
  const { batch, number, memberId, reference } = await approvedBatch();
  clock.now = WEDNESDAY;
  const reader = await insertOperator(db, { role: "finance", now: WEDNESDAY });
  await admin.post(batch, reader, { act: "confirm" });
  const { name } = await db.selectFrom("members").select("name").where("id", "=", memberId).executeTakeFirstOrThrow();
  const csv = await pageOf(`/admin/payouts.csv?q=${reference}`, reader);
  const [head = "", row = ""] = csv.trim().split("\r\n");
  expect(head.split(",")).toEqual(expect.arrayContaining(["Name", "Paid"]));
  expect(row).toContain(name);
  expect(row).toContain("2026-11-25");
  expect(await pageOf(`/admin/payouts?q=${reference}`, reader)).toContain(name);
  const batches = (await pageOf("/admin/payouts/batches.csv", reader)).split("\r\n");
  expect(batches.find((line) => line.startsWith(`${number},`))).toMatch(new RegExp(`^${number},paid,1,6.00,`));
});

test("A1 money pages answer 404 for what does not exist, whatever the address has", async () => {
  for (const path of [
    "/admin/payouts/no-such",
    "/admin/payouts/batches/0",
    "/admin/payouts/batches/99999999999999999999",
    "/admin/payouts/batches/x",
    "/admin/payouts/reports/no-such",
    "/admin/ledger/accounts/x",
    "/admin/ledger/transfers/00000000-0000-4000-8000-000000000000",
    "/admin/ledger/clicks/%27",
    "/admin/ledger/members/x",
    "/admin/members/x/goodwill",
    "/admin/payments/no-such",
  ])
    expect((await admin.get(path, finance)).status, path).toBe(404);
});

test("A1 without an account to pay from the pages say what to set, and nothing is made", async () => {
  await asking();
  const poor = openTestAdmin(db, { payouts: { ...admin.services.payouts, originator: null }, now: () => MONDAY });
  expect(await (await poor.get("/admin/payouts/batches", finance)).text()).toContain("BACS_ORIGINATOR");
  expect((await poor.post("/admin/payouts/batches", finance, { act: "make" })).status).toBe(409);
});

test("A1 C4 an operator finds a member's money from any number, and follows it from the click to the payout and back", async () => {
  const { publicId, memberNumber, reference, memberId } = await asking();
  const followed = async (q: string) =>
    (await admin.get(`/admin/ledger?q=${encodeURIComponent(q)}`, finance)).headers.get("location");
  expect(await followed(memberNumber)).toBe(`/admin/ledger/members/${memberId}`);
  expect(await followed(reference)).toBe(`/admin/payouts/${publicId}`);
  expect(await (await admin.get("/admin/ledger?q=nothing", finance)).text()).toContain("Nothing has this number");
  const click = await db
    .selectFrom("clicks")
    .select(["id", "click_number", "reference"])
    .where("member_id", "=", memberId)
    .executeTakeFirstOrThrow();
  for (const q of [click.click_number.toLowerCase(), click.reference, click.id])
    expect(await followed(q)).toBe(`/admin/ledger/clicks/${click.id}`);
  const trace = await (await admin.get(`/admin/ledger/clicks/${click.id}`, finance)).text();
  expect(trace).toContain(reference);
  const transfer = /\/admin\/ledger\/transfers\/([0-9a-f-]{36})/.exec(trace)?.[1] ?? "";
  const shown = await (await admin.get(`/admin/ledger/transfers/${transfer}`, finance)).text();
  expect(shown).toContain(`/admin/ledger/clicks/${click.id}`);
  const payout = await (await admin.get(`/admin/payouts/${publicId}`, finance)).text();
  expect(payout, "and back").toContain(`/admin/ledger/clicks/${click.id}`);
  const accounts = await (await admin.get(`/admin/ledger/members/${memberId}`, finance)).text();
  const [, own = ""] = /\/admin\/ledger\/accounts\/([0-9a-f-]{36})">In transit/.exec(accounts) ?? [];
  const entries = await (await admin.get(`/admin/ledger/accounts/${own}`, finance)).text();
  expect(entries).toContain("payout requested");
  const csv = await (await admin.get(`/admin/ledger/accounts/${own}/entries.csv`, finance)).text();
  expect(csv.trim().split("\r\n")).toHaveLength(2);
});

test("A1 C6 an operator asks for a payout for a member who can't sign in, with a reason, and reads why not", async () => {
  const { memberId, publicId } = await asking();
  const path = `/admin/ledger/members/${memberId}`;
  const ask = (form: Record<string, string>) => admin.post(path, finance, form);
  const form = { confirmed: "yes", why: "suspended, and asked by letter" };
  const shown = async () => (await admin.get(path, finance)).text();
  expect(await (await ask(form)).text()).toContain("a payout is under way");
  expect(await shown()).toContain("Not now: a payout is under way.");
  await admin.post(`/admin/payouts/${publicId}`, finance, { confirmed: "yes", why: "start again" });
  expect(await shown()).not.toContain("Not now");
  const asks = await (await ask({})).text();
  expect(asks).toContain("Ask for a payout for this member?");
  expect(asks.replaceAll("<!-- -->", "")).toContain(
    `£6.00, goes to the account that they gave (ending in ${account.accountNumber.slice(-4)})`,
  );
  expect((await ask({ confirmed: "yes", why: "" })).status).toBe(422);
  const asked = (await ask(form)).headers.get("location") ?? "";
  expect(await (await admin.get(asked, finance)).text()).toContain(`by ${finance.email}`);
  expect(await entriesOf(asked.split("/").at(-1)!)).toEqual([["payout.request", finance.email, form.why]]);
  await admin.post(asked, finance, { confirmed: "yes", why: "and again" });
  await removeBankDetails(db, { memberId });
  expect(await shown(), "before a reason is written").toContain("Not now: the member has given no bank details.");
});

test("A3 a member's timeline says when cashback became payable, and codes of ours in words", async () => {
  const { memberId, reference } = await asking();
  await makeApprovedBatch(db, { method, bankKeys, payeeKeys, by: "op", now: MONDAY });
  const failure = { reference, amountPence: 600, reason: "payee_deceased", said: "2" } as const;
  await applyFailures(db, { failures: [failure], now: WEDNESDAY });
  const support = await insertOperator(db, { role: "support", now: MONDAY });
  const path = `/admin/members/${memberId}`;
  await admin.post(path, support, { act: "suspend", confirmed: "yes", why: "chargebacks" });
  await admin.post(path, support, { note: "called us" });
  const page = await (await admin.get(path, support)).text();
  expect(page).toContain("cashback became payable");
  expect(page).toContain("payee deceased");
  expect(page).toContain(`suspended by ${support.email}`);
  expect(page).toContain(`note by ${support.email}`);
  expect(page).not.toContain("member.note");
  expect(page).not.toContain("payee_deceased");
});

test("A3 members are found by a click's number and reference and a payout's bank reference; what is no member's leads on", async () => {
  const { memberId, memberNumber, reference } = await asking();
  const click = await db
    .selectFrom("clicks")
    .select(["click_number", "reference"])
    .where("member_id", "=", memberId)
    .executeTakeFirstOrThrow();
  const support = await insertOperator(db, { role: "support", now: MONDAY });
  const bare = click.click_number.replaceAll("-", "").toLowerCase();
  for (const q of [
    ...[click.click_number, ` ${click.click_number.toLowerCase()} `, bare, click.reference],
    ...[reference, reference.toLowerCase().replaceAll(/(.{4})/g, "$1 ")],
  ]) {
    const found = await (await admin.get(`/admin/members?q=${encodeURIComponent(q)}`, support)).text();
    expect(found, q).toContain(memberNumber);
  }
  const unknown = "/admin/members?q=0000-0000-0000";
  const none = await (await admin.get(unknown, support)).text();
  expect(none).not.toContain(memberNumber);
  expect(none, "support may not see the ledger").not.toContain("Not about a member?");
  const ways = await (await admin.get(unknown, finance)).text();
  expect(ways).toContain('href="/admin/ledger?q=0000-0000-0000"');
  expect(ways).toContain('href="/admin/payments?q=0000-0000-0000"');
});

test("A1 C4 a check of the books keeps what it found, with who asked for it", async () => {
  const done = await admin.post("/admin/ledger/checks", finance, { act: "check" });
  expect(done.status).toBe(303);
  const page = await (await admin.get("/admin/ledger/checks", finance)).text();
  expect(page).toContain("The books balance");
  expect(page).toContain(finance.email);
  expect(await db.selectFrom("book_checks").select(["checked_by", "faults"]).execute()).toEqual([
    { checked_by: finance.email, faults: [] },
  ]);
});
