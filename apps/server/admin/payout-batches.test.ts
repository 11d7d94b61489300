import { insertOperator, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import { placeHold } from "@farthing/core/payouts/holds.server.ts";
import { account, faultsOf, MONDAY, WEDNESDAY } from "@farthing/core/payouts/payouts.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { openPayoutAdmin } from "./payouts.testing.ts";

const { db } = await testDatabase();
const { admin, clock, finance, second, owner, asking, stateOf, entriesOf, makeBatch, approvedBatch, pageOf } =
  await openPayoutAdmin(db);

const paid = { act: "confirm", confirmed: "yes", why: "on Tuesday's statement" };

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
  expect((await admin.post(batch, finance, paid)).status, "too early").toBe(409);
  expect((await admin.post(batch, second, { act: "reject", confirmed: "yes", why: "too late" })).status).toBe(409);

  clock.now = WEDNESDAY;
  const reader = await insertOperator(db, { role: "finance", now: WEDNESDAY });
  const question = await (await admin.post(batch, reader, { act: "confirm" })).text();
  expect(question).toContain(`Has the bank paid batch ${number}?`);
  expect(question).toContain("1 payment, £6.00");
  const unreasoned = await admin.post(batch, reader, { act: "confirm", confirmed: "yes", why: " " });
  expect(unreasoned.status).toBe(422);
  expect(await stateOf(publicId), "a question pays nobody").toBe("processing");
  const confirmed = await admin.post(batch, reader, paid);
  expect(await confirmed.text()).toContain("1 payment recorded as paid, £6.00");
  expect(await stateOf(publicId)).toBe("paid");
  expect((await entriesOf(number)).map(([action]) => action)).toEqual([
    "payout-batch.make",
    "payout-batch.approve",
    "payout-batch.download",
    ...["payout-batch.confirm.begin", "payout-batch.confirm.refused"],
    ...["payout-batch.confirm.begin", "payout-batch.confirm"],
  ]);
  expect((await entriesOf(number)).at(-1)).toEqual(["payout-batch.confirm", reader.email, paid.why]);
  expect(await (await admin.post(batch, reader, { act: "confirm" })).text()).toContain("it was confirmed before");
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

test("A1 C6 an approval that takes everybody out rejects the batch: the page names whom, and the log says rejected", async () => {
  const { memberNumber, publicId } = await asking();
  const batch = await makeBatch();
  await placeHold(db, { memberNumber, reason: "one card, ten accounts", by: "an operator", now: MONDAY });
  const emptied = await admin.post(batch, second, { act: "approve" });
  expect(emptied.status).toBe(409);
  expect(await emptied.text()).toContain(`Payout ${publicId}, member ${memberNumber}: On hold: one card, ten accounts`);
  expect(await stateOf(publicId)).toBe("requested");
  expect((await entriesOf(batch.split("/").at(-1)!)).at(-1)).toEqual(["payout-batch.reject", second.email, null]);
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

test("A1 C6 a batch whose bank details are deleted offers no file, says why, and answers 410 where one is asked for", async () => {
  const { batch, publicId } = await approvedBatch();
  expect(await pageOf(batch)).toContain("Download as CSV");
  await admin.post(`${batch}/file`, finance, { kind: "txt" });
  clock.now = WEDNESDAY;
  const reader = await insertOperator(db, { role: "finance", now: WEDNESDAY });
  await admin.post(batch, reader, paid);
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

test("A1 C6 a batch whose file somebody has had can't be cancelled once its processing day has begun, and offers it no more", async () => {
  const { batch, publicId } = await approvedBatch();
  expect(await pageOf(batch)).toContain("Cancel the batch");
  await admin.post(`${batch}/file`, finance, { kind: "txt" });
  clock.now = WEDNESDAY;
  const late = await insertOperator(db, { role: "finance", now: WEDNESDAY });
  expect(await pageOf(batch, late)).not.toContain("Cancel the batch");
  const form = { act: "cancel", confirmed: "yes", why: "too late", not_sent: "yes" };
  const refusedLate = await admin.post(batch, late, form);
  expect(refusedLate.status).toBe(409);
  expect(await refusedLate.text()).toContain("its processing day has begun");
  expect(await stateOf(publicId)).toBe("processing");
});

test("A1 C6 a batch whose file nobody has had before its processing day offers cancelling only, on its page and at home", async () => {
  const { batch, publicId } = await approvedBatch();
  clock.now = WEDNESDAY;
  const late = await insertOperator(db, { role: "finance", now: WEDNESDAY });
  expect(await pageOf("/admin", late)).toContain("was not sent before its processing day. Cancel it");
  const page = await pageOf(batch, late);
  expect(page).toContain("Cancel the batch");
  expect(page).not.toMatch(/Confirm that the bank has paid it|Download as CSV/);
  expect((await admin.post(`${batch}/file`, late, { kind: "txt" })).status).toBe(409);
  const confirmed = await admin.post(batch, late, { act: "confirm" });
  expect(confirmed.status).toBe(409);
  expect(await confirmed.text()).toContain("nobody has downloaded its file");
  expect((await admin.post(batch, late, paid)).status).toBe(409);
  const form = { act: "cancel", confirmed: "yes", why: "nobody sent it", not_sent: "yes" };
  expect(await (await admin.post(batch, late, form)).text()).toContain("Cancelled: 1 payout waits");
  expect(await stateOf(publicId)).toBe("requested");
  expect(await faultsOf(db)).toEqual([]);
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

test("A1 without an account to pay from the pages say what to set, and nothing is made", async () => {
  await asking();
  const poor = openTestAdmin(db, { payouts: { ...admin.services.payouts, originator: null }, now: () => MONDAY });
  expect(await (await poor.get("/admin/payouts/batches", finance)).text()).toContain("BACS_ORIGINATOR");
  expect((await poor.post("/admin/payouts/batches", finance, { act: "make" })).status).toBe(409);
});
