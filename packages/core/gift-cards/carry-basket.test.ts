import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { untilWaiting } from "@farthing/db/testing/until-waiting.ts";
import { newId } from "@farthing/db/uuid.ts";
import { beforeAll, expect, test } from "vitest";
import { joinTransaction } from "../audit/join-transaction.server.ts";
import { settlePayment } from "../payments/settle-payment.server.ts";
import { insertSignedInMember } from "../testing/insert-signed-in-member.testing.ts";
import { addToBasket, findBasket, removeFromBasket } from "./basket.server.ts";
import { checkOut, findOrderSession, type CheckoutAnswer } from "./checkout.server.ts";
import { openHouseShop, visitShop } from "./house-shop.testing.ts";
import { memoryCards } from "./memory-cards.testing.ts";
import { memoryIssuer, product } from "./memory-issuer.testing.ts";
import { payOrder, type PaidOrder } from "./place-order.server.ts";
import { sagaKeys } from "./saga-table.testing.ts";

const { db } = await testDatabase();
let at = new Date("2026-11-20T10:00:00Z").getTime();
const now = () => new Date(at);
const world = memoryIssuer([product("fixed", { name: "Fern & Hollow" })], now);
const cards = memoryCards(now);
let brandId = "";
let partnerId = "";

beforeAll(async () => {
  ({ brandId, partnerId } = await openHouseShop(db, { issuer: world.issuer, now: now() }));
});

/** Opens the gift-card page: a visit of its own, with what the login's visit before left. Null: a visitor. */
async function openPage(login: { id: string; sessionId: string } | null): Promise<string> {
  at += 1_000;
  const own = login && { memberId: login.id, sessionId: login.sessionId };
  return visitShop(db, { partnerId, login: own, now: now() });
}
const add = (sessionId: string) => addToBasket(db, { sessionId, slug: "fern-hollow", facePence: 2500 });
const faces = async (sessionId: string) =>
  (await findBasket(db, { sessionId })).lines.map(({ facePence }) => facePence);

async function order(sessionId: string, { id }: { id: string }, database = db) {
  const { version } = await findBasket(db, { sessionId });
  const checkout = { sessionId, member: { id, brandId }, email: "", version, idempotencyKey: newId(), now: now() };
  return checkOut(database, { issuers: new Map([["memory", world.issuer]]), keys: sagaKeys }, checkout);
}

async function pay(sessionId: string, placed: CheckoutAnswer, login: { id: string } | null): Promise<PaidOrder> {
  const session = await findOrderSession(db, { sessionId });
  if (!session || placed.outcome !== "placed") throw new Error(placed.outcome);
  return payOrder(db, cards.provider, {
    ...{ session, memberId: login?.id ?? null, orderPublicId: placed.publicId, now: now() },
  });
}

async function settled(payment: PaidOrder): Promise<void> {
  if (payment.outcome !== "started") throw new Error(payment.outcome);
  cards.pay(`pi_${payment.publicId}`);
  await settlePayment(db, cards.provider, { providerPaymentId: `pi_${payment.publicId}`, now: now() });
}

test("G2 a member's basket is still there after a reload, and an emptied one stays empty", async () => {
  const robin = await insertSignedInMember(db, { brandId });
  const first = await openPage(robin);
  await add(first);
  await add(first);
  const second = await openPage(robin);
  expect(await faces(second)).toEqual([2500, 2500]);
  expect(await faces(first)).toEqual([]);
  for (const { publicId } of (await findBasket(db, { sessionId: second })).lines)
    await removeFromBasket(db, { sessionId: second, line: publicId });
  expect(await faces(await openPage(robin))).toEqual([]);
});

test("G2 two loads at once have one basket between them", async () => {
  const robin = await insertSignedInMember(db, { brandId });
  await add(await openPage(robin));
  const loads = await Promise.all([openPage(robin), openPage(robin)]);
  expect((await Promise.all(loads.map(faces))).flat()).toEqual([2500]);
});

test("G2 G4 a basket moves with its order: it is ordered and paid once, from whichever tab", async () => {
  const robin = await insertSignedInMember(db, { brandId });
  const first = await openPage(robin);
  await add(first);
  const placed = await order(first, robin);
  const second = await openPage(robin);
  expect(await order(second, robin)).toEqual(placed);
  expect((await pay(second, placed, robin)).outcome).toBe("started");
  const payment = await pay(first, placed, robin);
  expect(payment).toEqual(await pay(second, placed, robin));
  await settled(payment);
  expect(await faces(second)).toEqual([]);
  expect(await faces(await openPage(robin))).toEqual([]);
});

test("G2 G4 a page that is opened while the basket is ordered leaves one order, and no cards that can be ordered again", async () => {
  for (let round = 0; round < 10; round += 1) {
    const robin = await insertSignedInMember(db, { brandId });
    const first = await openPage(robin);
    await add(first);
    const [ordered, second] = await Promise.all([order(first, robin), openPage(robin)]);
    if (ordered.outcome === "placed") expect(await order(second, robin)).toEqual(ordered);
    else {
      // The page was faster: its basket is the only one, and the other tab is told so, before or after it has looked.
      expect(["changed", "empty"]).toContain(ordered.outcome);
      expect([await faces(first), await faces(second)]).toEqual([[], [2500]]);
    }
  }
});

test("G2 G4 a page that is opened before the order is written waits for it, and orders the same cards no second time", async () => {
  const robin = await insertSignedInMember(db, { brandId });
  const first = await openPage(robin);
  await add(first);
  const ordering = await db.startTransaction().execute();
  const placed = await order(first, robin, joinTransaction(ordering));
  const opening = openPage(robin);
  await untilWaiting(db);
  await ordering.commit().execute();
  const second = await opening;
  expect(placed.outcome).toBe("placed");
  expect(await order(second, robin)).toEqual(placed);
});

test("G4 S1 a member pays an order in any of their visits; another member and a visitor can't", async () => {
  const robin = await insertSignedInMember(db, { brandId });
  const first = await openPage(robin);
  await add(first);
  const placed = await order(first, robin);
  const other = await insertSignedInMember(db, { brandId });
  expect(await pay(await openPage(other), placed, other)).toEqual({ outcome: "no-such-order" });
  expect(await pay(await openPage(null), placed, null)).toEqual({ outcome: "no-such-order" });
  expect((await pay(await openPage(robin), placed, robin)).outcome).toBe("started");
});

test("G2 S1 a basket is nobody else's: another member's, a visitor's or another login's", async () => {
  const robin = await insertSignedInMember(db, { brandId });
  await add(await openPage(robin));
  expect(await faces(await openPage(await insertSignedInMember(db, { brandId })))).toEqual([]);
  const visitor = await openPage(null);
  await add(visitor);
  expect(await faces(await openPage(null))).toEqual([]);
  expect(await faces(visitor)).toEqual([2500]);
});
