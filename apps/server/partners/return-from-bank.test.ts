import { openShop } from "@farthing/core/gift-cards/shop.testing.ts";
import { hashSecretToken } from "@farthing/core/secrets/secret-token.ts";
import { CardProviderUnavailableError } from "@farthing/core/payments/provider.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { htmlPage } from "../app.testing.ts";
import { frameServer } from "./frames.testing.ts";

const { db } = await testDatabase();
const shop = await openShop(db, ["a key of tests"]);
let isSilent = false;
const findPayment = async (id: string) => {
  if (isSilent) throw new CardProviderUnavailableError("silent");
  return shop.cards.provider.findPayment(id);
};
const server = frameServer(db, async (_, visit) => htmlPage("The order", visit), {
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
