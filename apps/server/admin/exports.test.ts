import { pageEntries } from "@farthing/admin/pages.ts";
import { insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import { accountId, postTransfer } from "@farthing/core/ledger/operations.server.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertSignedInMember } from "@farthing/core/testing/insert-signed-in-member.testing.ts";
import { submitted } from "@farthing/core/verification-requests/verification.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";

const { db } = await testDatabase();
loadAdmin();
const admin = openTestAdmin(db);
afterEach(() => expect(admin.errors).toEqual([]));

const brand = await insertBrand(db);
await insertSignedInMember(db, { brandId: brand.id });
await db.transaction().execute((trx) =>
  postTransfer(trx, {
    key: "a payment",
    kind: "payment_taken",
    legs: [
      { account: { kind: "payment_held" }, amountPence: 500 },
      { account: { kind: "card_received" }, amountPence: -500 },
    ],
    cause: { kind: "payment", id: newId() },
    happenedAt: new Date(),
  }),
);
/** The file of an account's entries needs an account that exists. */
const idIn = (path: string) => (path.includes("/accounts/") ? accountId({ kind: "card_received" }) : newId());
const lastEntry = () =>
  db.selectFrom("audit_entries").selectAll().orderBy("seq", "desc").limit(1).executeTakeFirstOrThrow();
const entries = async () => (await db.selectFrom("audit_entries").select("seq").execute()).length;

// Reports have sums, which name nobody.
const files = pageEntries
  .map(([path]) => path)
  .filter((path) => path.endsWith(".csv") && !/\/reports\/|\/usage\.csv$/.test(path));

describe("A1 files of lists", () => {
  test.each(files)("A1 %s is in the log, with its filters, before its first row", async (path) => {
    const operator = await insertOperator(db);
    const answer = await admin.get(`${path.replace(":id", idIn(path))}?q=Ada+Lovelace&state=open`, operator);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toContain("text/csv");
    expect(await lastEntry()).toMatchObject({
      operator_id: operator.id,
      actor: operator.email,
      action: expect.stringMatching(/^[a-z-]+\.export$/) as string,
      subject_type: "operator",
      why: expect.stringContaining("CSV of ") as string,
      request_id: "test",
    });
    // Entries outlive accounts, and what was typed may be a name.
    expect(JSON.stringify(await lastEntry())).not.toContain("Lovelace");
    await answer.body?.cancel();
  });

  test.each(["0199f3c2-0000-7000-8000-000000000000", "no-id"])(
    "A1 there is no file of the entries of an account that does not exist: %s",
    async (id) => {
      const before = await entries();
      const operator = await insertOperator(db);
      expect((await admin.get(`/admin/ledger/accounts/${id}/entries.csv`, operator)).status).toBe(404);
      expect(await entries()).toBe(before);
    },
  );

  test("A1 the entry says what was chosen, and that something was typed", async () => {
    const operator = await insertOperator(db, { role: "support" });
    const path = `/admin/members.csv?q=ada&brand=${brand.slug}&verification=verified&sort=name`;
    await (await admin.get(path, operator)).text();
    expect(await lastEntry()).toMatchObject({
      action: "members.export",
      why: `CSV of members; q: something typed; brand: ${brand.slug}; verification: verified; order: name`,
    });
  });

  test("A1 nobody gets a file whose entry could not be written, or that their role has lost meanwhile", async () => {
    const before = await entries();
    const operator = await insertOperator(db, { role: "support" });
    await db.updateTable("operators").set({ role: "catalogue" }).where("id", "=", operator.id).execute();
    expect((await admin.get("/admin/members.csv", operator)).status).toBe(403);
    admin.errors.splice(0);
    expect((await admin.get("/admin/claims/packs/7", operator)).status).toBe(403);
    expect(await entries()).toBe(before);
  });

  test.each([
    ["/admin/verifications", "Sent,Member,Brand,Says they are,Proof,State,Decided,By"],
    ["/admin/disputes", "Evidence due,Payment,Amount,State,Reason,Partner,Opened,At the provider"],
    ["/admin/payouts/reports", "File,State,Payments,Read,By,Applied"],
    ["/admin/ledger/checks", "When,By,Found,Transfers,Entries,Accounts,Took"],
    ["/admin/referrals", "Referral,Held since,Why,Inviter,Friend,Brand,Bonuses,Both,Friend joined"],
  ])("A3 %s leads to its file", async (path, head) => {
    const operator = await insertOperator(db);
    expect(await (await admin.get(path, operator)).text()).toContain(`href="${path}.csv" download`);
    expect((await (await admin.get(`${path}.csv`, operator)).text()).split("\r\n")[0]).toBe(head);
  });

  test("A3 M4 the file of verifications has a row of each proof, and nothing of its document", async () => {
    const operator = await insertOperator(db, { role: "support" });
    const { memberId, publicId } = await submitted(db, { brandId: brand.id });
    await db.updateTable("members").set({ name: "Ada Marley" }).where("id", "=", memberId).execute();
    const csv = await (await admin.get("/admin/verifications.csv", operator)).text();
    expect(csv).toContain(",Ada Marley,");
    expect(csv).toContain(",submitted,");
    const { rows } = await sql<{ name: string }>`select original_name as name from attachments file
      join verification_requests request on request.id = file.request_id where request.public_id = ${publicId}`.execute(
      db,
    );
    for (const { name } of rows) expect(csv).not.toContain(name);
  });
});
