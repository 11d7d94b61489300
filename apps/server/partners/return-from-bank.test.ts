import { findBuyersOrder } from "@farthing/core/gift-cards/buyer-orders.server.ts";
import { openShop } from "@farthing/core/gift-cards/shop.testing.ts";
import { hashSecretToken } from "@farthing/core/secrets/secret-token.ts";
import { CardProviderUnavailableError } from "@farthing/core/payments/provider.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import type { Visit } from "@farthing/site/server/visit.ts";
import { expect, test } from "vitest";
import { htmlPage } from "../app.testing.ts";
import { frameServer, setCookieOf } from "./frames.testing.ts";

const { db } = await testDatabase();
const shop = await openShop(db, ["a key of tests"]);
let isSilent = false;
const findPayment = async (id: string) => {
  if (isSilent) throw new CardProviderUnavailableError("silent");
  return shop.cards.provider.findPayment(id);
};
/** Answers as the portal does: an order that the visit does not see is not there. */
async function site(request: Request, visit: Visit): Promise<Response> {
  const asked = /^\/portal\/orders\/([^/]+)\/payment$/.exec(new URL(request.url).pathname)?.[1];
  const viewer = { sessionId: visit.widget?.sessionId ?? "", memberId: null };
  const isThere = asked === undefined || (await findBuyersOrder(db, { publicId: asked, viewer })) !== null;
  return htmlPage("The order", visit, { status: isThere ? 200 : 404 });
}
const server = frameServer(db, site, {
  cards: { live: { ...shop.cards.provider, findPayment }, test: null },
});

test("G4 W8 who comes back from a bank to an order is shown what the card provider says; if it is silent, the page opens all the same", async () => {
  const { order } = await shop.buy([["fixed", 2500]]);
  const cookie = "a".repeat(43);
  const { id } = await db
    .updateTable("widget_sessions")
    .set({ bearer_hash: hashSecretToken(cookie) })
    .where("id", "=", db.selectFrom("gift_card_orders").select("session_id").where("public_id", "=", order))
    .returning("id")
    .executeTakeFirstOrThrow();
  const state = async () =>
    (await db.selectFrom("payments").select("state").where("session_id", "=", id).executeTakeFirstOrThrow()).state;
  for (const { providerPaymentId } of shop.cards.payments.values()) shop.cards.pay(providerPaymentId);

  const open = async (path: string) => {
    const address = server.address(path, await server.mint(shop.partner));
    return (await server.get(address, { cookie: `farthing_widget=${cookie}` })).status;
  };
  isSilent = true;
  expect(await open(`/portal/orders/${order}`)).toBe(200);
  expect(await state()).toBe("awaiting_payment");
  isSilent = false;
  expect(await open("/portal/orders")).toBe(200);
  expect(await state()).toBe("awaiting_payment");
  expect(await open(`/portal/orders/${order}`)).toBe(200);
  expect(await state()).toBe("paid");
});

test("G4 W8 a second tab of the partner's page takes no order from the tab that pays it, and a stranger's none at all", async () => {
  const { order, pay } = await shop.buy([["fixed", 2500]]);
  const cookie = "b".repeat(43);
  await db
    .updateTable("widget_sessions")
    .set({ bearer_hash: hashSecretToken(cookie) })
    .where("id", "=", db.selectFrom("gift_card_orders").select("session_id").where("public_id", "=", order))
    .execute();
  /** Opens the partner's page in another tab. Returns the frame's cookie afterwards. */
  const openTab = async (before: string | null) => {
    const address = server.address("/portal", await server.mint(shop.partner));
    const response = await server.get(address, before === null ? {} : { cookie: `farthing_widget=${before}` });
    return setCookieOf(response)?.value ?? "";
  };
  const look = async (value: string) =>
    (await server.get(`/portal/orders/${order}/payment`, { cookie: `farthing_widget=${value}` })).status;
  const second = await openTab(cookie);
  await pay();
  const third = await openTab(second);
  const stranger = await openTab(null);
  expect(await Promise.all([cookie, second, third, stranger].map(look))).toEqual([200, 200, 200, 404]);
});
