import { makeClick, reportedSale } from "@farthing/core/cashback/cashback.testing.ts";
import { cursorOf } from "@farthing/core/cashback/history-cursor.ts";
import { insertLongHistory } from "@farthing/core/cashback/insert-long-history.testing.ts";
import { recordReportedTransaction } from "@farthing/core/cashback/operations.server.ts";
import { giveGoodwill, reverseGoodwill } from "@farthing/core/goodwill/operations.server.ts";
import { NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { makeShop } from "@farthing/core/clicks/clicks.testing.ts";
import type { ReportedTransaction } from "@farthing/core/networks/network-transaction.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { loadSite, openClub, tag, type TestClub, textOf } from "../../../testing/site.testing.ts";

const { db } = await testDatabase();
loadSite();
const DAY = 86_400_000;
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY);

let club: TestClub;
let networkId: string;
beforeAll(async () => {
  club = await openClub(db);
  networkId = (await insertNetwork(db, { slug: "awin" })).id;
});

/** A member with one purchase, made so many days ago. */
async function buyer(days: number, changes: Partial<ReportedTransaction> = {}) {
  const member = await club.newMember();
  const theirs = {
    brandId: club.brand.id,
    networkId,
    memberId: member.id,
    shop: await makeShop(db, { brandId: club.brand.id, networkId }),
  };
  const at = daysAgo(days);
  const sale = {
    ...reportedSale(theirs, await makeClick(db, theirs, { createdAt: at })),
    purchasedAt: at,
    modifiedAt: at,
    observedAt: at,
  };
  await recordReportedTransaction(db, { networkId, reported: sale, now: at });
  const reported = { ...sale, ...changes, modifiedAt: daysAgo(days - 1), observedAt: daysAgo(days - 1) };
  if (Object.keys(changes).length > 0)
    await recordReportedTransaction(db, { networkId, reported, now: daysAgo(days - 1) });
  const entry = await db
    .selectFrom("cashback_entries as entry")
    .innerJoin("clicks as click", "click.id", "entry.click_id")
    .select(["entry.id", "click.click_number"])
    .where("entry.member_id", "=", member.id)
    .executeTakeFirstOrThrow();
  const open = async (path: string) => {
    const answer = await club.get(path, { member });
    const html = await answer.text();
    return { status: answer.status, html, text: textOf(html), headers: answer.headers };
  };
  return {
    member,
    open,
    sale,
    purchase: `/money/purchases/${cursorOf(entry.id)}`,
    receipt: `/money/receipts/${entry.click_number}`,
  };
}

describe("C3 a member's money", () => {
  test("C3 P8 from the profile, links lead without script to the money, the purchase and its receipt", async () => {
    const { open, purchase, receipt } = await buyer(5);
    expect((await open("/profile")).html).toContain('href="/money"');
    const money = await open("/money");
    expect([money.status, money.html.includes(`href="${purchase}"`)]).toEqual([200, true]);
    expect(money.text).toContain("£6.00");
    expect((await open("/money/purchases")).html).toContain(`href="${purchase}"`);
    const shown = await open(purchase);
    expect(shown.html).toContain(`href="${receipt}"`);
    expect(shown.text).toContain("half of all purchases are there by the first day, nine in ten by the last");
    expect((await open(receipt)).text).toContain("6% cashback");
  });

  test("C3 a member without purchases is told how to begin", async () => {
    const member = await club.newMember();
    for (const path of ["/money", "/money/purchases"])
      expect.soft(textOf(await (await club.get(path, { member })).text()), path).toContain("Nothing tracked yet");
  });

  test("D1 C3 the home page says what is on its way, and leads to the money; a visitor's says nothing of it", async () => {
    const { open } = await buyer(5);
    const home = await open("/");
    expect(home.text).toContain("Your money £6.00 is on its way.");
    expect(home.html).toMatch(/<a class="home-money" href="\/money"/);
    const newcomer = await club.get("/", { member: await club.newMember() });
    expect(textOf(await newcomer.text())).toContain("Your money Nothing tracked yet.");
    expect(await (await club.get("/")).text()).not.toContain("home-money");
  });

  test("D1 C3 the home page of a member whose purchases were all declined does not say that none was tracked", async () => {
    const { open } = await buyer(5, { status: "declined", reason: "returned" });
    const home = await open("/");
    expect(home.text).toContain("Your money Nothing is on its way just now.");
    expect(home.text).not.toContain("Nothing tracked yet");
    expect(home.html).toMatch(/<a class="home-money" href="\/money"/);
    expect((await open("/money")).text).not.toContain("Nothing tracked yet");
  });

  test("C3 an overdue purchase says so on every page before the member has to ask", async () => {
    const { open, purchase } = await buyer(77);
    for (const path of ["/money", "/money/purchases", purchase, "/profile"])
      expect.soft((await open(path)).text, path).toMatch(/\blate\b/i);
  });

  test("C3 a decline has its sentence, who decided, and what can be appealed", async () => {
    const { open, purchase } = await buyer(60, { status: "declined", reason: "out_of_stock" });
    const { text } = await open(purchase);
    expect(text).toContain("The retailer told us it could not deliver the order.");
    expect(text).toContain("The retailer, not us.");
    expect(text).toContain("send us the delivery note");
  });

  test("C3 C7 what is said against a decision leads to a claim where there can be one, and else to a person", async () => {
    const amended = { saleMinor: 5_000, commissionMinor: 400, parts: [], reason: "amended" as const };
    const paid = { status: "approved" as const, paidToPublisher: true };
    const tried: [string, Partial<ReportedTransaction>[], "claim" | "mail"][] = [
      ["amended while pending", [amended], "claim"],
      ["declined", [{ status: "declined", reason: "returned" }], "claim"],
      ["amended, then yours", [amended, { ...amended, ...paid }], "mail"],
      ["taken back after it was yours", [paid, { ...paid, ...amended }], "mail"],
    ];
    for (const [name, [first, second], leadsTo] of tried) {
      const { member, open, sale } = await buyer(9, first);
      if (second) {
        const reported = { ...sale, ...second, modifiedAt: daysAgo(3), observedAt: daysAgo(3) };
        await recordReportedTransaction(db, { networkId, reported, now: daysAgo(3) });
      }
      const entries = await db
        .selectFrom("cashback_entries")
        .select(["id", "entry_kind", "reason_code"])
        .where("member_id", "=", member.id)
        .where("reason_code", "is not", null)
        .execute();
      expect(entries, name).toHaveLength(1);
      const { html, text } = await open(`/money/purchases/${cursorOf(entries[0]!.id)}`);
      expect(text, name).toContain("If you think that is wrong");
      const link = /href="(\/money\/claims\/new\?[^"]*)"/.exec(html)?.[1];
      expect(link === undefined ? "mail" : "claim", name).toBe(leadsTo);
      if (link === undefined) expect(html, name).toMatch(/href="mailto:[^"?]+\?subject=Click%20\w{4}-\w{4}-\w{4}"/);
      else expect((await open(link)).status, `${name}: the link leads somewhere`).toBe(200);
    }
  });

  test("C3 a search and its pages keep the words", async () => {
    const member = await club.newMember();
    await makeShop(db, { brandId: club.brand.id, networkId });
    await insertLongHistory(db, { brandId: club.brand.id, memberId: member.id, entries: 400, now: NOW });
    const html = await (await club.get("/money/purchases?q=shop", { member })).text();
    const older = /href="([^"]*)/.exec(tag(html, "a", 'rel="next"'))![1]!.replaceAll("&amp;", "&");
    expect(older).toMatch(/^\/money\/purchases\?q=shop&before=/);
    expect((await club.get(older, { member })).status).toBe(200);
    expect((await club.get("/money/purchases?before=nonsense", { member })).status).toBe(404);
    expect(textOf(await (await club.get("/money/purchases?q=qqxz", { member })).text())).toContain("No purchase found");
  });

  test("C3 B4 S1 another member's purchase, receipt and files are answered like those that do not exist", async () => {
    const [mine, theirs] = [await buyer(5), await buyer(5)];
    for (const path of [
      theirs.purchase,
      theirs.receipt,
      `${theirs.receipt}/text`,
      `${theirs.receipt}/json`,
      `${mine.receipt}/pdf`,
      `${mine.receipt}/__proto__`,
      "/money/purchases/AAAAAAAAAAAAAAAAAAAAAA",
      "/money/purchases/%00",
      "/money/receipts/%F0%9F%A6%8A",
      "/money/receipts/0000-0000-0000",
    ])
      expect.soft((await mine.open(path)).status, path).toBe(404);
  });

  test("C5 S1 receipts and purchases are downloads that no cache keeps and no other site reads", async () => {
    const { open, receipt } = await buyer(5);
    for (const [path, type, ending] of [
      [`${receipt}/text`, "text/plain; charset=utf-8", "txt"],
      [`${receipt}/json`, "application/json", "json"],
      ["/money/purchases.csv", "text/csv; charset=utf-8", "csv"],
    ] as const) {
      const { status, headers } = await open(path);
      expect.soft(status, path).toBe(200);
      expect.soft(headers.get("content-type"), path).toBe(type);
      expect
        .soft(headers.get("content-disposition"), path)
        .toMatch(new RegExp(`^attachment; filename="[a-z0-9A-Z-]+\\.${ending}"$`));
      expect.soft(headers.get("cache-control"), path).toMatch(/no-store/);
      expect.soft(headers.get("x-content-type-options"), path).toBe("nosniff");
    }
  });

  test("C7 C3 what the club has credited is on the page and in the CSV with its words, for its member alone", async () => {
    const [mine, theirs] = [await buyer(5), await buyer(5)];
    const credit = {
      ...{ brandId: club.brand.id, memberId: mine.member.id, amountPence: 450, reason: "our_mistake" as const },
      ...{ note: "only for operators", claimPublicId: null, by: "op", limits: { dayPence: 1e6, memberPence: 1e6 } },
    };
    await giveGoodwill(db, { ...credit, reference: "T-1", now: daysAgo(3) });
    await giveGoodwill(db, { ...credit, amountPence: 125, reason: "thank_you", reference: "T-2", now: daysAgo(2) });
    await reverseGoodwill(db, { brandId: club.brand.id, reference: "T-2", note: "why", by: "op", now: daysAgo(1) });
    const { html, text } = await mine.open("/money");
    expect(text).toMatch(
      /From us\s+A thank-you from us\s*Credited .+, taken back .+£1\.25\s*We made a mistake\s*In what is yours since .+£4\.50/,
    );
    expect(html).toContain("<s>£1.25</s>");
    expect(html).not.toContain("only for operators");
    expect((await mine.open("/money/purchases.csv")).html).toContain(
      ",,Credit from us,Yours,,,4.50,We made a mistake,",
    );
    for (const path of ["/money", "/money/purchases.csv"])
      expect((await theirs.open(path)).text).not.toMatch(/From us|Credit from us/);
  });

  test("C3 visitors are sent to the login", async () => {
    for (const path of ["/money", "/money/purchases", "/money/purchases.csv", "/money/receipts/0000-0000-0000"]) {
      const answer = await club.get(path);
      expect.soft([302, 303].includes(answer.status), path).toBe(true);
      expect.soft(answer.headers.get("location"), path).toContain("/login");
    }
  });
});
