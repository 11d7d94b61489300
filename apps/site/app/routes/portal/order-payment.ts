import { findBuyersOrder } from "@farthing/core/gift-cards/buyer-orders.server.ts";
import { findOrderSession } from "@farthing/core/gift-cards/checkout.server.ts";
import { payOrderAtBank, type OrderAtBank } from "@farthing/core/gift-cards/pay-at-bank.server.ts";
import { payOrder, type PaidOrder } from "@farthing/core/gift-cards/place-order.server.ts";
import { isCardProviderRefusal, isCardProviderUnavailable } from "@farthing/core/payments/provider.ts";
import type { PaymentIntentPayload } from "@farthing/widget/frame";
import { servicesContext, visitContext } from "../../site-context.ts";
import { field } from "../sign-in/form-field.ts";
import type { Route } from "./+types/order-payment";
import { orderMark } from "./portal-words.ts";
import { portalVisit } from "./portal.server.ts";

/**
 * What the order's page gets: a payment for the page around the frame, the page of a bank, or a sentence that says what to
 * do.
 */
export type PaymentAnswer =
  | { payment: Omit<PaymentIntentPayload, "color"> }
  | { bankUrl: string }
  | { problem: string };

/** POST: begins the order's payment, or continues it; with `return`, at the payer's bank, which sends them there. */
export async function action({ context, params, request }: Route.ActionArgs) {
  const { db, giftCards, sessionId, viewer, now } = portalVisit(context);
  const session = await findOrderSession(db, { sessionId });
  if (!session || !giftCards?.cards) return refuse(503, "Payments are not set up here.");
  const form = await request.formData();
  const order = { session, memberId: viewer.memberId, orderPublicId: params.order, now };
  try {
    if (form.has("return")) {
      const sent = await payOrderAtBank(db, giftCards.cards, { ...order, returnUrl: field(form, "return", 4000) });
      return sent.outcome === "at-bank" ? json({ bankUrl: sent.url }, 201) : refusePayment(sent);
    }
    const paid = await payOrder(db, giftCards.cards, order);
    if (paid.outcome !== "started") return refusePayment(paid);
    const { clientSecret, customerId, customerSecret, amountPence } = paid;
    const payment = {
      ...{ clientSecret, customerId, ephemeralKey: customerSecret },
      paymentAmount: amountPence / 100, // On the wire only.
      // Where the payment continues at a bank, the host's success template gets the order: it opens the portal there.
      context: { token: params.order },
    };
    return json({ payment }, 201);
  } catch (error) {
    if (isCardProviderRefusal(error)) {
      context.get(servicesContext).reportError?.(error, context.get(visitContext));
      return refuse(503, "This payment can’t be begun now, and nothing was taken. Try again later.");
    }
    if (!isCardProviderUnavailable(error)) throw error;
    return refuse(503, "The card provider does not answer. Try again in a moment: this order can’t be charged twice.");
  }
}

/** GET: a mark that changes whenever the order's page would. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { db, viewer } = portalVisit(context);
  const order = await findBuyersOrder(db, { publicId: params.order, viewer });
  return order ? json({ mark: orderMark(order) }, 200) : refuse(404, problems["no-such-order"]);
}

// None says that nothing was taken: a payment may have been made whose notice is still to come.
const orderChanged = "The order has changed. If you have not paid for it, go to the basket and order again.";
const tooMany = "Too many payments were started here. Reload the page around this one, and start again.";
type Refused = Exclude<PaidOrder | OrderAtBank, { outcome: "started" | "at-bank" }>;
const problems: Record<Refused["outcome"], string> = {
  "not-at-bank": "Your bank can’t take this payment now. Pay by card, or reload the page if you have paid already.",
  "not-the-partners": "The shop around this page has not said where your bank brings you back to. Pay by card.",
  "no-such-order":
    "This order was placed in another visit. If you have not paid for it, go to the basket and order again.",
  "checkout-expired":
    "The price was held for half an hour, which is over. If you have not paid, go to the basket and order again.",
  "not-sold":
    "A card of this order is not sold any more, because its shop is in trouble or out of the catalogue. If you have not paid, go to the basket, remove it and order again.",
  "key-taken": orderChanged,
  "not-the-price": orderChanged,
  "already-paid": "This order is paid. Reload the page to see your cards.",
  "in-progress": "This order is being paid. Wait a minute, then reload the page.",
  cancelled: "The shop around this page has cancelled this payment. Go to the basket and order again.",
  "session-ended": "The shop around this page has ended this visit. Reload the page around this one.",
  "too-many": tooMany,
  "slow-down": "This payment was begun very often. Wait a few minutes, then try again.",
};

function refusePayment(refused: Refused): Response {
  const problem = problems[refused.outcome];
  if (refused.outcome === "slow-down") return refuse(429, problem, { "Retry-After": String(refused.seconds) });
  return refuse(refused.outcome === "no-such-order" ? 404 : 409, problem);
}

function refuse(status: number, problem: string, headers: HeadersInit = {}): Response {
  return json({ problem }, status, headers);
}

function json(body: PaymentAnswer | { mark: string }, status: number, headers: HeadersInit = {}): Response {
  return Response.json(body, { status, headers });
}
