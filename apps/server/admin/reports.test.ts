import { insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import { makeClick, makeClub, reportedSale } from "@farthing/core/cashback/cashback.testing.ts";
import { recordReportedTransaction } from "@farthing/core/cashback/operations.server.ts";
import { NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { postTransfer } from "@farthing/core/ledger/operations.server.ts";
import { sumOffers } from "@farthing/core/reports/offer-sums.server.ts";
import { reportNames, reportWords } from "@farthing/core/reports/reports.ts";
import { londonDayOf } from "@farthing/core/reports/rules.ts";
import { recordEvents, telemetryEvent } from "@farthing/core/telemetry/telemetry.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { afterEach, beforeAll, describe, expect, test } from "vitest";

const { db } = await testDatabase();
loadAdmin();
const admin = openTestAdmin(db);
afterEach(() => expect(admin.errors.splice(0)).toEqual([]));

const today = londonDayOf(NOW);
let owner: Awaited<ReturnType<typeof insertOperator>>;
let brand = "";
const read = async (path: string) => {
  const answer = await admin.get(path, owner);
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
};

beforeAll(async () => {
  owner = await insertOperator(db);
  const club = await makeClub(db, { networkSlug: "one" });
  brand = (await db.selectFrom("brands").select("slug").where("id", "=", club.brandId).executeTakeFirstOrThrow()).slug;
  const clicks: string[] = [];
  for (let click = 0; click < 3; click++) clicks.push(await makeClick(db, club, { createdAt: NOW }));
  const reported = reportedSale(club, clicks[0] ?? "", { networkTransactionId: "1" });
  await recordReportedTransaction(db, { networkId: club.networkId, reported, now: NOW });
  await db.updateTable("members").set({ created_at: NOW }).execute();
  const events = [
    ...Array.from({ length: 5 }, () => telemetryEvent("OfferPage", club.shop.offerPublicId)),
    ...["<b>boots", "=HYPERLINK(1)"].map((term) => telemetryEvent("SearchPage", term)),
  ];
  await recordEvents(db, club.brandId, events, NOW);
  for (const term of ["<b>boots", "=hyperlink(1)"])
    await db
      .insertInto("telemetry_search_results")
      .values({ brand_id: club.brandId, term, results: 0, checked_at: NOW })
      .execute();
  await sumOffers(db, { now: NOW });
  const id = newId();
  const { memberId, networkId } = club;
  await postTransfer(db, {
    ...{ key: `test:${id}`, kind: "cashback_tracked", cause: { kind: "cashback_entry", id }, happenedAt: NOW },
    legs: [
      { account: { kind: "member_tracked", memberId }, amountPence: 12_345 },
      { account: { kind: "network_expected", networkId }, amountPence: -12_345 },
    ],
  });
});

describe("T7 reports in the admin", () => {
  test.each(reportNames)("T7 %s has a chart, a table of the same figures, and a file of them", async (name) => {
    const page = await read(`/admin/reports/${name}`);
    expect(page.status).toBe(200);
    expect(page.text).toContain(`<h1>${reportWords[name].title}</h1>`);
    expect(/<figure class="chart panel">[\s\S]*<svg/.test(page.text)).toBe(true);
    expect(page.text).toContain(`Table of ${reportWords[name].title.toLowerCase()}`);
    // What visitors typed is text.
    expect(page.text).not.toContain("<b>boots");
    const file = await read(`/admin/reports/${name}/table.csv`);
    expect(file.status).toBe(200);
    expect(file.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(file.headers.get("content-disposition")).toContain(`filename="${name}-all-`);
    const [head = "", ...lines] = file.text.trimEnd().split("\r\n");
    expect(lines.length).toBeGreaterThan(0);
    const heads = [...page.text.matchAll(/<th scope="col"[^>]*>([^<]+)/g)].map(([, label]) => label);
    expect(head.split(",").map((label) => label.replace(/ \(.*/, ""))).toEqual(heads);
  });

  test("T7 the figures are those of the records, in the table and the file", async () => {
    const funnel = await read(`/admin/reports/funnel/table.csv?brand=${brand}`);
    expect(funnel.text.split("\r\n").slice(0, 5)).toEqual([
      "Step,Number,Of the step it follows (%)",
      "Views of offers,5,",
      "Redemptions,0,0",
      "Codes revealed,0,0",
      "Clicks on offers,3,60",
    ]);
    const money = await read(`/admin/reports/money?brand=${brand}`);
    expect(money.text).toContain("£129.45");
    const file = await read(`/admin/reports/money/table.csv?from=${today}&to=${today}`);
    expect(file.text.split("\r\n")[1]).toMatch(new RegExp(`^${today.slice(0, 7)},129\\.45,0\\.00,`));
    const searches = await read("/admin/reports/searches-without-result/table.csv");
    expect(searches.text).toContain(`${brand},'=hyperlink(1),1,0,`);
  });

  test("T7 below brands and days stands what they add up to; the members of each day don't", async () => {
    const footOf = async (path: string) => {
      const foot = (await read(path)).text.match(/<tfoot>([\s\S]*)<\/tfoot>/)?.[1] ?? "";
      return [...foot.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell = ""]) => cell.replace(/<[^>]+>/g, ""));
    };
    const other = await makeClub(db, { networkSlug: "two" });
    await makeClick(db, other, { createdAt: NOW });
    await sumOffers(db, { now: NOW });
    await db.updateTable("members").set({ created_at: NOW }).where("id", "=", other.memberId).execute();
    const brands = await footOf("/admin/reports/brands");
    const [clicks, joined] = [5, 10];
    expect([brands[0], brands[clicks], brands[joined]]).toEqual(["Total", "4", "2"]);
    expect(await footOf("/admin/reports/members")).toEqual(["Total", "", "2", "0", ""]);
    for (const report of ["funnel", "offers", "searches"]) expect(await footOf(`/admin/reports/${report}`)).toEqual([]);
  });

  test("T7 another brand and other days are other figures; where nothing happened the page says so", async () => {
    const empty = await read("/admin/reports/searches?from=2020-01-01&to=2020-01-31");
    expect(empty.status).toBe(200);
    expect(empty.text).toContain("Nothing in this range. Choose other days.");
    const funnel = await read("/admin/reports/funnel/table.csv?from=2020-01-01&to=2020-01-31");
    expect(funnel.text).toContain("Clicks on offers,0,");
    const few = await read("/admin/reports/offers?clicks=4");
    expect(few.text).toContain("Nothing in this range");
    expect((await read("/admin/reports/offers?clicks=3")).text).toContain("Cashback on everything");
  });

  test.each([
    ["from=2026-02-30", "From is not a day"],
    ["from=2026-11-02&to=2026-11-01", "To is before From"],
    ["from=2001-01-01&to=2026-11-01", "more than three years"],
    ["brand=nobody", "There is no such brand"],
    ["clicks=-1", "Give a whole number of clicks"],
  ])("T7 %s is refused in words, with what was typed; its file leads to them", async (query, words) => {
    const page = await read(`/admin/reports/offers?${query}`);
    expect(page.status).toBe(422);
    expect(page.text).toContain(words);
    expect(page.text).not.toContain('<svg class="chart-lines"');
    const typed = new URLSearchParams(query);
    if (typed.has("from")) expect(page.text).toContain(`value="${typed.get("from")}"`);
    const file = await read(`/admin/reports/offers/table.csv?${query}`);
    expect([file.status, file.headers.get("location")]).toEqual([303, `/admin/reports/offers?${query}`]);
  });

  test("T7 there is no report of another name, and none of money without its permission", async () => {
    for (const name of ["cake", "toString", "__proto__", "Funnel"]) {
      expect((await read(`/admin/reports/${name}`)).status).toBe(404);
      expect((await read(`/admin/reports/${name}/table.csv`)).status).toBe(404);
    }
    const support = await insertOperator(db, { role: "support" });
    expect((await admin.get("/admin/reports/money/table.csv", support)).status).toBe(403);
    const list = await (await admin.get("/admin/reports", support)).text();
    expect(list).toContain("/admin/reports/funnel");
    expect(list).not.toContain("/admin/reports/money");
  });
});

test.each([
  ["owner", true],
  ["finance", true],
  ["support", false],
  ["catalogue", false],
] as const)("A1 home shows %s what cashback and payouts sum up to: %s, as the report of them", async (role, sees) => {
  const operator = await insertOperator(db, { role });
  expect((await admin.get("/admin/reports/money", operator)).status).toBe(sees ? 200 : 403);
  admin.errors.splice(0);
  const page = await (await admin.get("/admin", operator)).text();
  expect(page).toContain("Purchases tracked");
  for (const figure of ["Cashback confirmed", "Paid to members"]) expect(page.includes(figure), figure).toBe(sees);
});
