import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { openDueWork, type Lease } from "../due-work/due-work.server.ts";
import type { PartnerMode } from "../partners/mode.ts";
import { nextDisputeLook, UNHEARD_MS } from "./dispute-rules.ts";
import type { CardProvider } from "./provider.ts";

interface DisputeToLookAt {
  publicId: string;
  paymentPublicId: string;
  providerPaymentId: string;
  mode: PartnerMode;
}

export type DueDispute = DisputeToLookAt & Lease;

/** Disputes that are not over, each read from the provider once a day. None is ever given up: it is money. */
export const dueDisputes = openDueWork<DisputeToLookAt>()({
  table: "payment_disputes",
  id: "id",
  dueAt: "next_look_at",
  attempts: "lookups",
  join: sql`join payments payment on payment.id = work.payment_id`,
  isOpen: sql`work.next_look_at is not null`,
  columns: sql`work.public_id as "publicId", payment.public_id as "paymentPublicId",
    payment.provider_payment_id as "providerPaymentId", payment.mode`,
  nextAttempt: nextDisputeLook,
});

/**
 * Returns the payments of ours with a recent dispute that we have not heard of, because the provider's webhooks were not
 * received, or not asked for.
 * @throws CardProviderUnavailableError, CardProviderRefusalError
 */
export async function findUnheardDisputes(
  db: Db,
  cards: Pick<CardProvider, "listDisputedPayments">,
  { now }: { now: Date },
): Promise<string[]> {
  const disputed = await cards.listDisputedPayments({ since: new Date(now.getTime() - UNHEARD_MS) });
  if (disputed.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select provider_payment_id as id from payments
    where provider_payment_id = any(${disputed})
      and not exists (select from payment_disputes dispute where dispute.payment_id = payments.id)`.execute(db);
  return rows.map(({ id }) => id);
}
