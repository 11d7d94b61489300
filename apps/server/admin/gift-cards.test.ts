import { fieldIn, insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import { findListPage } from "@farthing/core/lists/find-list-page.server.ts";
import { readListState } from "@farthing/core/lists/list-schema.ts";
import { forgetBuyersAddresses } from "@farthing/core/gift-cards/forget-addresses.server.ts";
import { IssuerUnavailableError } from "@farthing/core/gift-cards/issuer.ts";
import { lineList, type LineFilters, type OperatorLine } from "@farthing/core/gift-cards/list-lines.server.ts";
import { openShop } from "@farthing/core/gift-cards/shop.testing.ts";
import { findNeeds } from "@farthing/core/needs/find-needs.server.ts";
import { insertRetailer } from "@farthing/core/catalogue/catalogue.testing.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertVerifiedMember } from "@farthing/core/testing/insert-member.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";

const { db } = await testDatabase();
loadAdmin();

const shop = await openShop(db, ["a key of tests"]);
const { issuer } = shop.issuer;
const issuers = new Map([[issuer.slug, issuer]]);
const admin = openTestAdmin(db, { now: shop.now, issuers });
afterEach(() => expect(admin.errors).toEqual([]));

const finance = await insertOperator(db, { role: "finance", now: shop.now() });
const support = await insertOperator(db, { role: "support", now: shop.now() });
const entriesOf = (id: string) =>
  db.selectFrom("audit_entries").selectAll().where("subject_id", "=", id).orderBy("seq").execute();
const lineOf = (publicId: string) =>
  db.selectFrom("gift_card_lines").selectAll().where("public_id", "=", publicId).executeTakeFirstOrThrow();
const listed = async (filters: LineFilters) =>
  (
    await findListPage<OperatorLine, "placed">(
      db,
      lineList(filters, 5),
      readListState(new URLSearchParams(), { sorts: ["placed"], defaultSort: "placed" }),
    )
  ).rows.map(({ publicId }) => publicId);

/** The lines of a visitor's order that is large, and therefore held. */
async function heldLines() {
  const bought = await shop.buy(Array.from({ length: 5 }, () => ["fixed", 5_000]));
  await bought.pay();
  await shop.work();
  const [line = "", ...others] = bought.lines;
  expect((await lineOf(line)).state).toBe("held");
  return { ...bought, line, others };
}

describe("G4 gift cards in the admin", () => {
  test("G4 a held line is released, or refunded after a question with a reason; support only looks", async () => {
    const released = await heldLines();
    const needs = await findNeeds(db, { role: "finance", now: shop.now() });
    expect(needs.find(({ key }) => key === "gift-card-lines")?.count).toBe(5);
    const page = `/admin/gift-cards/lines/${released.line}`;
    const looked = await (await admin.get(page, support)).text();
    expect(looked).toContain("new member");
    expect(looked).not.toContain("Release");
    expect((await admin.post(page, support, { act: "issue" })).status).toBe(403);
    expect(await (await admin.post(page, finance, { act: "issue" })).text()).toContain("Released");
    await shop.work();
    expect((await lineOf(released.line)).state).toBe("issued");
    expect((await admin.post(page, finance, { act: "issue" })).status).toBe(409);
    expect((await entriesOf(released.line)).map(({ action }) => action)).toEqual(["gift-card.issue"]);

    const { line, refundedPence } = await heldLines();
    const other = `/admin/gift-cards/lines/${line}`;
    expect(await (await admin.post(other, finance, { act: "refund", why: "x" })).text()).toContain(
      "Refund this gift card?",
    );
    expect((await admin.post(other, finance, { act: "refund", confirmed: "yes", why: "" })).status).toBe(422);
    expect((await lineOf(line)).state).toBe("held");
    await admin.post(other, finance, { act: "refund", confirmed: "yes", why: "stolen card" });
    await shop.work();
    expect((await lineOf(line)).state).toBe("refunded");
    expect(refundedPence()).toBeGreaterThan(0);
    expect(await entriesOf(line)).toMatchObject([
      { action: "gift-card.refund", why: "stolen card", before: { state: "held" }, after: { state: "refunding" } },
    ]);
    expect((await admin.get("/admin/gift-cards/lines/none", finance)).status).toBe(404);
  });

  test("A3 cards are found by the number of the line, of the order and of the member", async () => {
    const { id: brandId } = await insertBrand(db);
    const member = { ...(await insertVerifiedMember(db, { brandId })), brandId };
    const bought = await shop.buy(
      [
        ["fixed", 5_000],
        ["other", 5_000],
      ],
      { member },
    );
    const { member_number: number } = await db
      .selectFrom("members")
      .select("member_number")
      .where("id", "=", member.id)
      .executeTakeFirstOrThrow();
    const [first = ""] = bought.lines;
    expect(await listed({ q: first })).toEqual([first]);
    expect((await listed({ q: bought.order })).sort()).toEqual(bought.lines.toSorted());
    expect((await listed({ q: number.toLowerCase() })).sort()).toEqual(bought.lines.toSorted());
    expect(await listed({ q: number, waits: "person" })).toEqual([]);
    expect(await listed({ q: number, issuer: "nobody" })).toEqual([]);
    expect((await listed({ q: number, state: "awaiting_payment" })).length).toBe(2);
  });

  test("A3 a visitor's cards are found by the address of the mails about them, and the page shows it and leads to the payment", async () => {
    const typed = await shop.buy([["fixed", 5_000]], { email: "Ada.Visitor@example.org" });
    const given = await shop.buy([["other", 5_000]], {
      fixed: { amountPence: 5_000, email: "grace@shop.example" },
      email: "typed-and-not-used@example.org",
    });
    expect(await listed({ q: " ada.visitor@EXAMPLE.org " })).toEqual(typed.lines);
    expect(await listed({ q: "grace@shop.example" })).toEqual(given.lines);
    for (const q of ["typed-and-not-used@example.org", "ada.visitor@example", "visitor@example.org.uk"])
      expect(await listed({ q }), q).toEqual([]);

    const { id: brandId } = await insertBrand(db);
    const member = { ...(await insertVerifiedMember(db, { brandId })), brandId };
    const bought = await shop.buy([["fixed", 5_000]], { member });
    const { email } = await db
      .selectFrom("members")
      .select("email")
      .where("id", "=", member.id)
      .executeTakeFirstOrThrow();
    expect(await listed({ q: email })).toEqual(bought.lines);

    expect(await (await admin.get("/admin/gift-cards?q=grace%40shop.example", support)).text()).toContain(
      '<span class="soft">grace@shop.example</span>',
    );
    const page = `/admin/gift-cards/lines/${typed.lines[0] ?? ""}`;
    const seen = await (await admin.get(page, finance)).text();
    expect(seen).toContain("Ada.Visitor@example.org");
    const [payment = ""] = /\/admin\/payments\/[\w-]+/.exec(seen) ?? [];
    expect((await admin.get(payment, finance)).status).toBe(200);
    expect(await (await admin.get(page, support)).text()).not.toContain("/admin/payments/");

    await forgetBuyersAddresses(db, { now: new Date(shop.now().getTime() + 31 * 86_400_000) });
    await db.deleteFrom("widget_sessions").execute();
    expect(await listed({ q: "ada.visitor@example.org" })).toEqual([]);
    expect(await (await admin.get(page, finance)).text()).toContain("a visitor, of whom no address is kept");
  });

  test("A3 the queue, each state and each address read an index", async () => {
    await db.transaction().execute(async (trx) => {
      await sql`set local enable_seqscan = off`.execute(trx);
      await sql`set local enable_sort = off`.execute(trx);
      const planOf = async (filters: LineFilters) => {
        const { rows } = await sql<{ "QUERY PLAN": string }>`explain select line.id from gift_card_lines line
          where ${sql.join(lineList(filters, 5).where, sql` and `)} order by line.id limit 50`.execute(trx);
        return rows.map((row) => row["QUERY PLAN"]).join("\n");
      };
      expect(await planOf({ waits: "person" })).toContain("gift_card_lines_for_person");
      expect(await planOf({ state: "issued" })).toContain("gift_card_lines_state");
      const byAddress = await planOf({ q: "ada@example.org" });
      for (const index of ["gift_card_orders_buyer_email", "widget_sessions_email"]) expect(byAddress).toContain(index);
    });
  });

  test("G5 a payment to an issuer is booked once, after a question; another amount under its reference is refused", async () => {
    const path = "/admin/gift-cards/floats";
    const form = { issuer: issuer.slug, amount: "£2,500.00", reference: "BACS-7" };
    expect((await admin.get(path, support)).status).toBe(403);
    expect((await admin.post(path, finance, { ...form, amount: "much" })).status).toBe(422);
    expect((await admin.post(path, finance, { ...form, issuer: "nobody" })).status).toBe(422);
    expect(await (await admin.post(path, finance, form)).text()).toContain("Book £2,500.00 paid to");
    const confirmed = { ...form, confirmed: "yes", why: "float of the week" };
    expect(await (await admin.post(path, finance, confirmed)).text()).toContain("£2,500.00 booked.");
    expect((await admin.post(path, finance, confirmed)).status).toBe(409);
    expect((await admin.post(path, finance, { ...confirmed, amount: "1" })).status).toBe(409);
    const entries = await entriesOf(`issuer_float:${issuer.slug}:BACS-7`);
    expect(entries).toMatchObject([{ action: "float.book", before: null, after: { pence: 250_000 } }]);
    expect(await (await admin.get(path, finance)).text()).toContain("BACS-7");
  });

  test("G5 an issuer that does not answer is said to, and changes nothing", async () => {
    const silent = {
      ...issuer,
      float: () => Promise.reject(new IssuerUnavailableError("silence")),
      catalogue: () => Promise.reject(new IssuerUnavailableError("silence")),
    };
    const away = openTestAdmin(db, { now: shop.now, issuers: new Map([[issuer.slug, silent]]) });
    expect(await (await away.get("/admin/gift-cards/floats", finance)).text()).toContain("does not answer now");
    const read = await away.post("/admin/gift-cards/products", finance, { issuer: issuer.slug });
    expect(read.status).toBe(503);
    expect(away.errors).toEqual([]);
    const done = await admin.post("/admin/gift-cards/products", finance, { issuer: issuer.slug });
    expect(await done.text()).toContain("2 products read, 0 new");
    expect(await entriesOf(issuer.slug)).toMatchObject([{ action: "card-issuer.read", after: { products: 2 } }]);
  });

  test("G6 a retailer is marked as insolvent after a question; what buyers get stays below the issuer's discount", async () => {
    const { public_id: id } = await db
      .selectFrom("gift_card_products")
      .select("public_id")
      .where("issuer_product_id", "=", "other")
      .executeTakeFirstOrThrow();
    const path = `/admin/gift-cards/products/${id}`;
    const seen = async () => fieldIn(await (await admin.get(path, finance)).text(), "seen");
    const opened = await seen();
    const form = { act: "insolvent", because: "The shop has closed for good.", seen: opened };
    expect((await admin.post(path, finance, { ...form, because: "x" })).status).toBe(422);
    expect(await (await admin.post(path, finance, form)).text()).toContain("as insolvent?");
    await admin.post(path, finance, { ...form, confirmed: "yes", why: "news" });
    const productOf = () =>
      db.selectFrom("gift_card_products").selectAll().where("public_id", "=", id).executeTakeFirstOrThrow();
    expect(await productOf()).toMatchObject({ is_insolvent: true, stopped_because: "The shop has closed for good." });
    // Colleagues whose pages are from before neither sell it again nor stop it for a lesser reason.
    const stale = [
      { act: "resume", seen: opened },
      { act: "stop", because: "Out of stock.", seen: opened, confirmed: "yes", why: "no cards" },
    ];
    for (const late of stale) {
      const answer = await admin.post(path, finance, late);
      expect([answer.status, late.act]).toEqual([409, late.act]);
      const html = await answer.text();
      expect(html).toContain("somebody has stopped or resumed its sale meanwhile");
      for (const typed of ["Out of stock.", "no cards"])
        expect(html.includes(`<dd>${typed}</dd><`), "what was typed is still there").toBe(late.act === "stop");
      expect(await productOf()).toMatchObject({ is_insolvent: true, stopped_because: "The shop has closed for good." });
    }
    const stopped = await seen();
    await admin.post(path, finance, { act: "resume", seen: stopped });
    expect(await productOf()).toMatchObject({ is_insolvent: false, stopped_at: null });
    const again = await (
      await admin.post(path, finance, { ...form, seen: stopped, confirmed: "yes", why: "a late reason" })
    ).text();
    expect(again).toContain("<dd>a late reason</dd>");
    expect(again, "the form has it").not.toContain("<dd>The shop has closed for good.</dd>");
    expect(again, "the form has what was typed, and what is stored now").toMatch(
      /name="seen" value="sold false"[\s\S]*<textarea[^>]*name="because"[^>]*>The shop has closed for good\.<\/textarea>/,
    );
    const { issuer_discount_bp: max } = await productOf();
    const version = fieldIn(await (await admin.get(path, finance)).text(), "version");
    const reward = { act: "reward", kind: "cashback", version };
    expect((await admin.post(path, finance, { ...reward, percent: String(max / 100 + 0.01) })).status).toBe(422);
    await admin.post(path, finance, { ...reward, percent: "0.5" });
    expect(await productOf()).toMatchObject({ reward_kind: "cashback", reward_bp: 50 });
    expect((await entriesOf(id)).map(({ action }) => action)).toEqual([
      "gift-card-product.insolvent",
      "gift-card-product.resume",
      "gift-card-product.reward",
    ]);
  });

  test("G2 A2 a retailer's page and its gift card lead to each other, and the card's page says why it is not sold", async () => {
    const owner = await insertOperator(db, { role: "owner", now: shop.now() });
    const { id, slug, name } = await insertRetailer(db, { name: "Candle & Fen" });
    const product = await db
      .updateTable("gift_card_products")
      .set({ retailer_id: id })
      .where("issuer_product_id", "=", "fixed")
      .returning("public_id")
      .executeTakeFirstOrThrow();
    const [retailers, cards] = [`/admin/retailers/${slug}`, `/admin/gift-cards/products/${product.public_id}`];
    const page = async (path: string, who = owner) => (await admin.get(path, who)).text();
    expect(await page(retailers)).toMatch(new RegExp(`href="${cards}"[\\s\\S]{0,200}>sold<`));
    expect(await page(cards)).toContain(`href="${retailers}"`);
    expect(await page(cards, finance), "finance may not open retailers").not.toContain(`href="${retailers}"`);
    await db.updateTable("retailers").set({ status: "in_administration" }).where("id", "=", id).execute();
    expect(await page(retailers)).toContain(">not sold<");
    expect((await page(cards)).replaceAll(/<[^>]*>/g, "")).toContain(
      `It is not sold: its retailer, ${name.replace("&", "&amp;")}, is in administration.`,
    );
    const listed = async (state: string) => page(`/admin/gift-cards/products?state=${state}`, finance);
    expect(await listed("retailer")).toContain(cards);
    expect(await listed("sold")).not.toContain(cards);
    await db.updateTable("gift_card_products").set({ retailer_id: null }).execute();
  });

  test("G4 what buyers get is not overwritten by a form that was opened before somebody else's save; both see both", async () => {
    const { public_id: id } = await db
      .selectFrom("gift_card_products")
      .select("public_id")
      .where("issuer_product_id", "=", "fixed")
      .executeTakeFirstOrThrow();
    const path = `/admin/gift-cards/products/${id}`;
    const opened = fieldIn(await (await admin.get(path, finance)).text(), "version");
    const save = (percent: string, version: string, kind = "cashback") =>
      admin.post(path, finance, { act: "reward", kind, percent, version });
    const rewardOf = () =>
      db
        .selectFrom("gift_card_products")
        .select(["reward_kind", "reward_bp"])
        .where("public_id", "=", id)
        .executeTakeFirstOrThrow();
    const rewards = async () => (await entriesOf(id)).filter(({ action }) => action.endsWith(".reward")).length;
    const before = await rewards();
    const saved = await save("1.25", opened);
    expect(saved.status).toBe(200);
    const version = fieldIn(await saved.text(), "version");
    expect(version).not.toBe(opened);
    for (const late of [opened, ""]) {
      const stale = await save("2", late, "discount");
      expect(stale.status).toBe(409);
      const page = await stale.text();
      for (const words of [finance.email, "<td>1.25</td><td>2</td>", "<td>cashback</td><td>a discount</td>"])
        expect(page).toContain(words);
      expect(fieldIn(page, "version")).toBe(version);
      expect(await rewardOf()).toEqual({ reward_kind: "cashback", reward_bp: 125 });
    }
    expect((await save("1.25", version)).status, "the same again").toBe(409);
    const both = await Promise.all([save("2", version), save("3", version)]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(await rewards()).toBe(before + 2);
  });
});
