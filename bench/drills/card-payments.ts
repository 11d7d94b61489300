import { createHmac, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { checkBooks } from "@farthing/core/books/check-books.server.ts";
import { createPartner } from "@farthing/core/partners/operations.server.ts";
import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import type { Ask, Count, Sender } from "./load.ts";
import { compared } from "./senders.ts";

/** Signs the webhooks of drills. */
const SECRET = "whsec_drills";

/** A payment that waits for the card provider's word. */
export interface Payment {
  id: string;
  publicId: string;
  intent: string;
  pence: number;
}

/** A stand-in for the card provider: it answers what became of a payment, and that each was paid. */
export interface CardProvider {
  /** Settings of an application that asks it. */
  settings: Record<string, string>;
  /** Makes payments that wait, and knows them from then on. */
  makePayments(db: Db, count: number): Promise<Payment[]>;
  /** Answers again after `close`. */
  open(): Promise<void>;
  close(): Promise<void>;
}

export async function startCardProvider(port: number): Promise<CardProvider> {
  const payments = new Map<string, Payment>();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://provider");
    const payment = payments.get(/^\/v1\/payment_intents\/([^/]+)$/.exec(pathname)?.[1] ?? "");
    const answer = payment
      ? paidIntent(payment)
      : pathname === "/v1/refunds" || pathname === "/v1/disputes"
        ? { object: "list", data: [], has_more: false, url: pathname }
        : null;
    response.writeHead(answer ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? { error: { type: "invalid_request_error", message: "There is none." } }));
  });
  const open = () =>
    new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, "127.0.0.1", resolve);
    });
  await open();
  return {
    open,
    settings: {
      STRIPE_API_URL: `http://127.0.0.1:${port}`,
      STRIPE_SECRET_KEY: "sk_test_drills",
      STRIPE_WEBHOOK_SECRET: SECRET,
    },
    async makePayments(db, count) {
      const made = await makePayments(db, count);
      for (const payment of made) payments.set(payment.intent, payment);
      return made;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function paidIntent({ intent, publicId, pence }: Payment) {
  return {
    ...{ id: intent, object: "payment_intent", status: "succeeded", currency: "gbp" },
    ...{ amount: pence, amount_received: pence, metadata: { payment: publicId }, last_payment_error: null },
    latest_charge: {
      ...{ id: intent.replace("pi_", "ch_"), object: "charge", amount_refunded: 0 },
      balance_transaction: {
        id: intent.replace("pi_", "txn_"),
        object: "balance_transaction",
        currency: "gbp",
        fee: 20,
      },
    },
  };
}

async function makePayments(db: Db, count: number): Promise<Payment[]> {
  const partner = await createPartner(db, { name: "A drill's shop", origins: ["https://drill.example"] });
  const payments = Array.from({ length: count }, (_, index) => ({
    id: newId(),
    publicId: randomBytes(16).toString("base64url"),
    intent: `pi_${randomBytes(12).toString("hex")}`,
    pence: 100 + (index % 900),
  }));
  await sql`
    insert into payments (id, public_id, partner_id, idempotency_key, amount_pence, reference, state, version, provider_payment_id, created_at, changed_at)
    select p.id, p.public_id, ${partner.id}, p.public_id, p.pence, 'A drill', 'awaiting_payment', 1, p.intent, now(), now()
    from unnest(${payments.map(({ id }) => id)}::uuid[], ${payments.map(({ publicId }) => publicId)}::text[],
      ${payments.map(({ intent }) => intent)}::text[], ${payments.map(({ pence }) => pence)}::bigint[]) as p (id, public_id, intent, pence)`.execute(
    db,
  );
  await sql`
    insert into payment_changes (payment_id, version, state, refunded_pence, changed_at)
    select id, v, case v when 0 then 'created' else 'awaiting_payment' end, 0, now()
    from unnest(${payments.map(({ id }) => id)}::uuid[]) as p (id), generate_series(0, 1) v`.execute(db);
  return payments;
}

/** Returns the provider's webhook about a payment. `secret`, `ageSeconds`: of a forged or a stale one. */
export function webhookOf(
  { intent }: Pick<Payment, "intent">,
  { event, secret = SECRET, ageSeconds = 0 }: { event: string; secret?: string; ageSeconds?: number },
): Ask {
  const body = JSON.stringify({
    ...{ id: event, object: "event", type: "payment_intent.succeeded" },
    data: { object: { id: intent, object: "payment_intent" } },
  });
  const sentAt = Math.floor(new Date().getTime() / 1000) - ageSeconds;
  const signature = createHmac("sha256", secret).update(`${sentAt}.${body}`).digest("hex");
  return {
    ...{ method: "POST", path: "/webhooks/stripe", body },
    headers: { "content-type": "application/json", "stripe-signature": `t=${sentAt},v1=${signature}` },
  };
}

/**
 * Webhooks of payments, each sent again until it is acknowledged, as the provider does. When none is left, the last payments'
 * are sent again, which must change nothing.
 */
export function ledger(payments: readonly Payment[]): Sender {
  const waiting = [...payments];
  const acknowledged = new Set<string>();
  return {
    name: "payments",
    next(turn) {
      const payment = waiting.shift() ?? payments[turn % payments.length]!;
      return {
        ...webhookOf(payment, { event: payment.intent.replace("pi_", "evt_") }),
        heard({ status }) {
          if (status === 200) acknowledged.add(payment.id);
          else if (!acknowledged.has(payment.id)) waiting.push(payment);
        },
      };
    },
    count: (db) => countPaid(db, acknowledged),
  };
}

/** Compares payments by their transfers in the ledger: one each that took the money. */
export async function countPaid(db: Db, acknowledged: ReadonlySet<string>): Promise<Count> {
  const { rows } = await sql<{ key: string; times: number }>`
    select t.cause_id as key, count(*) as times from ledger_transfers t
    join ledger_entries e on e.transfer_id = t.id join ledger_accounts a on a.id = e.account_id and a.account_kind = 'payment_held'
    where t.cause_kind = 'payment' group by 1`.execute(db);
  return compared(acknowledged, rows);
}

/** Returns the faults of the books, one sentence each. */
export async function faultsOfBooks(db: Db): Promise<string[]> {
  const { faults } = await checkBooks(db, { cards: { live: null, test: null } });
  return faults.map((fault) => `The books: ${fault}`);
}
