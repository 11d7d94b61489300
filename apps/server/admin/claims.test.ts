import { insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import { readListState } from "@farthing/core/lists/list-schema.ts";
import { findListPage } from "@farthing/core/lists/find-list-page.server.ts";
import { claimList, type ClaimSort, type ListedClaim } from "@farthing/core/claims/list-claims.server.ts";
import { addEvidence } from "@farthing/core/claims/operations.server.ts";
import {
  clickOf,
  claimRow,
  daysAfter,
  madeClaim,
  makeClaimClub,
  OPEN,
  workOnce,
} from "@farthing/core/claims/claims.testing.ts";
import { findNeeds } from "@farthing/core/needs/find-needs.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { insertVerifiedMember } from "@farthing/core/testing/insert-member.testing.ts";
import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";

const { db } = await testDatabase();
loadAdmin();

const NOW = daysAfter(1, OPEN);
const admin = openTestAdmin(db, { now: () => NOW });
afterEach(() => expect(admin.errors).toEqual([]));

const support = await insertOperator(db, { role: "support", now: NOW });
const entriesOf = (publicId: string) =>
  db.selectFrom("audit_entries").selectAll().where("subject_id", "=", publicId).orderBy("seq").execute();
const listed = async (filters: Parameters<typeof claimList>[0], sort = "deadline") =>
  (
    await findListPage<ListedClaim, ClaimSort>(
      db,
      claimList(filters),
      readListState(new URLSearchParams({ sort }), { sorts: ["deadline", "made"], defaultSort: "deadline" }),
    )
  ).rows;

/** A claim that waits for a pack, as the worker leaves one of a network without an API. */
async function claimForPack() {
  const club = await makeClaimClub(db);
  const publicId = await madeClaim(db, club);
  await workOnce(db, null, OPEN);
  const { slug } = await db
    .selectFrom("networks")
    .innerJoin("claims", "claims.network_id", "networks.id")
    .select("networks.slug")
    .where("claims.public_id", "=", publicId)
    .executeTakeFirstOrThrow();
  return { club, publicId, network: slug };
}

describe("C7 claims in the admin", () => {
  test("C7 a claim goes from the queue through a pack to a decline, each step with an entry in the log", async () => {
    const { publicId, network } = await claimForPack();
    const needs = await findNeeds(db, { role: "support", now: NOW });
    expect(needs.find(({ key }) => key === "claims")).toMatchObject({ count: 1, oldestAt: OPEN });
    expect((await listed({ waits: "person" })).map((claim) => claim.publicId)).toEqual([publicId]);
    const page = `/admin/claims/${publicId}`;
    expect(await (await admin.get(page, support)).text()).toContain("waits for a pack");

    const early = await admin.post(page, support, { act: "accept", answer: "" });
    expect(early.status).toBe(409);
    expect(await early.text(), "nothing was typed").not.toContain("None of it was saved");
    expect(await entriesOf(publicId)).toEqual([]);

    const packed = await (await admin.post("/admin/claims/packs", support, { network })).text();
    expect(packed).toContain("has 1 claim.");
    const pack = await db.selectFrom("claim_packs").selectAll().executeTakeFirstOrThrow();
    expect(pack.made_by).toBe(support.email);
    const file = await admin.get(`/admin/claims/packs/${pack.pack_number}`, support);
    expect(file.headers.get("content-type")).toContain("text/csv");
    expect(await file.text()).toContain("ORDER-1");

    const typed = { act: "decline", reason: "other", note: "" };
    const incomplete = await admin.post(page, support, typed);
    expect(incomplete.status).toBe(422);
    expect(await incomplete.text()).toContain("explains nothing by itself");
    const asked = await (await admin.post(page, support, { ...typed, note: "no such order", why: "x" })).text();
    expect(asked).toContain("Decline the claim about order ORDER-1?");
    expect((await claimRow(db, publicId)).state).toBe("filed");
    const confirmed = { ...typed, note: "no such order", confirmed: "yes" };
    expect((await admin.post(page, support, { ...confirmed, why: "" })).status).toBe(422);
    expect((await claimRow(db, publicId)).state).toBe("filed");
    expect(await (await admin.post(page, support, { ...confirmed, why: "answer to pack" })).text()).toContain(
      "Declined.",
    );
    expect(await claimRow(db, publicId)).toMatchObject({ state: "declined", answer: "no such order" });
    const late = await admin.post(page, support, { ...confirmed, note: "Too late, but typed", why: "again" });
    expect(late.status).toBe(409);
    for (const words of ["None of it was saved", "<dd>Too late, but typed</dd>", "<dd>again</dd>"])
      expect(await late.clone().text()).toContain(words);

    const appeal = { act: "appeal", words: "They have the parcel." };
    expect(await (await admin.post(page, support, appeal)).text()).toContain("There is no third time");
    expect((await admin.post(page, support, { ...appeal, confirmed: "yes", why: "" })).status).toBe(422);
    expect((await claimRow(db, publicId)).state).toBe("declined");
    const appealed = await admin.post(page, support, { ...appeal, confirmed: "yes", why: "the member rang" });
    expect(await appealed.text()).toContain("Appealed.");
    expect(await claimRow(db, publicId)).toMatchObject({ state: "open", appeal: "They have the parcel." });
    const entries = await entriesOf(publicId);
    expect(entries.map(({ action, why }) => ({ action, why }))).toEqual([
      { action: "claim.decline", why: "answer to pack" },
      { action: "claim.appeal", why: "the member rang" },
    ]);
    expect(entries[0]).toMatchObject({
      before: { state: "filed" },
      after: { state: "declined", reason_code: "other" },
    });
    // What the member and the retailer wrote stays out of a log that is kept for good.
    expect(JSON.stringify(entries)).not.toContain("parcel");
  });

  test("C7 a declined claim is settled with goodwill after a question, once; it ends, and its appeal with it; support can't", async () => {
    const { publicId, network, club } = await claimForPack();
    await admin.post("/admin/claims/packs", support, { network });
    const page = `/admin/claims/${publicId}`;
    const finance = await insertOperator(db, { role: "finance", now: NOW });
    const goodwill = {
      amount: "4.50",
      reason: "missing_cashback",
      reference: `TICKET-${publicId}`,
      note: "shop closed",
    };
    const settle = { act: "settle", ...goodwill };
    const confirmed = { ...settle, confirmed: "yes" };
    const early = await admin.post(page, finance, confirmed);
    expect(early.status, "only a declined claim").toBe(409);
    expect(await early.text()).toContain("only a declined claim is settled so");
    const decline = { act: "decline", reason: "other", note: "no such order", confirmed: "yes", why: "answer" };
    await admin.post(page, support, decline);

    const credits = async () =>
      (await db.selectFrom("goodwill_credits").selectAll().where("member_id", "=", club.memberId).execute()).length;
    expect(await (await admin.get(page, support)).text()).not.toContain("Settle with goodwill");
    expect((await admin.post(page, support, confirmed)).status).toBe(403);
    const form = await (await admin.get(page, finance)).text();
    expect(form).toContain("Settle with goodwill");
    expect(form).toContain("Appeal for the member");
    const faulty = await admin.post(page, finance, { ...settle, amount: "none", note: "x" });
    expect(faulty.status).toBe(422);
    expect(await faulty.text()).toContain("Enter an amount in pounds");
    expect(await (await admin.post(page, finance, { ...confirmed, amount: "5000" })).text()).toContain("of the limit");
    const asked = await (await admin.post(page, finance, settle)).text();
    expect(asked).toContain("Settle the claim about order ORDER-1 with £4.50?");
    expect([await credits(), (await claimRow(db, publicId)).state], "a question").toEqual([0, "declined"]);

    expect(await (await admin.post(page, finance, confirmed)).text()).toContain("Settled with £4.50.");
    expect([await credits(), (await claimRow(db, publicId)).state]).toEqual([1, "goodwill"]);
    expect((await admin.post(page, finance, confirmed)).status, "once").toBe(409);
    const settled = await (await admin.get(page, finance)).text();
    expect(settled).not.toMatch(/Settle with goodwill|Appeal for the member/);
    const appeal = { act: "appeal", words: "But I paid.", confirmed: "yes", why: "they rang" };
    expect((await admin.post(page, finance, appeal)).status).toBe(409);
    expect(await credits()).toBe(1);
    expect((await entriesOf(publicId)).at(-1)).toMatchObject({
      ...{ action: "claim.settle", actor: finance.email, why: "shop closed" },
      ...{ before: { state: "declined" }, after: { state: "goodwill" } },
    });
    const given = db.selectFrom("audit_entries").select(["action", "why"]).where("subject_type", "=", "goodwill");
    expect(await given.execute()).toEqual([{ action: "goodwill.give", why: "shop closed" }]);
  });

  test("C7 a file of one claim opens at that claim only, and in our own frames only", async () => {
    const { club, publicId } = await claimForPack();
    const { publicId: other } = await claimForPack();
    const bytes = new TextEncoder().encode("%PDF-1.4 evidence");
    const file = {
      originalName: 'proof"\r\n.pdf',
      mediaType: "application/pdf" as const,
      size: bytes.length,
      sha256: Buffer.alloc(32, 1),
      async *parts() {
        yield bytes;
      },
    };
    await addEvidence(db, {
      ...{ brandId: club.brandId, memberId: club.memberId, publicId, file, now: NOW },
      key: admin.services.attachments.key,
    });
    const { public_id: id } = await db.selectFrom("attachments").select("public_id").executeTakeFirstOrThrow();
    const shown = await admin.get(`/admin/claims/${publicId}/files/${id}`, support);
    expect(await shown.text()).toBe("%PDF-1.4 evidence");
    expect(shown.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(shown.headers.get("content-security-policy")).toContain("frame-ancestors 'self'");
    expect(shown.headers.get("content-disposition")).toBe('inline; filename="evidence.pdf"');
    expect((await entriesOf(publicId)).map(({ action }) => action)).toEqual(["claim.look"]);
    expect((await admin.get(`/admin/claims/${other}/files/${id}`, support)).status).toBe(404);
    const catalogue = await insertOperator(db, { role: "catalogue", now: NOW });
    expect((await admin.get(`/admin/claims/${publicId}/files/${id}`, catalogue)).status).toBe(403);
  });

  test("C7 two claims about one order warn of each other", async () => {
    const { club, publicId } = await claimForPack();
    const theirs = { ...club, memberId: (await insertVerifiedMember(db, { brandId: club.brandId })).id };
    const rival = await madeClaim(db, { ...theirs, ...(await clickOf(db, theirs)) });
    const html = await (await admin.get(`/admin/claims/${publicId}`, support)).text();
    expect(html).toContain("Others claim the same order");
    expect(html).toContain(`/admin/claims/${rival}`);
  });

  test("A3 claims are found by their number, an order's and a member's, and filtered", async () => {
    const { club, publicId, network } = await claimForPack();
    const reference = await clickOf(db, club);
    const second = await madeClaim(db, { ...club, ...reference }, { form: { orderReference: "#abc-2" } });
    const { member_number: number } = await db
      .selectFrom("members")
      .select("member_number")
      .where("id", "=", club.memberId)
      .executeTakeFirstOrThrow();
    const ids = async (filters: Parameters<typeof claimList>[0]) => (await listed(filters)).map((row) => row.publicId);
    expect(await ids({ q: publicId })).toEqual([publicId]);
    expect(await ids({ q: "ABC-2" })).toEqual([second]);
    expect((await ids({ q: number.toLowerCase() })).sort()).toEqual([publicId, second].sort());
    expect(await ids({ network, waits: "person" })).toEqual([publicId]);
    expect(await ids({ network, state: "declined" })).toEqual([]);
    expect(await ids({ network: "none" })).toEqual([]);
  });

  test("A1 A3 claims show their member's name, in the file too, and are found by it or an e-mail; nobody reads an e-mail there", async () => {
    const { club, publicId } = await claimForPack();
    const { publicId: other } = await claimForPack();
    const [name, email] = ["Ottoline Quill", "ottoline@mailbox.example"];
    await db.updateTable("members").set({ name, email }).where("id", "=", club.memberId).execute();
    const ids = async (q: string) => (await listed({ q })).map((row) => row.publicId);
    for (const q of ["quill", "Quill Ottoline", email.toUpperCase(), "ottoline@"])
      expect(await ids(q), q).toEqual([publicId]);
    expect(await ids("nobody@mailbox.example")).toEqual([]);
    for (const role of ["support", "finance", "owner"] as const) {
      const operator = await insertOperator(db, { role, now: NOW });
      for (const path of ["/admin/claims", "/admin/claims.csv"]) {
        const text = await (await admin.get(`${path}?q=quill`, operator)).text();
        expect(text, `${role} ${path}`).toContain(name);
        expect(text, `${role} ${path}`).not.toContain(email);
        expect(text, `${role} ${path}`).not.toContain(other);
      }
    }
    const catalogue = await insertOperator(db, { role: "catalogue", now: NOW });
    for (const path of ["/admin/claims", "/admin/claims.csv"])
      expect((await admin.get(path, catalogue)).status, path).toBe(403);
  });

  test("A3 what is due first comes first, and each order of the queue reads an index", async () => {
    const { club } = await claimForPack();
    const over = await madeClaim(db, { ...club, ...(await clickOf(db, club)) }, { form: { orderReference: "OVER" } });
    await db.updateTable("claims").set({ state: "withdrawn", version: 2 }).where("public_id", "=", over).execute();
    const rows = await listed({});
    expect(rows.at(-1)).toMatchObject({ publicId: over, deadline: null });
    const due = rows.map(({ deadline }) => deadline?.getTime() ?? Infinity);
    expect(due).toEqual(due.toSorted((one, other) => one - other));

    const planOf = (by: "deadline" | "made", filters: Parameters<typeof claimList>[0] = {}) =>
      db.transaction().execute(async (trx) => {
        await sql`set local enable_seqscan = off`.execute(trx);
        await sql`set local enable_sort = off`.execute(trx);
        const { sorts, where } = claimList(filters);
        const { rows: plan } = await sql<{ "QUERY PLAN": string }>`explain select claim.id from claims claim
          where ${where.length > 0 ? sql.join(where, sql` and `) : sql`true`}
          order by ${sorts[by].by}, claim.id limit 50`.execute(trx);
        return plan.map((line) => line["QUERY PLAN"]).join("\n");
      });
    expect(await planOf("deadline")).toContain("claims_deadline");
    expect(await planOf("made")).toMatch(/claims_made/);
    expect(await planOf("made", { waits: "person" })).toContain("claims_for_person");
    expect(await planOf("made", { state: "declined" })).toContain("claims_state");
  });
});
