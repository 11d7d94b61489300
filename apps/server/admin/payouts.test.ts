import { insertOperator } from "@farthing/admin/testing/admin.testing.ts";
import { removeBankDetails } from "@farthing/core/bank-details/operations.server.ts";
import { account, WEDNESDAY } from "@farthing/core/payouts/payouts.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { openPayoutAdmin } from "./payouts.testing.ts";

const { db } = await testDatabase();
const { admin, clock, finance, asking, stateOf, entriesOf, makeBatch, approvedBatch, pageOf } =
  await openPayoutAdmin(db);

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

test("A1 C6 a hold is listed with its member's name, in the file too, and is found by number, name or e-mail", async () => {
  const { memberNumber } = await asking();
  const [name, email] = ["Perpetua Quill", "perpetua@mailbox.example"];
  await db.updateTable("members").set({ name, email }).where("member_number", "=", memberNumber).execute();
  await admin.post("/admin/payouts/holds", finance, { act: "hold", member_number: memberNumber, reason: "one card" });
  for (const path of ["/admin/payouts/holds", "/admin/payouts/holds.csv"]) {
    for (const q of [memberNumber.toLowerCase(), "quill perpetua", "PERPETUA@mailbox.example"])
      expect(await pageOf(`${path}?q=${encodeURIComponent(q)}`, finance), q).toContain(name);
    expect(await pageOf(`${path}?q=nobody@mailbox.example`, finance)).not.toContain(name);
  }
});

test("A1 C6 lists of payouts and batches have the member's name, the day of payment, and the words of the screen", async () => {
  const { batch, number, memberId, reference } = await approvedBatch();
  await admin.post(`${batch}/file`, finance, { kind: "txt" });
  clock.now = WEDNESDAY;
  const reader = await insertOperator(db, { role: "finance", now: WEDNESDAY });
  await admin.post(batch, reader, { act: "confirm", confirmed: "yes", why: "on the statement" });
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
