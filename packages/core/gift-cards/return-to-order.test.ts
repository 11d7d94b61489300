import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { beforeAll, expect, test } from "vitest";
import { openWidgetSession } from "../partners/widget-session.server.ts";
import { makePartner } from "../partners/partners.testing.ts";
import { hashSecretToken } from "../secrets/secret-token.ts";
import { listBuyersOrders } from "./buyer-orders.server.ts";
import { returnToOrder } from "./return-to-order.server.ts";
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
const sees = async (sessionId: string) =>
  (await listBuyersOrders(db, { viewer: { sessionId, memberId: null } })).map(({ publicId }) => publicId);
const codeOf = async (sessionId: string, linePublicId: string) =>
  (await showCard(db, keys, { linePublicId, sessionId, now: shop.now() }))?.code ?? null;

test("G4 W8 a visitor who comes back from the bank in the same browser sees the order and its code, also the second time", async () => {
  const one = await bought();
  const back = await newSession(one);
  const asked = { sessionId: back.id, orderPublicId: one.order, secret: one.secret, now: shop.now() };
  expect(await codeOf(back.id, one.line)).toBeNull();
  expect(await returnToOrder(db, asked)).toBe(true);
  expect(await sees(back.id)).toEqual([one.order]);
  const code = await codeOf(back.id, one.line);
  expect(code).toMatch(/^CODE-/);
  const again = await newSession(one);
  expect(await returnToOrder(db, { ...asked, sessionId: again.id, secret: back.bearer })).toBe(true);
  expect(await codeOf(again.id, one.line)).toBe(code);
});

test("S1 the order's address alone opens nothing: not without the cookie, with another's, for another page or after its end", async () => {
  const one = await bought();
  const other = await bought();
  const back = await newSession(one);
  const asked = { sessionId: back.id, orderPublicId: one.order, secret: one.secret, now: shop.now() };
  for (const wrong of [
    { secret: null },
    { secret: "" },
    { secret: other.secret },
    { secret: back.bearer },
    { orderPublicId: other.order },
    { now: new Date(shop.now().getTime() + 2 * 3_600_000) },
    { sessionId: (await newSession(one, { origin: "https://two.example" })).id },
    { sessionId: (await newSession(one, { partnerId: (await makePartner(db)).id })).id },
  ])
    expect(await returnToOrder(db, { ...asked, ...wrong }), JSON.stringify(wrong)).toBe(false);
  expect(await sees(back.id)).toEqual([]);
  expect(await codeOf(back.id, one.line)).toBeNull();
});
