import type Stripe from "stripe";
import { randomText } from "./card-store.ts";
import { API_VERSION, seconds, type Cards, type RequestNote } from "./cards.ts";

/** Records an event and queues its webhook. The event has a copy of the object; later changes do not affect it. */
export function emit(cards: Cards, request: RequestNote, type: Stripe.EventBase["type"], object: object): void {
  const event = {
    id: `evt_${randomText(24)}`,
    object: "event",
    api_version: API_VERSION,
    created: seconds(cards),
    data: { object: structuredClone(object) },
    livemode: false,
    pending_webhooks: 1,
    request: { id: request.id, idempotency_key: request.idempotencyKey },
    type,
  } satisfies Stripe.EventBase;
  cards.store.put(event);
  cards.webhooks.add(type, JSON.stringify(event, null, 2), event.id);
}
