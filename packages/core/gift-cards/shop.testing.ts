import { randomBytes } from "node:crypto";
import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { makePartner } from "../partners/partners.testing.ts";
import type { WidgetSession } from "../partners/widget-session.server.ts";
import type { DisputeState } from "../payments/dispute-rules.ts";
import { readPayment } from "../payments/read-payment.server.ts";
import { settlePayment } from "../payments/settle-payment.server.ts";
import { advanceLine } from "./advance-line.server.ts";
import { dueLines } from "./due-lines.server.ts";
import { memoryCards } from "./memory-cards.testing.ts";
import { memoryIssuer, product } from "./memory-issuer.testing.ts";
import { payOrder, placeOrder } from "./place-order.server.ts";
import { syncCatalogue } from "./sync-catalogue.server.ts";

const HOUR_MS = 3_600_000;

type Visit = Pick<WidgetSession, "id" | "partner" | "reference" | "mode" | "price">;

interface Bought {
  order: string;
  /** For another order of the same visit. */
  visit: Visit;
  lines: string[];
  pay(): Promise<void>;
  /** The buyer's bank disputes the payment, or decides; the webhook follows. */
  dispute(state: DisputeState): Promise<void>;
  /** Somebody refunds in the provider's dashboard; the webhook follows. */
  refundElsewhere(amountPence: number): Promise<void>;
  /** What the provider has refunded. */
  refundedPence(): number;
}

/** A partner that sells gift cards of one issuer, with a clock that a test moves. */
export async function openShop(db: Db, keys: readonly [string, ...string[]]) {
  const clock = { at: new Date("2026-11-20T10:00:00Z").getTime() };
  const now = () => new Date(clock.at);
  const issuer = memoryIssuer([product("fixed"), product("other")], now);
  const issuers = new Map([["memory", issuer.issuer]]);
  const cards = memoryCards(now);
  const made = await makePartner(db);
  const partner = { id: made.id, publicId: made.publicId, name: "Shop" };
  await syncCatalogue(db, issuer.issuer, { now: now() });
  const rows = await db.selectFrom("gift_card_products").select(["public_id", "issuer_product_id"]).execute();
  const products = new Map(rows.map((row) => [row.issuer_product_id, row.public_id]));
  const parts = { db, issuers, cards: { live: cards.provider, test: null }, keys, now };

  async function openSession(price: { amountPence: number; email: string | null } | null) {
    const session = { id: newId(), partner, reference: null, mode: "live" as const, price: null };
    const fixed = price ? { amount_pence: price.amountPence, reference: "visit", email: price.email } : {};
    await db
      .insertInto("widget_sessions")
      .values({
        ...{ id: session.id, partner_id: partner.id, origin: "https://shop.example", bearer_hash: randomBytes(32) },
        ...{ opened_at: now(), expires_at: new Date(clock.at + HOUR_MS), ...fixed },
      })
      .execute();
    return session;
  }

  /** Places an order and pays for it. Returns the public ids of the order and its lines. */
  async function buy(
    wanted: readonly [productId: string, facePence: number][],
    buyer: {
      email?: string | null;
      member?: { id: string; brandId: string } | null;
      fixed?: { amountPence: number; email: string | null } | null;
      buyerMark?: Buffer;
      visit?: Visit;
    } = {},
  ): Promise<Bought> {
    const { email = "visitor@example.org", member = null, fixed = null, buyerMark = randomBytes(32) } = buyer;
    const session = buyer.visit ?? (await openSession(fixed));
    const placed = await placeOrder(db, issuers, {
      ...{ session, member, email, buyerMark, idempotencyKey: newId(), now: now() },
      cards: wanted.map(([id, facePence]) => ({ productPublicId: products.get(id) ?? "", facePence })),
    });
    if (placed.outcome !== "placed") throw new Error(placed.outcome);
    const started = await payOrder(db, cards.provider, { session, orderPublicId: placed.publicId, now: now() });
    if (started.outcome !== "started") throw new Error(started.outcome);
    const providerPaymentId = `pi_${started.publicId}`;
    return {
      order: placed.publicId,
      visit: session,
      lines: placed.lines.map(({ publicId }) => publicId),
      async pay() {
        cards.pay(providerPaymentId);
        await settlePayment(db, cards.provider, { providerPaymentId, now: now() });
      },
      async dispute(state) {
        cards.dispute(providerPaymentId, state);
        await readPayment(db, cards.provider, { providerPaymentId, about: "dispute", now: now() });
      },
      async refundElsewhere(amountPence) {
        cards.refundElsewhere(providerPaymentId, amountPence);
        await readPayment(db, cards.provider, { providerPaymentId, about: "refund", now: now() });
      },
      refundedPence: () => cards.payments.get(providerPaymentId)?.refundedPence ?? 0,
    };
  }

  /** Takes the steps that are due, as a worker does. */
  async function work(): Promise<void> {
    for (let rounds = 0; rounds < 30; rounds += 1) {
      const due = await dueLines.claim(db, { now: now(), leaseMs: 60_000, max: 20 });
      if (due.length === 0) return;
      await Promise.all(
        due.map(async (lease) => {
          const step = await advanceLine(parts, lease.id);
          if (step.outcome === "waiting") await dueLines.fail(db, lease, { now: now(), error: step.why });
        }),
      );
    }
  }

  return { clock, now, issuer, cards, partner: made, buy, work };
}
