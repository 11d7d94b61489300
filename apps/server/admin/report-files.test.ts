import { insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import { makeClick, makeClub } from "@farthing/core/cashback/cashback.testing.ts";
import { checkCashback } from "@farthing/core/cashback/check.server.ts";
import { NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { findMemberBalances } from "@farthing/core/ledger/balances.server.ts";
import { checkLedger } from "@farthing/core/ledger/check.server.ts";
import { createNetworkRegistry } from "@farthing/core/networks/network-registry.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { createAwinProvider } from "@farthing/providers/affiliates/awin/awin-provider.ts";
import { afterEach, expect, test } from "vitest";

const { db } = await testDatabase();
loadAdmin();

const awin = createAwinProvider({
  ...{ publisherId: "1", apiToken: "", apiUrl: "http://127.0.0.1:9", clickUrl: "http://network.test/" },
  fetch: () => Promise.reject(new Error("A file asks nobody")),
});
const admin = openTestAdmin(db, { networks: createNetworkRegistry([awin]) });
afterEach(() => expect(admin.errors).toEqual([]));
const finance = await insertOperator(db, { role: "finance" });
const club = await makeClub(db, { networkSlug: "awin" });
const PATH = "/admin/networks/report-file";
const today = NOW.toISOString().slice(0, 10);

/** A row of Awin's report, as CSV. */
const columns = [
  ...["id", "advertiserId", "commissionStatus", "saleAmount.amount", "saleAmount.currency", "commissionAmount.amount"],
  ...["commissionAmount.currency", "clickRefs.clickRef", "transactionDate", "validationDate", "orderRef", "clickDate"],
  ...["declineReason", "amended", "amendReason", "paidToPublisher", "type", "transactionParts"],
];
function csv(...rows: Record<string, string>[]): string {
  const defaults = {
    ...{ advertiserId: club.shop.networkProgrammeId, commissionStatus: "pending", "saleAmount.amount": "100.00" },
    ...{ "saleAmount.currency": "GBP", "commissionAmount.amount": "10.00", "commissionAmount.currency": "GBP" },
    ...{ "clickRefs.clickRef": "", transactionDate: "2026-11-10T09:00:00", validationDate: "", orderRef: "" },
  };
  const lines = rows.map((row) => columns.map((column) => ({ ...defaults, ...row })[column] ?? "").join(","));
  return [columns.join(","), ...lines].join("\r\n");
}

const upload = (content: string, fields: Record<string, string> = {}) =>
  admin.upload(
    PATH,
    finance,
    { name: "file", fileName: "november.csv", content },
    { network: "awin", downloadedOn: today, ...fields },
  );
const store = (content: string, fields: Record<string, string> = {}) =>
  admin.post(PATH, finance, {
    ...{ network: "awin", downloadedOn: today, fileName: "november.csv", confirmed: "yes" },
    ...{ content: Buffer.from(content).toString("base64"), why: "Their API was down", ...fields },
  });
const sales = () =>
  db
    .selectFrom("network_transactions")
    .select(["network_transaction_id", "status", "held_because"])
    .orderBy("network_transaction_id")
    .execute();
const words = (html: string) => html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

test("C2 A3 a network's report is given as a file: read, looked at, then stored once, as if the API had said it", async () => {
  const reference = await makeClick(db, club);
  const file = csv(
    { id: "9007199254740993", "clickRefs.clickRef": reference, orderRef: "F-1" },
    { id: "12", "clickRefs.clickRef": "of-nobody" },
    { id: "13", "saleAmount.amount": "much" },
  );
  const looked = words(await (await upload(file)).text());
  expect(looked).toContain("1 row can’t be read");
  expect(looked).toContain("Awin transaction 13");
  expect(looked).toMatch(/New sales 2 .*Credited to members 1 Credited to nobody 1/);
  expect(looked).toContain("nobody: its reference is of no click of ours");
  expect(await sales(), "a dry run").toEqual([]);

  expect((await store(file, { why: "" })).status).toBe(422);
  expect(await sales()).toEqual([]);
  const stored = await store(file);
  expect(stored.headers.get("location")).toMatch(/\?done=[0-9a-f]{64}$/);
  const done = await (await admin.get(stored.headers.get("location")!, finance)).text();
  expect(words(done)).toContain("november.csv is stored: 2 new, 0 changed. 1 row could not be read.");
  expect(await sales()).toEqual([
    { network_transaction_id: "12", status: "pending", held_because: "unknown_reference" },
    { network_transaction_id: "9007199254740993", status: "pending", held_because: null },
  ]);
  const before = await findMemberBalances(db, { memberId: club.memberId });

  const again = words(await (await upload(file)).text());
  expect(again).toContain("It changes nothing, so there is nothing to store.");
  await store(file);
  expect(await findMemberBalances(db, { memberId: club.memberId })).toEqual(before);
  expect((await checkLedger(db)).faults).toEqual([]);
  expect(await checkCashback(db)).toEqual([]);
  const list = words(await (await admin.get(PATH, finance)).text());
  expect(list).toMatch(/november\.csv , Awin: 2 sales, 2 new, 0 changed/i);
  const entries = await db.selectFrom("audit_entries").select(["action", "why"]).orderBy("seq").execute();
  expect(entries.slice(0, 2)).toEqual([
    { action: "network-report.import.begin", why: "Their API was down" },
    { action: "network-report.import", why: "Their API was down" },
  ]);
});

test("C2 of a file and the API, what was said later about the same change counts", async () => {
  const reference = await makeClick(db, club);
  const row = { id: "21", "clickRefs.clickRef": reference };
  await store(csv(row));
  // Downloaded earlier, and no later date of the network's own: it is older.
  const old = csv({ ...row, "saleAmount.amount": "50.00", "commissionAmount.amount": "5.00" });
  const looked = words(await (await upload(old, { downloadedOn: "2026-11-12" })).text());
  expect(looked).toContain("known, and newer");
  expect(looked).toContain("It changes nothing");
  // With a later date of the network's own it counts, whenever it was downloaded.
  const approved = csv({ ...row, commissionStatus: "approved", validationDate: "2026-11-12T09:00:00" });
  expect(words(await (await upload(approved, { downloadedOn: "2026-11-13" })).text())).toMatch(/Changed sales 1 /);
  await store(approved, { downloadedOn: "2026-11-13" });
  expect((await sales()).find(({ network_transaction_id: id }) => id === "21")?.status).toBe("approved");
});

test("C2 a file that is none is refused with what to do, and nothing is stored", async () => {
  const before = await sales();
  const refused = async (answer: Promise<Response>) => {
    const { status } = await answer;
    expect(status).toBe(422);
    return words(await (await answer).text());
  };
  expect(await refused(upload("id,advertiserId\n1,2"))).toContain("the header lacks “commissionStatus”");
  expect(await refused(upload(""))).toContain("Choose a file that is not empty.");
  const empty = await (await upload("", { downloadedOn: "2026-11-03" })).text();
  expect(empty, "what was chosen is still there").toContain('name="downloadedOn" value="2026-11-03"');
  expect(await refused(upload("[1,"))).toContain("not whole JSON");
  expect(await refused(upload(csv({ id: "31" }), { network: "cj" }))).toContain("Choose a network that is set up.");
  expect(await refused(upload(csv({ id: "31" }), { downloadedOn: "2999-01-01" }))).toContain("has not come yet");
  expect(await refused(upload(csv({ id: "31" }), { downloadedOn: "soon" }))).toContain("Give the day");
  expect(await refused(upload(csv({ id: "9.00719925474099E+15" })))).toContain("a spreadsheet has shortened a number");
  const many = Array.from({ length: 5_001 }, (_, at) => ({ id: String(at + 100) }));
  expect(await refused(upload(csv(...many)))).toContain("The file has 5001 rows.");
  expect(await refused(store(csv({ id: "31" }), { downloadedOn: "2999-01-01" }))).toContain("has not come yet");
  expect(await refused(store("", {}))).toMatch(/file/);
  expect(await sales()).toEqual(before);
});

test("A1 C2 a report is imported by those who may move money, and seen by those who may see it", async () => {
  const support = await insertOperator(db, { role: "support" });
  expect((await admin.get(PATH, support)).status).toBe(403);
  const catalogue = await insertOperator(db, { role: "catalogue" });
  const posted = { network: "awin", downloadedOn: today };
  const file = { name: "file", fileName: "november.csv", content: csv({ id: "41" }) };
  for (const operator of [support, catalogue])
    expect((await admin.upload(PATH, operator, file, posted)).status).toBe(403);
});
