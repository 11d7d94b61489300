import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import type { PartnerMode } from "../partners/mode.ts";
import type { Order, OrderPayment } from "../partners/order.ts";
import type { OpenPayment } from "./cancel-open.server.ts";
import { forGiftCards } from "./payment-row.server.ts";
import { wasTaken, type PaymentState } from "./rules.ts";

/**
 * Locks an order until the transaction ends, so that only one session at a time decides which payment can be paid. It comes before
 * every other lock (decision 065).
 */
export async function lockOrder(trx: Trx, { partnerId, mode, reference }: Order): Promise<void> {
  const name = `order ${partnerId} ${mode} ${reference}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
}

/**
 * Returns the payment by which an order is paid or being paid, as far as we know: its webhook may be on the way. Null: none. A payment that
 * failed, was cancelled or was refunded as a whole leaves the order to be paid.
 */
export async function findOrderPayment(db: Db | Trx, order: Order): Promise<OrderPayment | null> {
  const others = await undecidedOrPaid(db, order);
  return others.find(({ state }) => wasTaken(state)) ?? others.find(({ state }) => state === "processing") ?? null;
}

export type OrderStanding =
  /** No other payment of the order can be paid, now or later. */
  | { outcome: "free" }
  | { outcome: "already-paid" | "in-progress" }
  /** Payers of other sessions can still pay these: cancel them at the card provider, then look again. */
  | { outcome: "open"; others: OpenPayment[] };

/**
 * Returns what stands in the way of another payment of an order, whose lock the caller has.
 * @param except the payment that the caller goes on with; null: it makes a new one
 */
export async function findStanding(
  trx: Trx,
  order: Order,
  { except }: { except: string | null },
): Promise<OrderStanding> {
  const others = (await undecidedOrPaid(trx, order)).filter(({ id }) => id !== except);
  if (others.some(({ state }) => wasTaken(state))) return { outcome: "already-paid" };
  if (others.some(({ state }) => state === "processing")) return { outcome: "in-progress" };
  return others.length > 0 ? { outcome: "open", others } : { outcome: "free" };
}

/** Payments that visitors made with a reference of their own choice, and those for gift cards, are not the order's. */
async function undecidedOrPaid(db: Db | Trx, { partnerId, mode, reference }: Order): Promise<OpenPayment[]> {
  const rows = await db
    .selectFrom("payments")
    .select(["id", "public_id as publicId", "state", "version", "provider_payment_id as providerPaymentId", "mode"])
    .where("partner_id", "=", partnerId)
    .where("reference", "=", reference)
    .where("mode", "=", mode)
    .where("session_reference", "=", reference)
    .where("state", "not in", ["cancelled", "refunded"])
    .where(({ not }) => not(forGiftCards))
    .orderBy("id")
    .execute();
  return rows.map((row) => ({ ...row, state: row.state as PaymentState, mode: row.mode as PartnerMode }));
}
