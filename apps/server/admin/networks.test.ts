import { insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import { makeClick, makeClub, reportedSale } from "@farthing/core/cashback/cashback.testing.ts";
import { recordReportedTransaction } from "@farthing/core/cashback/operations.server.ts";
import { NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { findListPage } from "@farthing/core/lists/find-list-page.server.ts";
import { readListState } from "@farthing/core/lists/list-schema.ts";
import { findInLedger } from "@farthing/core/ledger/trace.server.ts";
import { memberList, type ListedMember, type MemberSort } from "@farthing/core/members/list-members.server.ts";
import { HELD_HELP, HELD_REASONS, type HeldReason } from "@farthing/core/networks/held-reasons.ts";
import { heldSaleList, type HeldFilters, type HeldSale } from "@farthing/core/networks/list-held.server.ts";
import { findNeeds } from "@farthing/core/needs/find-needs.server.ts";
import { makeShop } from "@farthing/core/clicks/clicks.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";

const { db } = await testDatabase();
loadAdmin();

const admin = openTestAdmin(db);
afterEach(() => expect(admin.errors).toEqual([]));
const finance = await insertOperator(db, { role: "finance" });
const club = await makeClub(db, { networkSlug: "net-of-test" });
const listed = async (filters: HeldFilters) =>
  (
    await findListPage<HeldSale, "held">(
      db,
      heldSaleList(filters, { now: NOW, seesCommission: true }),
      readListState(new URLSearchParams(), { sorts: ["held"], defaultSort: "held" }),
    )
  ).rows;

describe("C2 networks in the admin", () => {
  test("C2 a network whose report was not read for a day is named, however often it was tried, with what failed", async () => {
    const page = async () => await (await admin.get("/admin/networks", finance)).text();
    expect(await page()).toContain("never read");
    const ranAt = new Date(NOW.getTime() - 3 * 86_400_000);
    await db
      .insertInto("network_passes")
      .values({
        ...{ network_id: club.networkId, pass: "transaction", covered_until: ranAt, ran_at: NOW },
        last_error: "The key was refused.",
      })
      .execute();
    expect(await page()).toContain("not read for 3 days");
    expect(await page()).toContain("The key was refused.");
    const needs = await findNeeds(db, { role: "finance", now: NOW });
    expect(needs.find(({ key }) => key === "networks")?.count).toBe(1);
    await db.updateTable("network_passes").set({ covered_until: NOW }).execute();
    expect(await page()).toMatch(/data-tone="bad">last reading failed/);
    expect(await page()).not.toMatch(/data-tone="good"/);
    await db.updateTable("network_passes").set({ last_error: null }).execute();
    expect(await page()).toMatch(/data-tone="good">read up to (<!-- -->)?0 minutes(<!-- -->)? ago/);
    const support = await insertOperator(db, { role: "support" });
    expect((await admin.get("/admin/networks", support)).status).toBe(403);
  });

  test("C2 sales that are credited to nobody are listed with the reason, and found by their numbers", async () => {
    const sale = reportedSale(club, "a-reference-of-nobody", { orderReference: "#Lost-1" });
    await recordReportedTransaction(db, { networkId: club.networkId, reported: sale, now: NOW });
    const [held] = await listed({});
    expect(held).toMatchObject({ reason: "unknown_reference", orderReference: "#Lost-1", saleMinor: 10_000 });
    expect(HELD_REASONS).toHaveProperty(held?.reason ?? "");
    expect(await listed({ q: "lost-1" })).toHaveLength(1);
    expect(await listed({ q: held?.networkTransactionId ?? "" })).toHaveLength(1);
    expect(await listed({ q: "another" })).toEqual([]);
    expect(await listed({ reason: "no_reference" })).toEqual([]);
    expect(await listed({ network: "net-of-test" })).toHaveLength(1);
    const html = await (await admin.get("/admin/networks/held", finance)).text();
    expect(html).toContain("its reference is of no click of ours");
    expect(html).toContain("£100.00");
    const csv = await (await admin.get("/admin/networks/held.csv", finance)).text();
    expect(csv).toContain("unknown_reference");
    expect(csv).toContain("100.00 GBP");
  });

  test("C2 C7 A3 a sale is found by its order number however its dashes and spaces are written or typed", async () => {
    const report = (orderReference: string, reference: string | null) =>
      recordReportedTransaction(db, {
        ...{ networkId: club.networkId, now: NOW },
        reported: reportedSale(club, reference, { orderReference }),
      });
    await report("Found\u201377\u00a0A", null);
    await report("Plain-78 B", null);
    for (const q of ["found-77 a", "#FOUND\u201177 A", "Found\u2013\u200b77\u00a0a"])
      expect(
        (await listed({ q })).map(({ orderReference }) => orderReference),
        q,
      ).toEqual(["Found\u201377\u00a0A"]);
    for (const q of ["plain-78 b", " #plain\u201378\u00a0b "])
      expect(
        (await listed({ q })).map(({ orderReference }) => orderReference),
        q,
      ).toEqual(["Plain-78 B"]);

    const state = { sort: "joined", isDescending: true, after: null, before: null, size: 50 } as const;
    for (const [written, typed] of [
      ["Credited-79", "credited\u201379"],
      ["Credited\u201380", "credited\u201380"],
    ] as const) {
      await report(written, await makeClick(db, club));
      const { rows } = await findListPage<ListedMember, MemberSort>(db, memberList({ q: typed }), state);
      expect(
        rows.map(({ id }) => id),
        typed,
      ).toEqual([club.memberId]);
      expect(
        (await findInLedger(db, { q: typed })).map(({ text }) => text),
        typed,
      ).toEqual([`order ${written}`]);
    }
  });

  test("C2 C4 a sale in a currency without pennies, or with a third decimal, is listed with its own amount", async () => {
    for (const [currency, saleMinor] of [
      ["JPY", 5_000],
      ["KWD", 12_345],
    ] as const) {
      const sale = reportedSale(club, null, { currency, saleMinor, commissionMinor: 400 });
      await recordReportedTransaction(db, { networkId: club.networkId, reported: sale, now: NOW });
    }
    const html = await (await admin.get("/admin/networks/held", finance)).text();
    expect(html).toContain("JP¥5,000<");
    expect(html).toMatch(/KWD\s12\.345</);
    const csv = await (await admin.get("/admin/networks/held.csv", finance)).text();
    for (const amount of ["5000 JPY", "400 JPY", "12.345 KWD", "0.400 KWD"]) expect(csv).toContain(`,${amount},`);
  });

  test("C2 A3 the page says for each reason what helps, and leads from a sale with a click to the click and its member", async () => {
    const reference = await makeClick(db, club);
    const elsewhere = await makeShop(db, { brandId: club.brandId, networkId: club.networkId });
    const reported = reportedSale(club, reference, { networkProgrammeId: elsewhere.networkProgrammeId });
    await recordReportedTransaction(db, { networkId: club.networkId, reported, now: NOW });
    const html = await (await admin.get("/admin/networks/held?reason=other_retailer", finance)).text();
    for (const reason of Object.keys(HELD_REASONS) as HeldReason[]) {
      expect(html, reason).toContain(HELD_REASONS[reason]);
      expect(html, reason).toContain(HELD_HELP[reason]);
    }
    const [click = ""] = /\/admin\/ledger\/clicks\/[\w-]+/.exec(html) ?? [];
    expect(await (await admin.get(click, finance)).text()).toContain(`/admin/ledger/members/${club.memberId}`);
  });

  test("C2 A3 support reads unmatched sales, and is led to the member of a click, not to the ledger", async () => {
    const support = await insertOperator(db, { role: "support" });
    const reference = await makeClick(db, club);
    const elsewhere = await makeShop(db, { brandId: club.brandId, networkId: club.networkId });
    const reported = reportedSale(club, reference, { networkProgrammeId: elsewhere.networkProgrammeId });
    await recordReportedTransaction(db, { networkId: club.networkId, reported, now: NOW });
    const page = await admin.get("/admin/networks/held?reason=other_retailer", support);
    expect(page.status).toBe(200);
    const html = await page.text();
    expect(html).toContain(`/admin/members/${club.memberId}`);
    for (const path of ["/admin/ledger", "/admin/networks/exchange-rates", 'href="/admin/networks"'])
      expect(html, path).not.toContain(path);
    expect(await (await admin.get("/admin/networks/held.csv", support)).text()).toContain("other_retailer");
  });

  test("A1 C2 commissions of unmatched sales are on the page and in the file for those alone who may see the club's money", async () => {
    const support = await insertOperator(db, { role: "support" });
    const reported = reportedSale(club, null, { saleMinor: 10_000_000, commissionMinor: 7_654_321 });
    await recordReportedTransaction(db, { networkId: club.networkId, reported, now: NOW });
    const read = async (path: string, who: typeof support) => (await admin.get(path, who)).text();
    for (const [path, commission] of [
      ["/admin/networks/held", "£76,543.21"],
      ["/admin/networks/held.csv", "76543.21 GBP"],
    ] as const) {
      const shown = await read(path, finance);
      expect(shown, path).toContain(commission);
      expect(shown, path).toContain("Commission");
      const kept = await read(path, support);
      expect(kept.replaceAll(",", ""), path).toContain("100000.00");
      for (const text of [commission, "Commission", "7654321"]) expect(kept, `${path} ${text}`).not.toContain(text);
    }
  });

  test("C2 A3 home asks for sales without a member from the seventh day to the thirtieth, and the list has the same", async () => {
    const day = 86_400_000;
    const at = async (days: number, more = {}) => {
      const reported = reportedSale(club, null, { orderReference: `Aged-${days}`, ...more });
      await recordReportedTransaction(db, {
        networkId: club.networkId,
        reported,
        now: new Date(NOW.getTime() - days * day),
      });
    };
    await at(6.9);
    await at(7);
    await at(29.9);
    await at(30);
    await at(10, { status: "declined" });
    const { count, oldestAt, path } = (await findNeeds(db, { role: "support", now: NOW })).find(
      ({ key }) => key === "unmatched-sales",
    )!;
    expect({ count, oldestAt }).toEqual({ count: 2, oldestAt: new Date(NOW.getTime() - 29.9 * day) });
    expect((await listed({ waits: "person" })).map(({ orderReference }) => orderReference)).toEqual([
      "Aged-29.9",
      "Aged-7",
    ]);
    expect(await (await admin.get(path, finance)).text()).toContain("Aged-29.9");
  });

  test("C2 A1 the ledger's search finds a sale that nobody is credited for, and leads to it", async () => {
    const sale = reportedSale(club, null, { orderReference: "#Nobody\u201342" });
    await recordReportedTransaction(db, { networkId: club.networkId, reported: sale, now: NOW });
    for (const q of ["nobody-42", sale.networkTransactionId]) {
      const answer = await admin.get(`/admin/ledger?q=${encodeURIComponent(q)}`, finance);
      expect(answer.headers.get("location"), q).toBe(
        `/admin/networks/held?q=${encodeURIComponent(sale.networkTransactionId)}`,
      );
    }
  });

  test("A3 unmatched sales read an index, with a reason and without", async () => {
    await db.transaction().execute(async (trx) => {
      await sql`set local enable_seqscan = off`.execute(trx);
      await sql`set local enable_sort = off`.execute(trx);
      for (const filters of [{}, { reason: "no_reference" }, { waits: "person" }]) {
        const { rows } = await sql<{ "QUERY PLAN": string }>`explain select sale.id from network_transactions sale
          where ${sql.join(heldSaleList(filters, { now: NOW, seesCommission: true }).where, sql` and `)} order by sale.created_at, sale.id limit 50`.execute(
          trx,
        );
        expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toContain("network_transactions_held");
      }
    });
  });
});
