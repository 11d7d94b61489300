import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import type { CardProvider } from "../payments/provider.ts";
import { payOrder, type OrderToPay, type PaidOrder } from "./place-order.server.ts";

export type OrderAtBank =
  /** The payer goes on at `url`, a page of their bank or of the card provider. */
  | { outcome: "at-bank"; url: string }
  /** The card provider does not offer it for this payment, or not any more. */
  | { outcome: "not-at-bank" }
  /** The page to return to is not one of the partner's. */
  | { outcome: "not-the-partners" }
  | Exclude<PaidOrder, { outcome: "started" }>;

/**
 * Begins an order's payment at the payer's bank (W8), which sends them to `returnUrl` afterwards: the success template of
 * the page around the frame, with the order in it. It has to be on an origin of the session's partner, because the payer
 * trusts the bank's page to bring them back. Each press begins anew, with the order's one payment.
 * @throws CardProviderUnavailableError, CardProviderRefusalError
 */
export async function payOrderAtBank(
  db: Db,
  cards: CardProvider,
  { returnUrl, ...order }: OrderToPay & { returnUrl: string },
): Promise<OrderAtBank> {
  const { session } = order;
  const back = await findPartnersPage(db, { partnerId: session.partner.id, url: returnUrl });
  if (back === null) return { outcome: "not-the-partners" };
  const started = await payOrder(db, cards, order);
  if (started.outcome !== "started") return started;
  const { providerPaymentId } = started;
  const begun = await cards.startAtBank({ key: `bank:${newId()}`, providerPaymentId, returnUrl: back });
  return begun ? { outcome: "at-bank", url: begun.url } : { outcome: "not-at-bank" };
}

/** Returns the address as every browser reads it, if it is on an origin of the partner's; otherwise null. */
async function findPartnersPage(
  db: Db,
  { partnerId, url }: { partnerId: string; url: string },
): Promise<string | null> {
  const parsed = url.length <= MAX_URL ? URL.parse(url) : null;
  if (!parsed || (parsed.protocol !== "https:" && parsed.protocol !== "http:")) return null;
  const found = await db
    .selectFrom("partner_origins")
    .select("origin")
    .where("partner_id", "=", partnerId)
    .where("origin", "=", parsed.origin)
    .executeTakeFirst();
  return found ? parsed.href : null;
}

/** The card provider takes no longer address. */
const MAX_URL = 2_000;
