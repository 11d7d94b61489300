import { randomBytes } from "node:crypto";
import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { memoryCards } from "@farthing/core/gift-cards/memory-cards.testing.ts";
import { memoryIssuer } from "@farthing/core/gift-cards/memory-issuer.testing.ts";
import { payOrder, placeOrder } from "@farthing/core/gift-cards/place-order.server.ts";
import { giveGoodwill } from "@farthing/core/goodwill/operations.server.ts";
import { makePartner } from "@farthing/core/partners/partners.testing.ts";
import { settlePayment } from "@farthing/core/payments/settle-payment.server.ts";
import { expect } from "@playwright/test";
import { sql } from "kysely";
import { withStackDatabase } from "./stack-database.ts";

/** Returns the address of a gift card of a demo member's, which is bought if there is none. */
export async function knownCard(brand = "chalkside"): Promise<string> {
  const email = `member@${brand}.example`;
  const line = await withStackDatabase((db) =>
    db
      .selectFrom("wallet_cards as wallet")
      .innerJoin("gift_card_lines as line", "line.id", "wallet.line_id")
      .innerJoin("members as member", "member.id", "wallet.member_id")
      .select("line.public_id")
      .where("member.email", "=", email)
      .orderBy("line.id")
      .executeTakeFirst(),
  );
  return `/money/gift-cards/${line?.public_id ?? (await buyCard(email))}`;
}

/** Returns the address of a card that the demo member can take out of their cashback, which is raised to allow it. */
export async function cardToTake(brand = "chalkside"): Promise<string> {
  await withStackDatabase(async (db) => {
    const member = await db
      .selectFrom("members")
      .select(["id", "brand_id"])
      .where("email", "=", `member@${brand}.example`)
      .executeTakeFirstOrThrow();
    await giveGoodwill(db, {
      ...{ brandId: member.brand_id, memberId: member.id, amountPence: 4000, reason: "thank_you" },
      ...{
        note: "pages of gift cards",
        reference: "e2e-gift-cards",
        claimPublicId: null,
        by: "tests",
        now: new Date(),
      },
      limits: { dayPence: 1_000_000, memberPence: 1_000_000 },
    });
  });
  return `/money/withdraw/gift-cards/${(await smallCard()).slug}`;
}

/** Returns a gift card whose smallest value is at most £10, so that a demo member's cashback pays for it. */
export function smallCard(): Promise<{ slug: string; name: string; issuerId: string; facePence: number }> {
  return withStackDatabase(async (db) => {
    await soldProduct(db);
    const product = await db
      .selectFrom("gift_card_products")
      .select(["slug", "name", "issuer_product_id as issuerId", "amounts_pence"])
      .where("withdrawn_at", "is", null)
      .where("stopped_at", "is", null)
      .where("is_reversible", "=", true)
      .where("amounts_pence", "is not", null)
      .where(sql<boolean>`(select min(amount) from unnest(amounts_pence) amount) between 500 and 1000`)
      .orderBy("issuer_product_id", "desc")
      .executeTakeFirstOrThrow();
    const { amounts_pence: amounts, ...card } = product;
    return { ...card, facePence: Math.min(...(amounts ?? []).map(Number)) };
  });
}

/**
 * Buys a gift card for a member, and waits until the stack's worker has had it made by the sandbox's issuer. The order is placed and
 * paid by core; the card provider is one in memory. Returns the line's public id.
 */
export async function buyCard(email: string): Promise<string> {
  const line = await withStackDatabase((db) => payForCard(db, email));
  const isIssued = () =>
    withStackDatabase(async (db) => {
      const { state } = await db
        .selectFrom("gift_card_lines")
        .select("state")
        .where("public_id", "=", line)
        .executeTakeFirstOrThrow();
      return state;
    });
  await expect.poll(isIssued, { message: "the card is issued", timeout: 120_000 }).toBe("issued");
  return line;
}

/**
 * Pays for gift cards of more than £200 for a member who joined today, and waits until the stack's worker holds them for a person (G4).
 * Returns the lines' public ids.
 */
export async function heldCards(email: string): Promise<string[]> {
  const first = await withStackDatabase((db) => payForCard(db, email, { minPence: 22_500 }));
  const find = () =>
    withStackDatabase((db) =>
      db
        .selectFrom("gift_card_lines")
        .select(["public_id", "state"])
        .where("order_id", "=", db.selectFrom("gift_card_lines").select("order_id").where("public_id", "=", first))
        .execute(),
    );
  await expect
    .poll(async () => (await find()).every(({ state }) => state === "held"), {
      message: "the cards are held",
      timeout: 120_000,
    })
    .toBe(true);
  return (await find()).map(({ public_id: publicId }) => publicId);
}

/** @param options.minPence what the cards are worth together, at least; without it one card, of the least value */
async function payForCard(db: Db, email: string, { minPence }: { minPence?: number } = {}): Promise<string> {
  const now = new Date();
  const { id, brand_id: brandId } = await db
    .selectFrom("members")
    .select(["id", "brand_id"])
    .where("email", "=", email)
    .executeTakeFirstOrThrow();
  const product = await soldProduct(db);
  const values = (product.amounts_pence ?? [product.min_pence]).map(Number);
  const facePence = minPence === undefined ? (values[0] ?? 0) : Math.max(...values);
  const made = await makePartner(db);
  const partner = { id: made.id, publicId: made.publicId, name: "Shop", successTemplate: null };
  const session = { id: newId(), partner, reference: null, mode: "live" as const, price: null };
  await db
    .insertInto("widget_sessions")
    .values({
      ...{ id: session.id, partner_id: made.id, origin: "https://shop.example", bearer_hash: randomBytes(32) },
      ...{ opened_at: now, expires_at: new Date(now.getTime() + 3_600_000) },
    })
    .execute();
  // Only the stock is asked for here: the worker asks the real issuer of the sandbox.
  const inStock = { ...memoryIssuer([]).issuer, checkStock: async () => "in-stock" as const };
  const placed = await placeOrder(db, new Map([[product.issuer, inStock]]), {
    ...{ session, member: { id, brandId }, buyerMark: randomBytes(32), idempotencyKey: newId(), now },
    cards: Array.from({ length: minPence === undefined ? 1 : Math.ceil(minPence / facePence) }, () => ({
      productPublicId: product.public_id,
      facePence,
    })),
  });
  if (placed.outcome !== "placed") throw new Error(`The order was not placed: ${placed.outcome}`);
  const cards = memoryCards(() => now);
  const started = await payOrder(db, cards.provider, { session, orderPublicId: placed.publicId, now });
  if (started.outcome !== "started") throw new Error(`The payment did not start: ${started.outcome}`);
  const providerPaymentId = `pi_${started.publicId}`;
  cards.pay(providerPaymentId);
  await settlePayment(db, cards.provider, { providerPaymentId, now });
  return placed.lines[0]?.publicId ?? "";
}

/** The worker reads the issuer's catalogue when it starts. */
async function soldProduct(db: Db) {
  const find = () =>
    db
      .selectFrom("gift_card_products")
      .select(["public_id", "issuer", "amounts_pence", "min_pence"])
      .where("withdrawn_at", "is", null)
      .where("stopped_at", "is", null)
      .orderBy("issuer_product_id")
      .executeTakeFirst();
  await expect.poll(find, { message: "the issuer's catalogue is read", timeout: 120_000 }).toBeDefined();
  const product = await find();
  if (!product) throw new Error("No gift card is sold.");
  return product;
}
