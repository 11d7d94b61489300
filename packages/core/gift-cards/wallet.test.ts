import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import type { RetailerStatus } from "../catalogue/catalogue-view.ts";
import { insertRetailer } from "../catalogue/catalogue.testing.ts";
import { changeRetailer } from "../catalogue/retailers/change-retailer.server.ts";
import { findRetailerRecord, formOf } from "../catalogue/retailers/find-retailer-record.server.ts";
import type { RetailerForm } from "../catalogue/retailers/retailer-schema.ts";
import { stopProduct } from "./operations.server.ts";
import { openCard } from "./open-card.server.ts";
import { noteIssuedCard } from "./gifts.server.ts";
import { giveCard, openPresent } from "./presents.server.ts";
import { IssuerUnavailableError, type CardIssuer } from "./issuer.ts";
import { markUsed, noteSpend, readBalance, removeSpend } from "./wallet-operations.server.ts";
import { findWallet, findWalletCard, findWalletPanel } from "./wallet.server.ts";
import { aGift, openWallets, WALLET_KEYS } from "./wallet.testing.ts";

const { db } = await testDatabase();
const club = await openWallets(db);
const DAY_MS = 86_400_000;

async function owner(facePence = 2500) {
  const member = await club.newMember();
  const { card, code } = await club.buyCard(member.memberId, facePence);
  const { email } = await db
    .selectFrom("members")
    .select("email")
    .where("id", "=", member.memberId)
    .executeTakeFirstOrThrow();
  return { ...member, card, code, email, own: { memberId: member.memberId, card } };
}
const show = (own: { memberId: string; card: string }, sessionId: string, isFresh: boolean) =>
  openCard(db, { ...own, sessionId, isFresh, keys: WALLET_KEYS, now: club.now() });
const look = async (own: { memberId: string; card: string }) =>
  findWalletCard(db, { ...own, sessionId: "00000000-0000-0000-0000-000000000001", now: club.now() });
const noticeOf = async (card: string) =>
  (
    await db
      .selectFrom("wallet_cards as wallet")
      .innerJoin("gift_card_lines as line", "line.id", "wallet.line_id")
      .select("wallet.next_notice_at as at")
      .where("line.public_id", "=", card)
      .executeTakeFirstOrThrow()
  ).at;
const told = (email: string, kind: string) => club.delivered.filter((mail) => mail.to === email && mail.kind === kind);

describe("G6 the wallet", () => {
  test("G6 a device shows a code again after it has proved once; another device and a new session prove first", async () => {
    const { own, sessionId, memberId, code } = await owner();
    expect(await show(own, sessionId, false)).toEqual({ outcome: "prove" });
    expect(await show(own, sessionId, true)).toMatchObject({ outcome: "opened", card: { code } });
    expect(await show(own, sessionId, false)).toMatchObject({ outcome: "opened" });
    const second = await club.newDevice(memberId);
    expect(await show(own, second, false)).toEqual({ outcome: "prove" });
    expect(await show(own, second, true)).toMatchObject({ outcome: "opened" });
    await db.deleteFrom("member_sessions").where("id", "=", second).execute();
    expect(await show(own, second, true)).toEqual({ outcome: "unknown" });
    const { rows } = await sql`select from gift_card_devices where session_id = ${second}`.execute(db);
    expect(rows).toEqual([]);
  });

  test("G6 a page says what is left, lists notes, and never has the code", async () => {
    const { own, code, memberId } = await owner();
    const at = { ...own, now: club.now() };
    expect(await noteSpend(db, { ...at, amountPence: 1000, note: "Boots" })).toBe("noted");
    expect(await noteSpend(db, { ...at, amountPence: 1501, note: null })).toBe("too-much");
    expect(await look(own)).toMatchObject({ leftPence: 1500, spends: [{ amountPence: 1000, note: "Boots" }] });
    expect(await findWalletPanel(db, { memberId, now: club.now() })).toEqual({ cards: 1, leftPence: 1500, making: 0 });
    expect(await noteSpend(db, { ...at, amountPence: 1500, note: null })).toBe("noted");
    expect(await look(own)).toMatchObject({ leftPence: 0, usedAt: club.now() });
    const [spend] = (await look(own))?.spends ?? [];
    expect(await removeSpend(db, { ...at, spendId: spend?.id ?? "" })).toBe(true);
    expect(await removeSpend(db, { ...at, spendId: spend?.id ?? "" })).toBe(false);
    expect(await markUsed(db, { ...at, isUsed: true })).toBe(true);
    expect((await look(own))?.usedAt).toEqual(club.now());
    expect(await markUsed(db, { ...at, isUsed: false })).toBe(true);
    expect((await look(own))?.usedAt).toBeNull();
    expect(JSON.stringify([await look(own), await findWallet(db, { memberId, now: club.now() })])).not.toContain(code);
  });

  test("G6 a card that was used up by a note is the member's again when the note is removed, with its sum and its reminder", async () => {
    const { own, memberId } = await owner();
    const at = { ...own, now: club.now() };
    expect(await noteSpend(db, { ...at, amountPence: 2500, note: "£2.50, in fact" })).toBe("noted");
    expect(await findWalletPanel(db, { memberId, now: club.now() })).toMatchObject({ cards: 0, leftPence: 0 });
    const [spend] = (await look(own))?.spends ?? [];
    expect(await removeSpend(db, { ...at, spendId: spend?.id ?? "" })).toBe(true);
    expect(await look(own)).toMatchObject({ leftPence: 2500, usedAt: null });
    expect(await findWalletPanel(db, { memberId, now: club.now() })).toMatchObject({ cards: 1, leftPence: 2500 });
    expect(await noticeOf(own.card)).toEqual(new Date("2027-10-21T08:00:00Z"));
  });

  test("G6 a card that the member marked as used with something left stays used when a note is removed", async () => {
    const { own } = await owner();
    const at = { ...own, now: club.now() };
    await noteSpend(db, { ...at, amountPence: 1000, note: null });
    await markUsed(db, { ...at, isUsed: true });
    const [spend] = (await look(own))?.spends ?? [];
    expect(await removeSpend(db, { ...at, spendId: spend?.id ?? "" })).toBe(true);
    expect(await look(own)).toMatchObject({ leftPence: 2500, usedAt: club.now() });
    expect(await noticeOf(own.card)).toBeNull();
  });

  test("G6 of concurrent notes no more than the card's value is taken", async () => {
    const { own } = await owner();
    const notes = await Promise.all(
      Array.from({ length: 10 }, () => noteSpend(db, { ...own, amountPence: 1000, note: null, now: club.now() })),
    );
    expect(notes.filter((outcome) => outcome === "noted")).toHaveLength(2);
    expect((await look(own))?.leftPence).toBe(500);
  });

  test("G6 another member can't note, remove, mark or ask about a card", async () => {
    const { own } = await owner();
    await noteSpend(db, { ...own, amountPence: 100, note: null, now: club.now() });
    const [spend] = (await look(own))?.spends ?? [];
    const { memberId } = await club.newMember();
    const foreign = { memberId, card: own.card, now: club.now() };
    expect(await noteSpend(db, { ...foreign, amountPence: 1, note: null })).toBe("unknown");
    expect(await removeSpend(db, { ...foreign, spendId: spend?.id ?? "" })).toBe(false);
    expect(await markUsed(db, { ...foreign, isUsed: true })).toBe(false);
    expect(await readBalance(db, new Map([["memory", club.issuer.issuer]]), foreign)).toBe("unknown");
    expect(await look(foreign)).toBeNull();
  });

  test("G6 the issuer is asked for the balance, once a minute; one that has no check or no answer changes nothing", async () => {
    const { own } = await owner();
    const ask = (balance: CardIssuer["balance"]) =>
      readBalance(db, new Map([["memory", { ...club.issuer.issuer, balance }]]), { ...own, now: club.now() });
    const silent = () => Promise.reject(new IssuerUnavailableError("silent"));
    expect(await ask(silent)).toBe("issuer-unavailable");
    expect(await ask(async () => null)).toBe("no-check");
    expect((await look(own))?.read).toBeNull();
    const asked: unknown[] = [];
    expect(
      await ask(async (card) => {
        asked.push(card);
        return 700;
      }),
    ).toBe("read");
    expect(asked).toEqual([
      {
        ...{ clientReference: `gc-${own.card}`, issuerProductId: "fixed", faceValuePence: 2500 },
        issuerReference: `issuer-gc-${own.card}`,
      },
    ]);
    expect(await look(own)).toMatchObject({ leftPence: 700, read: { leftPence: 700 } });
    expect(await ask(async () => 1)).toBe("too-soon");
    club.clock.at += 60_000;
    expect(await ask(async () => 650)).toBe("read");
  });

  test("G6 an owner is reminded 30 and 7 days before a card expires, unless it is used, given away or not wanted", async () => {
    const [plain, used, gifted, refusing] = [await owner(), await owner(), await owner(), await owner()];
    await markUsed(db, { ...used.own, isUsed: true, now: club.now() });
    await giveCard(db, { ...gifted.own, gift: aGift(), now: club.now() });
    await db
      .insertInto("mail_choices")
      .values({
        ...{ id: "01930000-0000-7000-8000-000000000001", brand_id: club.brandId, member_id: refusing.memberId },
        ...{ kind: "gift-cards", is_wanted: false, way: "page", chosen_at: club.now() },
      })
      .execute();
    const start = club.clock.at;
    const reminders = (email: string) => told(email, "gift-card-expiring").map(({ data }) => data["leftPence"]);
    club.clock.at = Date.parse("2027-10-21T07:59:00Z") - 60_000;
    await club.work({ rounds: 1 });
    expect(reminders(plain.email)).toEqual([]);
    club.clock.at = Date.parse("2027-10-21T08:00:00Z");
    await club.work();
    await club.work();
    expect(reminders(plain.email)).toEqual([2500]);
    await noteSpend(db, { ...plain.own, amountPence: 1000, note: null, now: club.now() });
    club.clock.at = Date.parse("2027-11-13T09:00:00Z");
    await club.work();
    expect(reminders(plain.email)).toEqual([2500, 1500]);
    club.clock.at += 8 * DAY_MS;
    await club.work();
    expect(reminders(plain.email)).toHaveLength(2);
    for (const { email } of [used, gifted, refusing]) expect(reminders(email)).toEqual([]);
    club.clock.at = start;
  });

  test("G6 owners of unused cards are told once that the retailer is insolvent, also when the sale is stopped again", async () => {
    const [unused, used, spent] = [await owner(), await owner(), await owner()];
    await markUsed(db, { ...used.own, isUsed: true, now: club.now() });
    await noteSpend(db, { ...spent.own, amountPence: 2500, note: null, now: club.now() });
    const stop = (isInsolvent: boolean) =>
      stopProduct(db, { issuerProductId: "fixed", because: "In administration.", isInsolvent, now: club.now() });
    await stop(false);
    await club.work();
    expect(told(unused.email, "gift-card-stopped")).toEqual([]);
    for (let again = 0; again < 2; again += 1) {
      await stop(true);
      await club.work();
    }
    expect(told(unused.email, "gift-card-stopped")).toMatchObject([
      { data: { because: "In administration.", leftPence: 2500, isGiven: false } },
    ]);
    for (const { email } of [used, spent]) expect(told(email, "gift-card-stopped")).toEqual([]);
    // Who says later that something is left after all is told then, once.
    const [spend] = (await look(spent.own))?.spends ?? [];
    await removeSpend(db, { ...spent.own, spendId: spend?.id ?? "", now: club.now() });
    for (const isUsed of [false, true, false]) await markUsed(db, { ...used.own, isUsed, now: club.now() });
    await club.work();
    for (const isUsed of [true, false]) await markUsed(db, { ...used.own, isUsed, now: club.now() });
    await club.work();
    for (const { email } of [used, spent]) expect(told(email, "gift-card-stopped")).toHaveLength(1);
    expect((await look(unused.own))?.stop).toEqual({ because: "In administration.", isInsolvent: true });
    await stopProduct(db, { issuerProductId: "fixed", because: null, now: club.now() });
    expect((await look(unused.own))?.stop).toBeNull();
  });

  test("G6 whoever has an unused card is told once that its retailer is in administration, and again only after it was well", async () => {
    const { id, slug } = await insertRetailer(db, { name: "Shop in trouble" });
    await db
      .updateTable("gift_card_products")
      .set({ retailer_id: id })
      .where("issuer_product_id", "=", "fixed")
      .execute();
    const [unused, used, giver, receivers] = [await owner(), await owner(), await owner(), await owner()];
    await markUsed(db, { ...used.own, isUsed: true, now: club.now() });
    await giveCard(db, { ...giver.own, gift: aGift(), now: club.now() });
    const to = "opened@example.org";
    await giveCard(db, { ...receivers.own, gift: aGift({ recipientEmail: to }), now: club.now() });
    await club.work();
    const opened = { brandId: club.brandId, token: club.tokenFor(to), opener: "a browser", keys: WALLET_KEYS };
    expect(await openPresent(db, { ...opened, now: club.now() })).toMatchObject({ outcome: "shown" });
    const become = async (status: RetailerStatus, change: Partial<RetailerForm> = {}) => {
      const record = await findRetailerRecord(db, { slug });
      if (!record) throw new Error("no retailer");
      const form = { ...formOf(record), ...change, status };
      expect(await changeRetailer(db, { slug, seen: record.fingerprint, form, now: club.now() })).toEqual({
        outcome: "changed",
      });
      await club.work();
    };
    const mails = () =>
      [unused.email, used.email, giver.email, receivers.email, to].map((one) => told(one, "gift-card-stopped").length);
    await become("paused");
    expect(mails(), "paused").toEqual([0, 0, 0, 0, 0]);
    expect((await look(unused.own))?.stop).toBeNull();
    await become("in_administration");
    expect(mails()).toEqual([1, 0, 1, 0, 1]);
    expect(told(unused.email, "gift-card-stopped")[0]?.data).toMatchObject({
      ...{ because: "The shop is in administration.", leftPence: 2500, isGiven: false, giftCard: unused.card },
    });
    expect(told(giver.email, "gift-card-stopped")[0]?.data).toMatchObject({ isGiven: true });
    expect(told(to, "gift-card-stopped")[0]?.data).toMatchObject({ giftCard: null });
    expect((await look(unused.own))?.stop).toEqual({ because: "The shop is in administration.", isInsolvent: true });
    await become("in_administration", { shortInfo: "Other words" });
    await become("closed");
    expect(mails(), "the same trouble").toEqual([1, 0, 1, 0, 1]);
    await become("active");
    expect(mails(), "well again").toEqual([1, 0, 1, 0, 1]);
    await become("closed");
    expect(mails(), "trouble again").toEqual([2, 0, 2, 0, 2]);
    await become("active");
    await db.updateTable("gift_card_products").set({ retailer_id: null }).execute();
  });

  test("G6 a card that is made after its retailer's trouble became known is told of at once", async () => {
    const { id } = await insertRetailer(db, { name: "Late trouble" });
    const { memberId } = await club.newMember();
    const { card } = await club.buyCard(memberId);
    const line = await db
      .selectFrom("gift_card_lines")
      .select("id")
      .where("public_id", "=", card)
      .executeTakeFirstOrThrow();
    await db.deleteFrom("wallet_cards").where("line_id", "=", line.id).execute();
    await db
      .updateTable("gift_card_products")
      .set({ retailer_id: id })
      .where("issuer_product_id", "=", "fixed")
      .execute();
    await db.updateTable("retailers").set({ status: "closed" }).where("id", "=", id).execute();
    await db.transaction().execute((trx) => noteIssuedCard(trx, { lineId: line.id, now: club.now() }));
    expect(await noticeOf(card)).toEqual(club.now());
    await db.updateTable("gift_card_products").set({ retailer_id: null }).execute();
  });
});
