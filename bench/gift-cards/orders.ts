import { randomBytes } from "node:crypto";
import { checkLedger } from "@farthing/core/ledger/check.server.ts";
import { advanceLine, type SagaParts } from "@farthing/core/gift-cards/advance-line.server.ts";
import { checkGiftCards } from "@farthing/core/gift-cards/check.server.ts";
import { dueLines } from "@farthing/core/gift-cards/due-lines.server.ts";
import { payOrder, placeOrder } from "@farthing/core/gift-cards/place-order.server.ts";
import { syncCatalogue } from "@farthing/core/gift-cards/sync-catalogue.server.ts";
import { makePartner } from "@farthing/core/partners/partners.testing.ts";
import { settlePayment } from "@farthing/core/payments/settle-payment.server.ts";
import { type Db, openDatabase } from "@farthing/db/client.ts";
import { migrate } from "@farthing/db/migrate.ts";
import { startThrowawayServer } from "@farthing/db/testing/throwaway-server.ts";
import { newId } from "@farthing/db/uuid.ts";
import { createStripeProvider } from "@farthing/providers/cards/stripe/stripe-provider.ts";
import { createTilloIssuer } from "@farthing/providers/issuers/tillo/tillo-issuer.ts";
import { sql } from "kysely";
import { cardKeys, newCard, startTestCards, type TestCards } from "../../sandbox/testing/start-test-cards.ts";

const issuerKeys = { apiKey: "key-of-the-bench", secret: "secret-of-the-bench" };
const FACE_PENCE = 1000;

interface Sizes {
  orders: number;
  concurrency: number;
  rounds: number;
}

/** Returns orders a second of each round: through the saga, and as calls alone, in turns. */
export async function measureOrders({
  orders,
  concurrency,
  rounds,
}: Sizes): Promise<{ saga: number[]; alone: number[] }> {
  const server = await startThrowawayServer({ durable: true });
  const { db, close } = openDatabase({ url: server.url, max: concurrency * 2 });
  const sandbox = await startTestCards({ issuer: issuerKeys });
  try {
    await migrate(server.url);
    await sandbox.test.json("PUT", "/control/issuer/float", { pence: 1_000_000_000 });
    const world = await openWorld(db, sandbox);
    const measured = { saga: [] as number[], alone: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      measured.alone.push(await perSecond(() => callAlone(world), { orders, concurrency }));
      measured.saga.push(await perSecond(() => buy(world), { orders, concurrency }));
    }
    await proveAll(db, orders * rounds);
    return measured;
  } finally {
    await sandbox.end();
    await close();
    await server.stop();
  }
}

type World = Awaited<ReturnType<typeof openWorld>>;

async function openWorld(db: Db, sandbox: TestCards) {
  const issuer = createTilloIssuer({ ...issuerKeys, apiUrl: `${sandbox.url}/tillo`, sector: "gift-card-mall" });
  const { secret: secretKey, webhookSecret } = cardKeys;
  const cards = createStripeProvider({ secretKey, webhookSecret, apiUrl: sandbox.url });
  const made = await makePartner(db);
  await syncCatalogue(db, issuer, { now: new Date() });
  const product = await db
    .selectFrom("gift_card_products")
    .select(["public_id as publicId", "issuer_product_id as issuerProductId"])
    .where("issuer_product_id", "=", "sandbox-fixed")
    .executeTakeFirstOrThrow();
  const parts: SagaParts = {
    ...{ db, issuers: new Map([[issuer.slug, issuer]]), cards: { live: cards, test: null } },
    ...{ keys: ["a key of the bench"], now: () => new Date() },
  };
  const partner = { id: made.id, publicId: made.publicId, name: "Shop", successTemplate: null };
  const pay = (id: string, clientSecret: string) =>
    sandbox.browser("POST", `payment_intents/${id}/confirm`, {
      client_secret: clientSecret,
      ...newCard("4242424242424242"),
    });
  return { parts, issuer, cards, partner, product, pay };
}

/** One order from the checkout to its encrypted card, as the portal, the payer's browser, the webhook and the worker do it. */
async function buy({ parts, cards, partner, product, pay }: World): Promise<void> {
  const { db, issuers } = parts;
  const session = { id: newId(), partner, reference: null, mode: "live" as const, price: null };
  const now = new Date();
  await db
    .insertInto("widget_sessions")
    .values({
      ...{ id: session.id, partner_id: partner.id, origin: "https://shop.example", bearer_hash: randomBytes(32) },
      ...{ opened_at: now, expires_at: new Date(now.getTime() + 3_600_000) },
    })
    .execute();
  const placed = await placeOrder(db, issuers, {
    ...{ session, member: null, email: null, buyerMark: randomBytes(32), idempotencyKey: newId(), now },
    cards: [{ productPublicId: product.publicId, facePence: FACE_PENCE }],
  });
  if (placed.outcome !== "placed") throw new Error(`The order was answered with ${placed.outcome}.`);
  const started = await payOrder(db, cards, { session, orderPublicId: placed.publicId, now });
  if (started.outcome !== "started") throw new Error(`The payment was answered with ${started.outcome}.`);
  const { provider_payment_id: providerPaymentId } = await db
    .selectFrom("payments")
    .select("provider_payment_id")
    .where("public_id", "=", started.publicId)
    .executeTakeFirstOrThrow();
  if (providerPaymentId === null) throw new Error("The payment has no id at the provider.");
  await pay(providerPaymentId, started.clientSecret);
  await settlePayment(db, cards, { providerPaymentId, now: new Date() });
  const { id } = await db
    .selectFrom("gift_card_lines")
    .select("id")
    .where("public_id", "=", placed.lines[0]?.publicId ?? "")
    .executeTakeFirstOrThrow();
  for (let steps = 0; steps < 10; steps += 1) {
    const [lease] = await dueLines.claim(db, { now: new Date(), leaseMs: 60_000, max: 1 }, sql`work.id = ${id}`);
    if (!lease) return;
    const step = await advanceLine(parts, lease.id);
    if (step.outcome === "over") await dueLines.settle(db, lease, { next_step_at: null });
    if (step.outcome === "waiting") throw new Error(`The order waits: ${step.why}`);
  }
}

/** What one order asks of the outside world, in the same order, and nothing else. */
async function callAlone({ issuer, cards, product, pay }: World): Promise<void> {
  const card = { issuerProductId: product.issuerProductId, faceValuePence: FACE_PENCE };
  await issuer.checkStock(card);
  const paymentId = newId();
  const { customerId } = await cards.createCustomer({ key: `customer-${paymentId}` });
  const { providerPaymentId, clientSecret } = await cards.createPayment({
    ...{ key: paymentId, paymentId, customerId, amountPence: FACE_PENCE, description: "bench" },
  });
  await pay(providerPaymentId, clientSecret);
  await cards.findPayment(providerPaymentId);
  await issuer.checkStock(card);
  await issuer.issue({ ...card, clientReference: `alone-${paymentId}` });
}

async function perSecond(act: () => Promise<void>, { orders, concurrency }: Omit<Sizes, "rounds">): Promise<number> {
  const from = performance.now();
  let left = orders;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (left > 0) {
        left -= 1;
        await act();
      }
    }),
  );
  return orders / ((performance.now() - from) / 1000);
}

/** @throws Error if an order is not a card, or the books have a fault */
async function proveAll(db: Db, wanted: number): Promise<void> {
  const { rows } = await sql<{ issued: number }>`
    select count(*)::int as issued from gift_card_lines where state = 'issued' and sealed_card is not null`.execute(db);
  if (rows[0]?.issued !== wanted) throw new Error(`${rows[0]?.issued} of ${wanted} orders became cards.`);
  const faults = [...(await checkLedger(db)).faults, ...(await checkGiftCards(db))];
  if (faults.length > 0) throw new Error(`The books have faults: ${faults[0]}`);
}
