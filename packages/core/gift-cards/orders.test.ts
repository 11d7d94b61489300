import { randomBytes } from "node:crypto";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { untilWaiting } from "@farthing/db/testing/until-waiting.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { makePartner } from "../partners/partners.testing.ts";
import { findPaymentRecord } from "../payments/operator-payments.server.ts";
import { refundPayment } from "../payments/refund-payment.server.ts";
import { settlePayment } from "../payments/settle-payment.server.ts";
import { startPayment } from "../payments/start-payment.server.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertVerifiedMember } from "../testing/insert-member.testing.ts";
import { advanceLine } from "./advance-line.server.ts";
import { cardKeyId, markOfBuyer, openCard, sealCard, UnreadableCardError } from "./card-seal.ts";
import { checkGiftCards } from "./check.server.ts";
import { dueLines } from "./due-lines.server.ts";
import { memoryCards } from "./memory-cards.testing.ts";
import { memoryIssuer, product } from "./memory-issuer.testing.ts";
import { lockBuyer } from "./order-cards.server.ts";
import { payOrder, placeOrder } from "./place-order.server.ts";
import { resolveLine } from "./resolve-line.server.ts";
import { sagaKeys } from "./saga-table.testing.ts";
import { syncCatalogue } from "./sync-catalogue.server.ts";

const { db } = await testDatabase();
let at = new Date("2026-11-20T10:00:00Z").getTime();
const now = () => new Date(at);
const world = memoryIssuer([product("fixed"), product("other")], now);
const issuers = new Map([["memory", world.issuer]]);
const cards = memoryCards(now);
const accounts = { live: cards.provider, test: null };
const parts = { db, issuers, cards: accounts, keys: sagaKeys, now };
let partner: { id: string; name: string; publicId: string };
let member: { id: string; brandId: string };
const products = new Map<string, string>();

beforeAll(async () => {
  const made = await makePartner(db);
  partner = { id: made.id, publicId: made.publicId, name: "Shop" };
  const { id: brandId } = await insertBrand(db);
  member = { id: (await insertVerifiedMember(db, { brandId })).id, brandId };
  await sync();
});

async function sync() {
  const synced = await syncCatalogue(db, world.issuer, { now: now() });
  const rows = await db.selectFrom("gift_card_products").select(["public_id", "issuer_product_id"]).execute();
  for (const row of rows) products.set(row.issuer_product_id, row.public_id);
  return synced;
}

async function newSession(mode: "live" | "test" = "live") {
  const session = { id: newId(), partner, reference: null, mode, price: null };
  await db
    .insertInto("widget_sessions")
    .values({
      ...{ id: session.id, partner_id: partner.id, origin: "https://shop.example", bearer_hash: randomBytes(32), mode },
      ...{ opened_at: now(), expires_at: new Date(at + 3_600_000) },
    })
    .execute();
  return session;
}

async function newOrder(faces: readonly number[] = [2500], more: { buyerMark?: Buffer; mode?: "test" } = {}) {
  const { buyerMark = randomBytes(32), mode = "live" } = more;
  return {
    ...{ session: await newSession(mode), member: null, buyerMark, idempotencyKey: newId(), now: now() },
    cards: faces.map((facePence) => ({ productPublicId: products.get("fixed") ?? "", facePence })),
  };
}

async function pay(session: Awaited<ReturnType<typeof newSession>>, orderPublicId: string) {
  const started = await payOrder(db, cards.provider, { session, orderPublicId, now: now() });
  if (started.outcome !== "started") throw new Error(started.outcome);
  cards.pay(`pi_${started.publicId}`);
  await settlePayment(db, cards.provider, { providerPaymentId: `pi_${started.publicId}`, now: now() });
  return started.publicId;
}

async function paidOrder(faces: readonly number[] = [2500]) {
  const order = await newOrder(faces);
  const placed = await placeOrder(db, issuers, order);
  if (placed.outcome !== "placed") throw new Error(placed.outcome);
  return { ...placed, paymentId: await pay(order.session, placed.publicId) };
}

async function work() {
  for (let rounds = 0; rounds < 30; rounds += 1) {
    const due = await dueLines.claim(db, { now: now(), leaseMs: 60_000, max: 20 });
    if (due.length === 0) return;
    for (const lease of due) {
      const step = await advanceLine(parts, lease.id);
      if (step.outcome === "waiting") await dueLines.fail(db, lease, { now: now(), error: step.why });
    }
  }
}

const lineOf = (publicId: string) =>
  db.selectFrom("gift_card_lines").selectAll().where("public_id", "=", publicId).executeTakeFirstOrThrow();

test("G4 the same key places one order, also a hundred times at once, and never another", async () => {
  const order = await newOrder([2500, 1000]);
  const answers = await Promise.all(Array.from({ length: 100 }, () => placeOrder(db, issuers, order)));
  expect(new Set(answers.map((answer) => (answer.outcome === "placed" ? answer.publicId : answer.outcome))).size).toBe(
    1,
  );
  const other = { ...order, cards: order.cards.slice(0, 1) };
  expect(await placeOrder(db, issuers, other)).toEqual({ outcome: "key-taken" });
});

test("G4 one buyer's limits hold for what is paid, however many sessions order unpaid at once", async () => {
  const buyerMark = markOfBuyer(" Ada@Example.org ", sagaKeys);
  expect(buyerMark).toEqual(markOfBuyer("ada@example.org", sagaKeys));
  const orders = await Promise.all(Array.from({ length: 9 }, () => newOrder([5000, 5000, 5000], { buyerMark })));
  const answers = await Promise.all(orders.map((order) => placeOrder(db, issuers, order)));
  expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(["placed"]));
  const ends: unknown[] = [];
  // The one that was placed last is paid first: the order of the payments is the buyer's choice.
  for (const [index, order] of [...orders.entries()].toReversed()) {
    const placed = answers[index];
    if (placed?.outcome !== "placed") throw new Error(placed?.outcome);
    await pay(order.session, placed.publicId);
    await work();
    const { state, reason } = await lineOf(placed.lines[0]?.publicId ?? "");
    ends.push(reason ?? state);
  }
  expect(ends).toEqual([...Array<string>(4).fill("issued"), ...Array<string>(5).fill("many-orders")]);
  expect(await placeOrder(db, issuers, await newOrder([5000], { buyerMark }))).toEqual({ outcome: "too-many-today" });
});

test("G4 orders that exceed the day's limit together are held once they are paid", async () => {
  const buyerMark = randomBytes(32);
  const ends: unknown[] = [];
  const orders = await Promise.all([0, 1, 2].map(() => newOrder(Array<number>(10).fill(1000), { buyerMark })));
  const placed = await Promise.all(orders.map((order) => placeOrder(db, issuers, order)));
  for (const [index, { session }] of orders.entries()) {
    const answer = placed[index];
    if (answer?.outcome !== "placed") throw new Error(answer?.outcome);
    await pay(session, answer.publicId);
    await work();
    const { state, reason } = await lineOf(answer.lines[0]?.publicId ?? "");
    ends.push(reason ?? state);
  }
  expect(ends).toEqual(["issued", "issued", "many-orders"]);
});

test("G4 a buyer who orders signed in and as a visitor at once has one limit", async () => {
  const buyerMark = randomBytes(32);
  const other = await db.startTransaction().execute();
  await lockBuyer(other, { memberId: null, buyerMark });
  const order = { ...(await newOrder([5000], { buyerMark })), member };
  const placing = placeOrder(db, issuers, order).then(({ outcome }) => outcome);
  const first = await Promise.race([placing, untilWaiting(db).then(() => "waits for the other order")]);
  await other.rollback().execute();
  expect([first, await placing]).toEqual(["waits for the other order", "placed"]);
});

test("G4 what is not sold, not offered, out of stock or for tests is refused before anything is charged", async () => {
  const order = await newOrder();
  const [card] = order.cards;
  const asking = (productPublicId: string, facePence: number) =>
    placeOrder(db, issuers, { ...order, cards: [{ productPublicId, facePence }] });
  expect(await asking("nothing", 1000)).toEqual({ outcome: "not-sold", card: 0 });
  for (const facePence of [0, -1000, 10.5, 2600, Number.MAX_SAFE_INTEGER, Number.NaN])
    expect(await asking(card?.productPublicId ?? "", facePence)).toEqual({ outcome: "amount-not-offered", card: 0 });
  world.refusals.set("fixed", "out-of-stock");
  expect(await placeOrder(db, issuers, order)).toEqual({ outcome: "out-of-stock", card: 0 });
  world.refusals.clear();
  expect(await placeOrder(db, new Map(), order)).toEqual({ outcome: "issuer-unavailable" });
  expect(await placeOrder(db, issuers, { ...order, cards: [] })).toEqual({ outcome: "empty" });
  expect(await placeOrder(db, issuers, await newOrder([2500], { mode: "test" }))).toEqual({ outcome: "test-mode" });
});

test("S1 another session can't pay an order, and nobody after half an hour", async () => {
  const order = await newOrder();
  const placed = await placeOrder(db, issuers, order);
  const orderPublicId = placed.outcome === "placed" ? placed.publicId : "";
  const session = await newSession();
  expect(await payOrder(db, cards.provider, { session, orderPublicId, now: now() })).toEqual({
    outcome: "no-such-order",
  });
  const late = new Date(at + 31 * 60_000);
  expect(await payOrder(db, cards.provider, { session: order.session, orderPublicId, now: late })).toEqual({
    outcome: "checkout-expired",
  });
});

test("G6 a card is stored encrypted, for its line alone, and its code is in no other row", async () => {
  const { lines } = await paidOrder();
  await work();
  const line = await lineOf(lines[0]?.publicId ?? "");
  expect(line.state).toBe("issued");
  const { code } = openCard(line.sealed_card ?? "", line.id, sagaKeys);
  expect(code).toMatch(/^CODE-/);
  expect(line.sealed_card?.startsWith(`${cardKeyId(sagaKeys)}.`)).toBe(true);
  expect(() => openCard(line.sealed_card ?? "", newId(), sagaKeys)).toThrow(UnreadableCardError);
  expect(() => openCard(line.sealed_card ?? "", line.id, ["another key"])).toThrow(/FARTHING_OLD_SECRETS/);
  const again = sealCard({ code, pin: null, url: null, barcode: null }, line.id, ["new key", ...sagaKeys]);
  expect(openCard(again, line.id, ["new key"]).code).toBe(code);
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(
    db,
  );
  for (const { name } of tables) {
    const { rows } = await sql`select from ${sql.table(name)} as t where t::text like ${`%${code}%`}`.execute(db);
    expect(rows, name).toEqual([]);
  }
});

test("G4 a payment for gift cards is refunded by its lines only", async () => {
  const { paymentId, lines } = await paidOrder();
  await work();
  const refused = await refundPayment(db, accounts, {
    publicId: paymentId,
    amountPence: null,
    requestKey: "api:1",
    now: now(),
  });
  expect(refused).toMatchObject({
    outcome: "refused",
    why: expect.stringContaining("the command gift-cards") as unknown,
  });
  const publicId = lines[0]?.publicId ?? "";
  expect(await findPaymentRecord(db, { publicId: paymentId })).toMatchObject({
    giftCardLines: [{ publicId, state: "issued" }],
  });
  expect(await resolveLine(db, { publicId, decision: "refund", by: "op", now: now() })).toMatchObject({
    state: "reversing",
  });
  await work();
  expect(await lineOf(publicId)).toMatchObject({ state: "refunded", card_state: "reversed" });
  expect(world.live(`gc-${publicId}`)).toBe(0);
  expect(cards.payments.get(`pi_${paymentId}`)).toMatchObject({ refundedPence: 2382 });
  expect(await checkGiftCards(db)).toEqual([]);
});

test("G4 a card that can't be reversed stays with its buyer, who gets no refund", async () => {
  const { paymentId, lines } = await paidOrder();
  await work();
  const publicId = lines[0]?.publicId ?? "";
  world.tooLate = true;
  await resolveLine(db, { publicId, decision: "refund", by: "op", now: now() });
  await work();
  world.tooLate = false;
  expect(await lineOf(publicId)).toMatchObject({ state: "issued", card_state: "issued" });
  expect(cards.payments.get(`pi_${paymentId}`)).toMatchObject({ refundedPence: 0 });
  at += 49 * 3_600_000;
  const late = await resolveLine(db, { publicId, decision: "refund", by: "op", now: now() });
  expect(late).toMatchObject({ outcome: "not-now", why: expect.stringContaining("48 hours") as unknown });
});

/** A visitor's order of £250, which is held. Returns its lines. */
async function heldOrder() {
  const { lines } = await paidOrder([5000, 5000, 5000, 5000, 5000]);
  await work();
  const publicIds = lines.map(({ publicId }) => publicId);
  expect(await statesOf(publicIds)).toEqual(["held"]);
  return publicIds;
}
const statesOf = async (publicIds: readonly string[]) => [
  ...new Set((await Promise.all(publicIds.map(lineOf))).map(({ state }) => state)),
];
const release = (publicIds: readonly string[]) =>
  Promise.all(publicIds.map((publicId) => resolveLine(db, { publicId, decision: "issue", by: "op", now: now() })));

test("G4 a held card that an operator releases after more than a day is made, once", async () => {
  const publicIds = await heldOrder();
  at += 30 * 3_600_000;
  await release(publicIds);
  await work();
  expect(await statesOf(publicIds)).toEqual(["issued"]);
  for (const publicId of publicIds) {
    expect(world.live(`gc-${publicId}`)).toBe(1);
    expect(await lineOf(publicId)).toMatchObject({ issue_calls: 1 });
  }
});

test("G4 a held card that is released without float waits four hours for the float", async () => {
  const publicIds = await heldOrder();
  const float = world.floatPence;
  at += 5 * 3_600_000;
  world.floatPence = 0;
  await release(publicIds);
  await work();
  expect(await statesOf(publicIds)).toEqual(["issuing"]);
  at += 10 * 60_000;
  world.floatPence = float;
  await work();
  expect(await statesOf(publicIds)).toEqual(["issued"]);
  const others = await heldOrder();
  at += 30 * 3_600_000;
  world.floatPence = 0;
  await release(others);
  await work();
  at += 4 * 3_600_000;
  await work();
  expect(await statesOf(others)).toEqual(["reversing"]);
  world.floatPence = float;
});

test("G4 a retry of a line that has just changed does nothing, and says so", async () => {
  const { lines } = await paidOrder();
  const publicId = lines[0]?.publicId ?? "";
  const { id, version } = await lineOf(publicId);
  const other = await db.startTransaction().execute();
  await other
    .updateTable("gift_card_lines")
    .set({ version: version + 1, next_step_at: null })
    .where("id", "=", id)
    .execute();
  const resolving = resolveLine(db, { publicId, decision: "retry", by: "op", now: now() });
  await untilWaiting(db);
  await other.commit().execute();
  expect(await resolving).toEqual({ outcome: "changed-meanwhile" });
  expect(await lineOf(publicId)).toMatchObject({ version: version + 1, next_step_at: null });
});

test("G4 the database refuses a card beside a refund, a jump, and another price", async () => {
  const { lines } = await paidOrder();
  await work();
  const { id, version } = await lineOf(lines[0]?.publicId ?? "");
  const setting = (values: object) =>
    db
      .updateTable("gift_card_lines")
      .set({ version: version + 1, ...values })
      .where("id", "=", id)
      .execute();
  await expect(setting({ state: "refunding", reason: "complaint" })).rejects.toThrow(
    /cannot go from issued to refunding/,
  );
  await expect(setting({ price_pence: 1 })).rejects.toThrow(/agreed at checkout/);
  await expect(setting({ version, card_state: "reversed" })).rejects.toThrow(/one version/);
  await expect(setting({ version: version + 2 })).rejects.toThrow(/one version/);
  await setting({ state: "reversing" });
  const refunding = { version: version + 2, state: "refunding", reason: "complaint" };
  await expect(setting(refunding)).rejects.toThrow(/check constraint/);
  await expect(db.deleteFrom("gift_card_lines").where("id", "=", id).execute()).rejects.toThrow(/refused/);
  await setting({ version: version + 2, state: "issued" });
});

test("C4 the check finds a line that its postings contradict", async () => {
  const { lines } = await paidOrder();
  await work();
  const { id, version } = await lineOf(lines[0]?.publicId ?? "");
  const change = (from: number, cost_pence: number) =>
    db
      .updateTable("gift_card_lines")
      .set({ version: from + 1, cost_pence })
      .where("id", "=", id)
      .execute();
  await change(version, 1);
  expect((await checkGiftCards(db)).join()).toContain(
    `Gift-card line ${id} should have 1 pence in issuer_float, and has 2300`,
  );
  await change(version + 1, 2300);
  expect(await checkGiftCards(db)).toEqual([]);
});

test("G5 the catalogue is followed: new, changed, withdrawn, back, and never emptied", async () => {
  await sql`update gift_card_products set reward_bp = 700 where issuer_product_id = 'other'`.execute(db);
  at += 1000;
  world.products.set("other", product("other", { issuerDiscountBp: 300 }));
  world.products.delete("fixed");
  world.products.set("new", product("new"));
  expect(await sync()).toEqual({ products: 2, added: 1, withdrawn: 1 });
  const rows = await db
    .selectFrom("gift_card_products")
    .select(["issuer_product_id", "reward_bp", "withdrawn_at"])
    .orderBy("issuer_product_id")
    .execute();
  expect(rows.map(({ issuer_product_id: id, reward_bp: bp, withdrawn_at: gone }) => [id, bp, gone !== null])).toEqual([
    ["fixed", 475, true],
    ["new", 475, false],
    ["other", 300, false],
  ]);
  expect(await placeOrder(db, issuers, await newOrder())).toEqual({ outcome: "not-sold", card: 0 });
  at += 1000;
  world.products.set("fixed", product("fixed"));
  expect(await sync()).toMatchObject({ added: 0, withdrawn: 0 });
  expect((await placeOrder(db, issuers, await newOrder())).outcome).toBe("placed");
  world.products.clear();
  await expect(sync()).rejects.toThrow(RangeError);
});

test("C3 a member's cashback is confirmed with the card and payable after 48 hours", async () => {
  world.products.set("fixed", product("fixed"));
  at += 1000;
  await sync();
  await sql`update gift_card_products set reward_kind = 'cashback' where issuer_product_id = 'fixed'`.execute(db);
  const order = { ...(await newOrder()), member };
  const placed = await placeOrder(db, issuers, order);
  if (placed.outcome !== "placed") throw new Error(placed.outcome);
  const started = await payOrder(db, cards.provider, {
    session: order.session,
    orderPublicId: placed.publicId,
    now: now(),
  });
  const id = started.outcome === "started" ? `pi_${started.publicId}` : "";
  cards.pay(id);
  await settlePayment(db, cards.provider, { providerPaymentId: id, now: now() });
  await work();
  const publicId = placed.lines[0]?.publicId ?? "";
  expect(await lineOf(publicId)).toMatchObject({ state: "issued", cashback_state: "confirmed", cashback_pence: 118 });
  at += 48 * 3_600_000;
  await work();
  expect(await lineOf(publicId)).toMatchObject({ cashback_state: "payable", next_step_at: null });
  expect(await checkGiftCards(db)).toEqual([]);
});

test("G4 W10 gift cards are paid for in a session with a fixed price, beside the payment that the partner has fixed", async () => {
  const price = { amountPence: 4000, reference: "order 7", description: null, email: null };
  const order = await newOrder();
  await sql`update widget_sessions set amount_pence = 4000, reference = 'order 7' where id = ${order.session.id}`.execute(
    db,
  );
  const session = { ...order.session, price };
  const placed = await placeOrder(db, issuers, { ...order, session });
  if (placed.outcome !== "placed") throw new Error(placed.outcome);
  const payCards = () => payOrder(db, cards.provider, { session, orderPublicId: placed.publicId, now: now() });
  const payPrice = (amountPence = 4000) =>
    startPayment(db, cards.provider, {
      ...{ session, amountPence, reference: "order 7", idempotencyKey: newId(), now: now() },
    });
  const ofCards = await payCards();
  expect(ofCards).toMatchObject({ outcome: "started", amountPence: placed.totalPence });
  if (ofCards.outcome !== "started") throw new Error(ofCards.outcome);
  cards.pay(ofCards.providerPaymentId);
  await settlePayment(db, cards.provider, { providerPaymentId: ofCards.providerPaymentId, now: now() });
  const ofPrice = await payPrice();
  expect(ofPrice, "the cards are paid, and the price is not").toMatchObject({ outcome: "started", amountPence: 4000 });
  if (ofPrice.outcome !== "started") throw new Error(ofPrice.outcome);
  expect(await payPrice()).toMatchObject({ outcome: "started", publicId: ofPrice.publicId });
  expect(await payPrice(placed.totalPence)).toEqual({ outcome: "not-the-price" });
  expect(await payCards()).toMatchObject({ outcome: "started", publicId: ofCards.publicId });
});
