import { faultsOf, WEDNESDAY } from "@farthing/core/payouts/payouts.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { openPayoutAdmin } from "./payouts.testing.ts";

const { db } = await testDatabase();
const { admin, clock, finance, second, asking, stateOf, entriesOf, makeBatch, approvedBatch, pageOf } =
  await openPayoutAdmin(db);

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
  const asked = await (await admin.post(report, second, { act: "apply" })).text();
  expect(asked).toContain("Apply monday.csv?");
  expect(asked).toContain("1 payment, £6.00");
  expect((await admin.post(report, second, { act: "apply", confirmed: "yes", why: "" })).status).toBe(422);
  expect(await stateOf(publicId), "a question ends nothing").toBe("processing");
  const meant = { act: "apply", confirmed: "yes", why: "Monday's file" };
  const applied = await admin.post(report, second, meant);
  expect(await applied.text()).toContain("Applied");
  expect(await stateOf(publicId)).toBe("failed");
  expect((await admin.post(report, second, meant)).status).toBe(409);
  expect((await entriesOf(report.split("/").at(-1)!)).map(([action]) => action)).toEqual([
    "payout-report.read",
    ...["payout-report.apply.begin", "payout-report.apply"],
    ...["payout-report.apply.begin", "payout-report.apply.refused"],
  ]);
  expect((await entriesOf(report.split("/").at(-1)!))[2]).toEqual(["payout-report.apply", second.email, meant.why]);
  expect(await faultsOf(db)).toEqual([]);
});

test("A1 C6 a report that was read by mistake is discarded with a reason, applied no more, and its file can be read again", async () => {
  const { publicId, reference } = await approvedBatch();
  clock.now = WEDNESDAY;
  const content = `reference,amount,code\n${reference},6.00,B\n`;
  const upload = async () => {
    const file = { name: "file", fileName: "mistaken.csv", content };
    return (await admin.upload("/admin/payouts/reports", finance, file)).headers.get("location")!;
  };
  const waits = async () => (await pageOf("/admin")).includes("reports?state=waiting");
  const report = await upload();
  expect(await waits()).toBe(true);
  expect(await (await admin.post(report, second, { act: "discard" })).text()).toContain("Discard mistaken.csv?");
  const unsaid = await admin.post(report, second, { act: "discard", confirmed: "yes", why: "" });
  expect([unsaid.status, await waits()], "without a reason").toEqual([422, true]);
  const meant = { act: "discard", confirmed: "yes", why: "Last week's file" };
  expect(await (await admin.post(report, second, meant)).text()).toContain(
    "Discarded. The same file can be read again.",
  );
  expect(await waits()).toBe(false);
  expect((await admin.post(report, finance, meant)).status, "discarded before").toBe(409);
  const late = await admin.post(report, finance, { act: "apply", confirmed: "yes", why: "Monday's file" });
  expect([late.status, await stateOf(publicId)]).toEqual([409, "processing"]);
  expect(await late.text()).toContain("it was discarded before");
  const page = await pageOf(report);
  expect(page).toContain("Last week&#x27;s file");
  expect(page).not.toContain('value="apply"');
  expect(await pageOf("/admin/payouts/reports?state=discarded")).toContain(report);
  expect(await pageOf("/admin/payouts/reports?state=waiting")).not.toContain(report);
  expect((await entriesOf(report.split("/").at(-1)!))[1]).toEqual(["payout-report.discard", second.email, meant.why]);

  const again = await upload();
  expect(again).not.toContain(report);
  expect(again).not.toContain("again=1");
  const applied = await admin.post(again, second, { act: "apply", confirmed: "yes", why: "It was right" });
  expect([applied.status, await stateOf(publicId)]).toEqual([200, "failed"]);
  expect((await admin.post(again, second, meant)).status, "an applied one").toBe(409);
});

test("A1 A3 C6 a report that would end no payment waits for nobody", async () => {
  const { reference } = await approvedBatch();
  const content = `reference,amount,code\n${reference},6.00,B\nNOTOURSATALL,6.00,B\n`;
  const file = { name: "file", fileName: "early.csv", content };
  const report = (await admin.upload("/admin/payouts/reports", finance, file)).headers.get("location")!;
  expect(await pageOf(report)).not.toContain('value="apply"');
  const listed = async (state: string) => (await pageOf(`/admin/payouts/reports?state=${state}`)).includes(report);
  expect([await listed("waiting"), await listed("nothing")]).toEqual([false, true]);
  clock.now = WEDNESDAY;
  expect([await listed("waiting"), await listed("nothing")], "the bank can have returned it").toEqual([true, false]);
  expect(await pageOf(report)).toContain('value="apply"');
});

test.each(["6.00,ZZ", "5.99,B"])(
  "A1 A3 C6 a report that needs a person (%s) is asked for until it is applied",
  async (line) => {
    const { reference, publicId } = await approvedBatch();
    clock.now = WEDNESDAY;
    const content = `reference,amount,code\n${reference},${line}\n`;
    const file = { name: "file", fileName: "odd.csv", content };
    const report = (await admin.upload("/admin/payouts/reports", finance, file)).headers.get("location")!;
    const asks = async () => (await pageOf("/admin")).includes("reports?state=look");
    const listed = async (state: string) => (await pageOf(`/admin/payouts/reports?state=${state}`)).includes(report);
    expect([await asks(), await listed("look"), await listed("nothing"), await listed("waiting")]).toEqual([
      ...[true, true, false, false],
    ]);
    expect(await pageOf(report)).toContain('value="apply"');
    expect(await (await admin.post(report, second, { act: "apply" })).text()).toContain("No payment ends");
    const applied = await admin.post(report, second, { act: "apply", confirmed: "yes", why: "The bank was asked" });
    expect(await applied.text()).toContain("Applied. No payment ended");
    expect([await asks(), await listed("applied"), await stateOf(publicId)]).toEqual([false, true, "processing"]);
  },
);

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
