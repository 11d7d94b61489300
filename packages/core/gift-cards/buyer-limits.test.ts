import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { beforeAll, expect, test } from "vitest";
import { settlePayment } from "../payments/settle-payment.server.ts";
import { insertSignedInMember } from "../testing/insert-signed-in-member.testing.ts";
import { advanceLine } from "./advance-line.server.ts";
import { addToBasket, findBasket } from "./basket.server.ts";
import { checkOut, findOrderSession } from "./checkout.server.ts";
import { dueLines } from "./due-lines.server.ts";
import { openHouseShop, visitShop } from "./house-shop.testing.ts";
import { memoryCards } from "./memory-cards.testing.ts";
import { memoryIssuer, product } from "./memory-issuer.testing.ts";
import { payOrder } from "./place-order.server.ts";
import { sagaKeys } from "./saga-table.testing.ts";

const { db } = await testDatabase();
let at = new Date("2026-11-20T10:00:00Z").getTime();
const now = () => new Date(at);
const world = memoryIssuer([product("fixed", { name: "Fern & Hollow" })], now);
const issuers = new Map([["memory", world.issuer]]);
const cards = memoryCards(now);
const parts = { db, issuers, cards: { live: cards.provider, test: null }, keys: sagaKeys, now };
let brandId = "";
let partnerId = "";

beforeAll(async () => {
  ({ brandId, partnerId } = await openHouseShop(db, { issuer: world.issuer, now: now() }));
});

interface Buyer {
  email: string;
  /** Null: a visitor. */
  member: { id: string; brandId: string } | null;
  login: string | null;
}

async function newMember(): Promise<Buyer> {
  const email = `${newId()}@example.org`;
  const { id, sessionId } = await insertSignedInMember(db, { brandId, email });
  return { email, member: { id, brandId }, login: sessionId };
}

/** Opens the shop with so many cards in the basket, beside those that the same login has left in it. */
async function openShopWith(faces: readonly number[], { member, login }: Buyer): Promise<string> {
  at += 1000;
  const own = member && login !== null ? { memberId: member.id, sessionId: login } : null;
  const id = await visitShop(db, { partnerId, login: own, now: now() });
  for (const facePence of faces) await addToBasket(db, { sessionId: id, slug: "fern-hollow", facePence });
  return id;
}

async function order(sessionId: string, { email, member }: Buyer) {
  const { version } = await findBasket(db, { sessionId });
  const checkout = { sessionId, member, email, version, idempotencyKey: newId(), now: now() };
  return checkOut(db, { issuers, keys: sagaKeys }, checkout);
}

/** Places an order that nobody pays. */
async function leave(faces: readonly number[], buyer: Buyer): Promise<void> {
  expect((await order(await openShopWith(faces, buyer), buyer)).outcome).toBe("placed");
}

/** Orders and pays. Returns what became of the cards. */
async function buy(faces: readonly number[], buyer: Buyer): Promise<string[]> {
  const sessionId = await openShopWith(faces, buyer);
  const placed = await order(sessionId, buyer);
  const session = await findOrderSession(db, { sessionId });
  if (placed.outcome !== "placed" || !session) throw new Error(placed.outcome);
  const paid = await payOrder(db, cards.provider, { session, orderPublicId: placed.publicId, now: now() });
  if (paid.outcome !== "started") throw new Error(paid.outcome);
  cards.pay(paid.providerPaymentId);
  await settlePayment(db, cards.provider, { providerPaymentId: paid.providerPaymentId, now: now() });
  for (let due = await claim(); due.length > 0; due = await claim())
    for (const lease of due) {
      const step = await advanceLine(parts, lease.id);
      if (step.outcome === "waiting") await dueLines.fail(db, lease, { now: now(), error: step.why });
    }
  const lines = await db
    .selectFrom("gift_card_lines as line")
    .innerJoin("gift_card_orders as orders", "orders.id", "line.order_id")
    .select(["line.state", "line.reason"])
    .where("orders.public_id", "=", placed.publicId)
    .execute();
  return lines.map(({ state, reason }) => reason ?? state);
}
const claim = () => dueLines.claim(db, { now: now(), leaseMs: 60_000, max: 50 });

const LARGEST = Array<number>(10).fill(5000);

test("G4 S1 who orders in a member's address and pays nothing takes nothing of the member's limits, and holds none of their orders", async () => {
  const ada = await newMember();
  const stranger: Buyer = { email: ada.email, member: null, login: null };
  for (const faces of [LARGEST, LARGEST, ...Array<number[]>(5).fill([1000])]) await leave(faces, stranger);
  expect(await buy([2500], ada)).toEqual(["issued"]);
});

test("G4 a basket that is changed after each checkout counts as it is, not as it was, also on another page of the same login", async () => {
  const ada = await newMember();
  for (const faces of [Array<number>(8).fill(5000), [5000], [5000]]) await leave(faces, ada);
});

test("G4 what a buyer has paid counts by the address and by the member", async () => {
  const ada = await newMember();
  const asVisitor: Buyer = { email: ada.email, member: null, login: null };
  expect(await buy(Array<number>(10).fill(1000), asVisitor)).toEqual(Array<string>(10).fill("issued"));
  expect(await buy(Array<number>(10).fill(1000), ada)).toEqual(Array<string>(10).fill("issued"));
  for (const buyer of [ada, asVisitor])
    expect(await order(await openShopWith([1000], buyer), buyer)).toEqual({ outcome: "too-many-today" });
});

test("G4 a member's limits hold together, however many of their logins order at once, and for half an hour", async () => {
  const ada = await newMember();
  const pages: string[] = [];
  for (let logins = 0; logins < 10; logins += 1) {
    const login = newId();
    const { id, brandId: brand } = ada.member ?? { id: "", brandId };
    await db
      .insertInto("member_sessions")
      .values({ id: login, brand_id: brand, member_id: id, token: login, expires_at: new Date(at + 86_400_000) })
      .execute();
    pages.push(await openShopWith([5000, 5000, 5000, 5000], { ...ada, login }));
  }
  const answers = await Promise.all(pages.map((page) => order(page, ada)));
  expect(answers.filter(({ outcome }) => outcome === "placed")).toHaveLength(5);
  expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(["placed", "too-many-today"]));
  const refused = pages[answers.findIndex(({ outcome }) => outcome !== "placed")] ?? "";
  at += 31 * 60_000;
  expect((await order(refused, ada)).outcome).toBe("placed");
});
