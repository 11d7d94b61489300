import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { beforeAll, expect, test } from "vitest";
import { openWidgetSession } from "../partners/widget-session.server.ts";
import { makePartner } from "../partners/partners.testing.ts";
import { hashSecretToken } from "../secrets/secret-token.ts";
import { findBuyersOrder, listBuyersOrders } from "./buyer-orders.server.ts";
import { followVisit, settleOpenedOrder } from "./return-to-order.server.ts";
import { openShop } from "./shop.testing.ts";
import { showCard } from "./show-card.server.ts";

const { db } = await testDatabase();
const keys = ["a key of tests"] as const;
let shop: Awaited<ReturnType<typeof openShop>>;
beforeAll(async () => {
  shop = await openShop(db, keys);
});

/** A visitor's paid order, and the cookie of the frame that ordered it. */
async function bought() {
  const order = await shop.buy([["fixed", 2500]]);
  await order.pay();
  await shop.work();
  const secret = `secret-${newId()}`;
  const session = await db
    .updateTable("widget_sessions")
    .set({ bearer_hash: hashSecretToken(secret) })
    .where("id", "=", db.selectFrom("gift_card_orders").select("session_id").where("public_id", "=", order.order))
    .returning(["id", "partner_id", "origin"])
    .executeTakeFirstOrThrow();
  return { order: order.order, line: order.lines[0] ?? "", secret, session };
}

type Bought = Awaited<ReturnType<typeof bought>>;

const newSession = ({ session }: Bought, more: { partnerId?: string; origin?: string } = {}) =>
  openWidgetSession(db, {
    ...{ partnerId: session.partner_id, origin: session.origin, reference: null, now: shop.now() },
    ...more,
  });
const lists = async (sessionId: string) =>
  (await listBuyersOrders(db, { viewer: { sessionId, memberId: null } })).map(({ publicId }) => publicId);
const sees = async (sessionId: string, publicId: string) =>
  (await findBuyersOrder(db, { publicId, viewer: { sessionId, memberId: null } })) !== null;
const codeOf = async (sessionId: string, linePublicId: string) =>
  (await showCard(db, keys, { linePublicId, sessionId, now: shop.now() }))?.code ?? null;

test("G4 W8 a visitor who comes back from the bank in the same browser sees the order and its code, also the second time", async () => {
  const one = await bought();
  const back = await newSession(one);
  const asked = { sessionId: back.id, secret: one.secret, now: shop.now() };
  expect(await codeOf(back.id, one.line)).toBeNull();
  await followVisit(db, asked);
  expect(await sees(back.id, one.order)).toBe(true);
  expect(await lists(back.id), "whoever is here now knows its address, or is somebody else").toEqual([]);
  const code = await codeOf(back.id, one.line);
  expect(code).toMatch(/^CODE-/);
  const again = await newSession(one);
  await followVisit(db, { ...asked, sessionId: again.id, secret: back.bearer });
  expect(await codeOf(again.id, one.line)).toBe(code);
});

test("G4 W8 a visitor's tabs see what each of them has ordered, and what was ordered before", async () => {
  const one = await bought();
  const second = await newSession(one);
  await followVisit(db, { sessionId: second.id, secret: one.secret, now: shop.now() });
  const two = await bought();
  // The second tab has ordered, too.
  await db.updateTable("gift_card_orders").set({ session_id: second.id }).where("public_id", "=", two.order).execute();
  const third = await newSession(one);
  await followVisit(db, { sessionId: third.id, secret: second.bearer, now: shop.now() });
  expect([await sees(third.id, one.order), await sees(third.id, two.order)]).toEqual([true, true]);
  expect(await lists(second.id)).toEqual([two.order]);
  expect(await codeOf(third.id, one.line)).toMatch(/^CODE-/);
  expect(await codeOf(third.id, two.line)).toMatch(/^CODE-/);
  expect(await sees(one.session.id, two.order), "an earlier session does not see what a later one orders").toBe(false);
});

test("S1 an order of an earlier visit is seen for an hour and a half at most, however often the page is opened again", async () => {
  const one = await bought();
  const start = shop.clock.at;
  let before = one.secret;
  const seen: boolean[] = [];
  for (const minutes of [25, 50, 75, 100]) {
    shop.clock.at = start + minutes * 60_000;
    const next = await newSession(one);
    await followVisit(db, { sessionId: next.id, secret: before, now: shop.now() });
    before = next.bearer;
    seen.push((await sees(next.id, one.order)) && (await codeOf(next.id, one.line)) !== null);
  }
  expect(seen).toEqual([true, true, false, false]);
  shop.clock.at = start;
});

test("G4 W8 a payment that the bank has made is seen when its buyer opens the order, before the provider has told us", async () => {
  const order = await shop.buy([["fixed", 2500]]);
  const { session_id: own } = await db
    .selectFrom("gift_card_orders")
    .select("session_id")
    .where("public_id", "=", order.order)
    .executeTakeFirstOrThrow();
  const state = async () =>
    (await db.selectFrom("payments").select("state").where("session_id", "=", own).executeTakeFirstOrThrow()).state;
  let asked = 0;
  const cards = {
    ...shop.cards.provider,
    findPayment: (id: string) => {
      asked += 1;
      return shop.cards.provider.findPayment(id);
    },
  };
  const opened = { sessionId: own ?? "", memberId: null, orderPublicId: order.order, now: shop.now() };
  const [payment] = [...shop.cards.payments.values()].slice(-1);
  shop.cards.pay(payment?.providerPaymentId ?? "");
  const stranger = await bought();
  asked = 0;
  await settleOpenedOrder(db, cards, { ...opened, sessionId: stranger.session.id });
  await settleOpenedOrder(db, cards, { ...opened, orderPublicId: "another" });
  expect([asked, await state()]).toEqual([0, "awaiting_payment"]);
  await settleOpenedOrder(db, cards, opened);
  expect([asked, await state()]).toEqual([1, "paid"]);
  await settleOpenedOrder(db, cards, opened);
  expect(asked, "a payment that is decided is not asked for").toBe(1);
});

test("S1 a new session sees no order without the cookie, with its own, with another page's or partner's, or after the end", async () => {
  const one = await bought();
  const back = await newSession(one);
  const elsewhere = await newSession(one, { origin: "https://two.example" });
  const atAnother = await newSession(one, { partnerId: (await makePartner(db)).id });
  const asked = { sessionId: back.id, secret: one.secret, now: shop.now() };
  for (const wrong of [
    { secret: null },
    { secret: "" },
    { secret: back.bearer },
    { secret: `${one.secret}x` },
    { now: new Date(shop.now().getTime() + 2 * 3_600_000) },
    { sessionId: elsewhere.id },
    { sessionId: atAnother.id },
  ])
    await followVisit(db, { ...asked, ...wrong });
  for (const { id } of [back, elsewhere, atAnother]) {
    expect(await sees(id, one.order)).toBe(false);
    expect(await codeOf(id, one.line)).toBeNull();
  }
});
