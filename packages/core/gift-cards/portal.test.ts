import { randomBytes } from "node:crypto";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RetailerStatus } from "../catalogue/catalogue-view.ts";
import { insertRetailer } from "../catalogue/catalogue.testing.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertVerifiedMember } from "../testing/insert-member.testing.ts";
import { makePartner } from "../partners/partners.testing.ts";
import { forgetOldWidgetSessions } from "../partners/widget-session.server.ts";
import { settlePayment } from "../payments/settle-payment.server.ts";
import { advanceLine } from "./advance-line.server.ts";
import {
  addOrderAgain,
  addToBasket,
  changeAmount,
  countBasket,
  findBasket,
  forgetBought,
  removeFromBasket,
  setGift,
} from "./basket.server.ts";
import { findBuyersOrder, listBuyersOrders } from "./buyer-orders.server.ts";
import { findCard, listPopularCards, searchCards } from "./catalogue.server.ts";
import { checkOut, findOrderSession, knowsAddress } from "./checkout.server.ts";
import { dueLines } from "./due-lines.server.ts";
import type { Gift } from "./gift.ts";
import type { CardIssuer } from "./issuer.ts";
import { memoryCards } from "./memory-cards.testing.ts";
import { memoryIssuer, product } from "./memory-issuer.testing.ts";
import { payOrder } from "./place-order.server.ts";
import { sagaKeys } from "./saga-table.testing.ts";
import { showCard } from "./show-card.server.ts";
import { syncCatalogue } from "./sync-catalogue.server.ts";

const { db } = await testDatabase();
let at = new Date("2026-11-20T10:00:00Z").getTime();
const now = () => new Date(at);
const world = memoryIssuer([product("fixed", { name: "Fern & Hollow" }), product("other", { name: "Otterby" })], now);
const shop = { issuers: new Map([["memory", world.issuer]]), keys: sagaKeys };
const cards = memoryCards(now);
let partnerId = "";
const gift: Gift = {
  recipientName: "Sam",
  recipientEmail: "sam@example.org",
  message: "Well done",
  design: "thanks",
  sendOn: "2026-12-01",
};

beforeAll(async () => {
  partnerId = (await makePartner(db)).id;
  await syncCatalogue(db, world.issuer, { now: now() });
});
beforeEach(() => world.refusals.clear());

async function newSession(email: string | null = null): Promise<string> {
  const id = newId();
  const fixed = email === null ? {} : { amount_pence: 100, reference: "visit", email };
  await db
    .insertInto("widget_sessions")
    .values({
      ...{ id, partner_id: partnerId, origin: "https://shop.example", bearer_hash: randomBytes(32) },
      ...{ opened_at: now(), expires_at: new Date(at + 3_600_000), ...fixed },
    })
    .execute();
  return id;
}

const add = (sessionId: string, slug = "fern-hollow", facePence = 2500) =>
  addToBasket(db, { sessionId, slug, facePence });
const linesOf = async (sessionId: string) => (await findBasket(db, { sessionId })).lines;
const order = async (sessionId: string, more: Partial<Parameters<typeof checkOut>[2]> = {}) => {
  const { version } = await findBasket(db, { sessionId });
  return checkOut(db, shop, {
    ...{ sessionId, member: null, email: `${sessionId}@example.org`, version, idempotencyKey: newId(), now: now() },
    ...more,
  });
};

async function placed(sessionId: string, more: Parameters<typeof order>[1] = {}): Promise<string> {
  const answer = await order(sessionId, more);
  if (answer.outcome !== "placed") throw new Error(answer.outcome);
  return answer.publicId;
}

async function pay(sessionId: string, orderPublicId: string): Promise<void> {
  const session = await findOrderSession(db, { sessionId });
  if (!session) throw new Error("no session");
  const started = await payOrder(db, cards.provider, { session, orderPublicId, now: now() });
  if (started.outcome !== "started") throw new Error(started.outcome);
  cards.pay(`pi_${started.publicId}`);
  await settlePayment(db, cards.provider, { providerPaymentId: `pi_${started.publicId}`, now: now() });
}

async function work(): Promise<void> {
  const parts = { db, issuers: shop.issuers, cards: { live: cards.provider, test: null }, keys: sagaKeys, now };
  for (let rounds = 0; rounds < 30; rounds += 1) {
    const due = await dueLines.claim(db, { now: now(), leaseMs: 60_000, max: 20 });
    if (due.length === 0) return;
    for (const lease of due) {
      const step = await advanceLine(parts, lease.id);
      if (step.outcome === "waiting") await dueLines.fail(db, lease, { now: now(), error: step.why });
    }
  }
}

test("G2 a basket keeps its cards in order, each a line of its own, and says what each change came to", async () => {
  const sessionId = await newSession();
  expect(await findBasket(db, { sessionId })).toEqual({ version: 0, lines: [], orderPublicId: null });
  expect(await add(sessionId)).toBe("done");
  expect(await add(sessionId)).toBe("done");
  expect(await add(sessionId, "otterby", 1000)).toBe("done");
  expect(await add(sessionId, "no-such-card")).toBe("not-sold");
  for (const face of [0, -2500, 2600, 25.5, Number.NaN, Number.MAX_SAFE_INTEGER])
    expect(await add(sessionId, "fern-hollow", face)).toBe("amount-not-offered");
  const [first, second, third] = await linesOf(sessionId);
  expect([first, second, third].map((line) => [line?.name, line?.facePence])).toEqual([
    ["Fern & Hollow", 2500],
    ["Fern & Hollow", 2500],
    ["Otterby", 1000],
  ]);
  const line = second?.publicId ?? "";
  expect(await changeAmount(db, { sessionId, line, facePence: 5000 })).toBe("done");
  expect(await changeAmount(db, { sessionId, line, facePence: 5001 })).toBe("amount-not-offered");
  expect(await setGift(db, { sessionId, line, gift })).toBe("done");
  expect((await linesOf(sessionId))[1]).toMatchObject({ facePence: 5000, gift });
  expect(await removeFromBasket(db, { sessionId, line })).toBe("done");
  expect(await changeAmount(db, { sessionId, line, facePence: 2500 })).toBe("gone");
  expect(await setGift(db, { sessionId, line, gift: null })).toBe("gone");
  expect(await countBasket(db, { sessionId })).toBe(2);
});

test("G2 a hundred adds at once from two tabs leave ten cards on ten places, and the rest is told so", async () => {
  const sessionId = await newSession();
  const answers = await Promise.all(Array.from({ length: 100 }, () => add(sessionId)));
  expect(answers.filter((answer) => answer === "done")).toHaveLength(10);
  expect(answers.filter((answer) => answer === "full")).toHaveLength(90);
  const rows = await db
    .selectFrom("gift_card_basket_lines")
    .select("line_number")
    .where("session_id", "=", sessionId)
    .orderBy("line_number")
    .execute();
  expect(rows.map(({ line_number: place }) => place)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect((await findBasket(db, { sessionId })).version).toBe(10);
});

test("G2 an add and a removal at once both count, and a place that is free again is used again", async () => {
  const sessionId = await newSession();
  for (let index = 0; index < 10; index += 1) await add(sessionId);
  const [first] = await linesOf(sessionId);
  await Promise.all([removeFromBasket(db, { sessionId, line: first?.publicId ?? "" }), add(sessionId, "nothing")]);
  expect(await add(sessionId, "otterby", 1000)).toBe("done");
  expect(await linesOf(sessionId)).toHaveLength(10);
});

test("S1 G2 another session changes and sees nothing of a basket, whatever it names", async () => {
  const [sessionId, stranger] = [await newSession(), await newSession()];
  await add(sessionId);
  const [line] = await linesOf(sessionId);
  const foreign = { sessionId: stranger, line: line?.publicId ?? "" };
  expect(await changeAmount(db, { ...foreign, facePence: 1000 })).toBe("gone");
  expect(await setGift(db, { ...foreign, gift })).toBe("gone");
  await removeFromBasket(db, foreign);
  expect(await linesOf(stranger)).toEqual([]);
  expect(await linesOf(sessionId)).toEqual([line]);
});

test("G2 the same key and the same basket are one order, also many times at once; another version is told to look again", async () => {
  const sessionId = await newSession();
  await add(sessionId);
  const idempotencyKey = newId();
  const answers = await Promise.all(Array.from({ length: 20 }, () => order(sessionId, { idempotencyKey })));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  const first = answers[0];
  // The page was opened again: its key is another, the basket is not.
  expect(await order(sessionId)).toEqual(first);
  await add(sessionId, "otterby", 1000);
  expect(await order(sessionId, { version: 1 })).toEqual({ outcome: "changed" });
  const second = await order(sessionId);
  expect(second).not.toEqual(first);
  expect(await order(sessionId, { version: 1, idempotencyKey })).toEqual(first);
});

test("G2 G4 two tabs that order the same basket at once, each with its own key, get one order", async () => {
  const sessionId = await newSession();
  await add(sessionId);
  const answers = await Promise.all(Array.from({ length: 8 }, () => order(sessionId)));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  const placedHere = db.selectFrom("gift_card_orders").select("public_id").where("session_id", "=", sessionId);
  expect(await placedHere.execute()).toEqual([{ public_id: (await findBasket(db, { sessionId })).orderPublicId }]);
});

test("G2 G4 an order and a change of the basket at once: what is ordered is what the page has shown", async () => {
  for (let round = 0; round < 10; round += 1) {
    const sessionId = await newSession();
    await add(sessionId);
    const [answer] = await Promise.all([order(sessionId, { version: 1 }), add(sessionId, "otterby", 1000)]);
    const { lines, orderPublicId } = await findBasket(db, { sessionId });
    expect(lines).toHaveLength(2);
    expect(["placed", "changed"]).toContain(answer.outcome);
    expect(orderPublicId, "an order of one card is not of these two").toBeNull();
    if (answer.outcome !== "placed") continue;
    const viewer = { sessionId, memberId: null };
    const ordered = await findBuyersOrder(db, { publicId: answer.publicId, viewer });
    expect(ordered?.lines.map(({ card }) => card)).toEqual(["Fern & Hollow"]);
  }
});

test("G2 the basket survives every refusal of the checkout", async () => {
  const sessionId = await newSession();
  expect(await order(sessionId)).toEqual({ outcome: "empty" });
  await add(sessionId);
  await add(sessionId, "otterby", 1000);
  const before = await findBasket(db, { sessionId });
  expect(await order(sessionId, { email: "nobody" })).toEqual({ outcome: "no-email" });
  expect(await order(sessionId, { email: "a@b.example, c@d.example" })).toEqual({ outcome: "no-email" });
  world.refusals.set("other", "out-of-stock");
  expect(await order(sessionId)).toEqual({ outcome: "out-of-stock", card: 1 });
  world.refusals.clear();
  const nobody = { issuers: new Map(), keys: sagaKeys };
  const checkout = { sessionId, member: null, email: "a@b.example", version: 2, idempotencyKey: newId(), now: now() };
  expect(await checkOut(db, nobody, checkout)).toEqual({ outcome: "issuer-unavailable" });
  expect(await findBasket(db, { sessionId })).toEqual(before);
});

test("G2 a basket whose order is paid is empty, and one whose order was left is not", async () => {
  const sessionId = await newSession();
  await add(sessionId);
  const publicId = await placed(sessionId);
  await forgetBought(db, { sessionId });
  expect(await findBasket(db, { sessionId })).toMatchObject({ orderPublicId: publicId, lines: [{}] });
  await pay(sessionId, publicId);
  expect(await linesOf(sessionId)).toEqual([]);
  expect(await countBasket(db, { sessionId })).toBe(0);
  // What is chosen next is a basket of its own.
  expect(await add(sessionId, "otterby", 1000)).toBe("done");
  expect((await linesOf(sessionId)).map(({ name }) => name)).toEqual(["Otterby"]);
});

test("G2 an order is put into the basket again: its cards at their values, beside what is there, nobody's present", async () => {
  const sessionId = await newSession();
  await add(sessionId);
  await add(sessionId, "otterby", 1000);
  const [first] = await linesOf(sessionId);
  await setGift(db, { sessionId, line: first?.publicId ?? "", gift });
  const orderPublicId = await placed(sessionId);
  await pay(sessionId, orderPublicId);
  const viewer = { sessionId, memberId: null };
  await add(sessionId, "otterby", 5000);
  const again = await addOrderAgain(db, { sessionId, orderPublicId, viewer });
  expect(again).toEqual({ added: 2, left: 0, presents: 1 });
  expect((await linesOf(sessionId)).map(({ name, facePence, gift }) => [name, facePence, gift])).toEqual([
    ["Otterby", 5000, null],
    ["Fern & Hollow", 2500, null],
    ["Otterby", 1000, null],
  ]);
});

test("G2 of an order again, what is not sold or has no room stays away; a stranger's order is none", async () => {
  const sessionId = await newSession();
  await add(sessionId);
  await add(sessionId, "otterby", 1000);
  const orderPublicId = await placed(sessionId);
  await pay(sessionId, orderPublicId);
  const viewer = { sessionId, memberId: null };
  const stranger = await newSession();
  const asStranger = { sessionId: stranger, orderPublicId, viewer: { sessionId: stranger, memberId: null } };
  expect(await addOrderAgain(db, asStranger)).toBeNull();
  expect(await countBasket(db, { sessionId: stranger })).toBe(0);

  const stop = (reason: string | null) =>
    sql`update gift_card_products set stopped_at = ${reason && now()}, stopped_because = ${reason} where slug = 'otterby'`.execute(
      db,
    );
  await stop("insolvent");
  const again = () => addOrderAgain(db, { sessionId, orderPublicId, viewer });
  expect(await again()).toEqual({ added: 1, left: 1, presents: 0 });
  await stop(null);
  for (let card = 1; card < 9; card += 1) await add(sessionId);
  const { version } = await findBasket(db, { sessionId });
  expect(await again()).toEqual({ added: 1, left: 1, presents: 0 });
  expect(await again()).toEqual({ added: 0, left: 2, presents: 0 });
  expect(await countBasket(db, { sessionId })).toBe(10);
  expect((await findBasket(db, { sessionId })).version).toBe(version + 1);
});

test("G2 an order whose price is over is placed anew, at today's price", async () => {
  const sessionId = await newSession();
  await add(sessionId);
  const first = await placed(sessionId);
  at += 31 * 60_000;
  expect(await placed(sessionId)).not.toBe(first);
});

test("G2 a product that is withdrawn meanwhile, or sold with other values, is marked in the basket and not ordered", async () => {
  const sessionId = await newSession();
  await add(sessionId);
  await add(sessionId, "otterby", 1000);
  await sql`update gift_card_products set stopped_at = ${now()}, stopped_because = 'insolvent' where slug = 'otterby'`.execute(
    db,
  );
  await sql`update gift_card_products set amounts_pence = '{1000}' where slug = 'fern-hollow'`.execute(db);
  expect((await linesOf(sessionId)).map(({ problem }) => problem)).toEqual(["amount-not-offered", "not-sold"]);
  expect(await order(sessionId)).toEqual({ outcome: "amount-not-offered", card: 0 });
  await sql`update gift_card_products set stopped_at = null, stopped_because = null`.execute(db);
  await syncCatalogue(db, world.issuer, { now: now() });
});

describe("cards of a retailer", () => {
  let retailerId = "";
  const setStatus = (status: RetailerStatus) =>
    db.updateTable("retailers").set({ status }).where("id", "=", retailerId).execute();
  beforeAll(async () => {
    await insertBrand(db);
    retailerId = (await insertRetailer(db, { name: "Otterby" })).id;
    await syncCatalogue(db, world.issuer, { now: now() });
  });
  beforeEach(() => setStatus("active"));
  afterAll(() => setStatus("active"));

  test.each([
    ["active", true],
    ["paused", true],
    ["in_administration", false],
    ["closed", false],
  ] as const)(
    "G2 G4 of one that is %s: sold is %s, in lists, search, on its page, in the basket and at the checkout",
    async (status, isSold) => {
      const sessionId = await newSession();
      await add(sessionId, "otterby", 1000);
      await setStatus(status);
      const names = (listed: { name: string }[]) => listed.map(({ name }) => name).filter((name) => name === "Otterby");
      const expected = isSold ? ["Otterby"] : [];
      expect(names(await listPopularCards(db, { max: 10 }))).toEqual(expected);
      expect(names(await searchCards(db, { query: "otterby" }))).toEqual(expected);
      expect(await findCard(db, { slug: "otterby" })).toMatchObject({
        isSold,
        retailerTrouble: isSold ? null : status,
      });
      expect((await linesOf(sessionId)).map(({ problem }) => problem)).toEqual([isSold ? null : "not-sold"]);
      expect(await add(await newSession(), "otterby", 1000)).toBe(isSold ? "done" : "not-sold");
      expect(await order(sessionId)).toMatchObject({ outcome: isSold ? "placed" : "not-sold" });
    },
  );

  test("G4 an order of it that was placed before is not begun to be paid, and the basket says why", async () => {
    const sessionId = await newSession();
    await add(sessionId, "otterby", 1000);
    const orderPublicId = await placed(sessionId);
    await setStatus("in_administration");
    const before = cards.payments.size;
    const session = await findOrderSession(db, { sessionId });
    if (!session) throw new Error("no session");
    expect(await payOrder(db, cards.provider, { session, orderPublicId, now: now() })).toEqual({ outcome: "not-sold" });
    expect(cards.payments.size, "the provider has heard of nothing").toBe(before);
    expect(await order(sessionId)).toEqual({ outcome: "not-sold", card: 0 });
    await setStatus("active");
    expect(await order(sessionId)).toEqual({ outcome: "placed", publicId: orderPublicId });
  });

  test("G4 an order is refused whose retailer went into administration while the issuer was asked for its stock", async () => {
    const sessionId = await newSession();
    await add(sessionId, "otterby", 1000);
    const { version } = await findBasket(db, { sessionId });
    const slow: CardIssuer = {
      ...world.issuer,
      async checkStock(card) {
        const answer = await world.issuer.checkStock(card);
        await setStatus("in_administration");
        return answer;
      },
    };
    const answer = await checkOut(
      db,
      { ...shop, issuers: new Map([["memory", slow]]) },
      { sessionId, member: null, email: "a@example.org", version, idempotencyKey: newId(), now: now() },
    );
    expect(answer).toEqual({ outcome: "not-sold", card: 0 });
  });

  test("G4 a line that was paid in the gap is refunded, not issued", async () => {
    const sessionId = await newSession();
    await add(sessionId, "otterby", 1000);
    const publicId = await placed(sessionId);
    await pay(sessionId, publicId);
    await setStatus("closed");
    await work();
    const found = await findBuyersOrder(db, { publicId, viewer: { sessionId, memberId: null } });
    expect(found?.lines).toMatchObject([{ state: "refunded", reason: "not-sold-any-more" }]);
  });
});

test("G6 a code is shown to the session that bought it, and the first time is recorded", async () => {
  const { id: brandId } = await insertBrand(db);
  const member = { id: (await insertVerifiedMember(db, { brandId })).id, brandId };
  const [sessionId, stranger] = [await newSession(), await newSession()];
  await add(sessionId);
  const publicId = await placed(sessionId, { member });
  const line = (await findBuyersOrder(db, { publicId, viewer: { sessionId, memberId: null } }))?.lines[0];
  const show = (viewer: { sessionId: string }) =>
    showCard(db, sagaKeys, { linePublicId: line?.publicId ?? "", ...viewer, now: now() });
  expect(await show({ sessionId }), "before it is paid").toBeNull();
  await pay(sessionId, publicId);
  await work();
  expect(await show({ sessionId: stranger })).toBeNull();
  const shownAt = async () =>
    (
      await db
        .selectFrom("gift_card_lines")
        .select("first_shown_at")
        .where("public_id", "=", line?.publicId ?? "")
        .executeTakeFirstOrThrow()
    ).first_shown_at;
  expect(await shownAt()).toBeNull();
  // The worker has issued other tests' cards as well.
  const code = world.cards.get(`gc-${line?.publicId}`)?.code;
  expect(code).toMatch(/^CODE-/);
  expect(await show({ sessionId })).toMatchObject({ linePublicId: line?.publicId, code, pin: "1234" });
  const first = await shownAt();
  expect(first).toEqual(now());
  at += 60_000;
  expect(await show({ sessionId })).toMatchObject({ code });
  expect(await shownAt()).toEqual(first);
  await expect(
    showCard(db, ["another key of tests"], { linePublicId: line?.publicId ?? "", sessionId, now: now() }),
  ).rejects.toThrow(/which is not known/);
});

test("S1 G2 another session's order is not found, nor listed; the member's other sessions see it", async () => {
  const { id: brandId } = await insertBrand(db);
  const member = { id: (await insertVerifiedMember(db, { brandId })).id, brandId };
  const [sessionId, stranger] = [await newSession(), await newSession()];
  await add(sessionId);
  const publicId = await placed(sessionId, { member });
  const seenBy = async (viewer: { sessionId: string; memberId: string | null }) => [
    (await findBuyersOrder(db, { publicId, viewer }))?.publicId,
    (await listBuyersOrders(db, { viewer })).map((found) => found.publicId),
  ];
  expect(await seenBy({ sessionId, memberId: null })).toEqual([publicId, [publicId]]);
  expect(await seenBy({ sessionId: stranger, memberId: member.id })).toEqual([publicId, [publicId]]);
  expect(await seenBy({ sessionId: stranger, memberId: null })).toEqual([undefined, []]);
  expect(await seenBy({ sessionId: stranger, memberId: newId() })).toEqual([undefined, []]);
  const session = await findOrderSession(db, { sessionId: stranger });
  if (!session) throw new Error("no session");
  expect(await payOrder(db, cards.provider, { session, orderPublicId: publicId, now: now() })).toEqual({
    outcome: "no-such-order",
  });
});

test("G6 a present keeps who gets it on the line, and its code is not the buyer's", async () => {
  const sessionId = await newSession();
  await add(sessionId);
  const [line] = await linesOf(sessionId);
  await setGift(db, { sessionId, line: line?.publicId ?? "", gift: { ...gift, sendOn: "2026-11-19" } });
  expect(await order(sessionId)).toEqual({ outcome: "present-too-late", card: 0 });
  await setGift(db, { sessionId, line: line?.publicId ?? "", gift });
  const publicId = await placed(sessionId);
  await pay(sessionId, publicId);
  await work();
  const found = await findBuyersOrder(db, { publicId, viewer: { sessionId, memberId: null } });
  expect(found?.lines).toMatchObject([{ state: "issued", gift: { recipientName: gift.recipientName } }]);
  const linePublicId = found?.lines[0]?.publicId ?? "";
  expect(await showCard(db, sagaKeys, { linePublicId, sessionId, now: now() })).toBeNull();
});

test("G2 the address for the receipt is the member's, or the partner's, or the visitor's", async () => {
  const { id: brandId } = await insertBrand(db);
  const { id } = await insertVerifiedMember(db, { brandId });
  const sessionId = await newSession();
  expect(await knowsAddress(db, { sessionId, member: null })).toBe(false);
  expect(await knowsAddress(db, { sessionId, member: { id, brandId } })).toBe(true);
  expect(await knowsAddress(db, { sessionId, member: { id: newId(), brandId } })).toBe(false);
  expect(await knowsAddress(db, { sessionId: await newSession("robin@shop.example"), member: null })).toBe(true);
  await add(sessionId);
  await placed(sessionId, { email: "kim@example.org" });
  const { email } = await db
    .selectFrom("widget_sessions")
    .select("email")
    .where("id", "=", sessionId)
    .executeTakeFirstOrThrow();
  expect(email).toBe("kim@example.org");
});

test("S1 G2 a basket ends with its session, and the database refuses an eleventh card", async () => {
  const sessionId = await newSession();
  await add(sessionId);
  const { product_id: productId } = await db
    .selectFrom("gift_card_basket_lines")
    .select("product_id")
    .where("session_id", "=", sessionId)
    .executeTakeFirstOrThrow();
  const insert = (more: object) =>
    db
      .insertInto("gift_card_basket_lines")
      .values({ id: newId(), session_id: sessionId, line_number: 2, product_id: productId, face_pence: 1000, ...more })
      .execute();
  await expect(insert({ line_number: 11 })).rejects.toThrow(/line_number/);
  await expect(insert({ gift: JSON.stringify({ message: "x".repeat(5000) }) })).rejects.toThrow(/gift/);
  await forgetOldWidgetSessions(db, { now: new Date(at + 40 * 86_400_000) });
  expect(
    await db.selectFrom("gift_card_baskets").select("session_id").where("session_id", "=", sessionId).execute(),
  ).toEqual([]);
});
