import { createHmac } from "node:crypto";
import { DeliveryQueue, postTo, type DeliveryHabits } from "../deliveries/delivery-queue.ts";
import type { State } from "../state/state.ts";

export interface WebhookSwitches {
  hold: boolean;
  sendTwice: boolean;
  noRetry: boolean;
  delaySeconds: number;
}

const allOff: WebhookSwitches = { hold: false, sendTwice: false, noRetry: false, delaySeconds: 0 };

/** The waits between attempts, in milliseconds: growing, for three days, as the provider does. */
const threeDays = [
  1000, 5000, 30_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 36_000_000, 43_200_000, 43_200_000,
  43_200_000,
];

export function readWebhookSwitches(state: State): WebhookSwitches {
  const row = state.one<{ value: string }>("select value from settings where name = 'card switches'");
  return row ? { ...allOff, ...(JSON.parse(row.value) as Partial<WebhookSwitches>) } : { ...allOff };
}

/** Changes the given switches; ignores values of the wrong type. */
export function writeWebhookSwitches(state: State, changes: Record<string, unknown>): WebhookSwitches {
  const switches = readWebhookSwitches(state);
  for (const name of ["hold", "sendTwice", "noRetry"] as const) {
    const value = changes[name];
    if (typeof value === "boolean") switches[name] = value;
  }
  if (typeof changes.delaySeconds === "number" && Number.isFinite(changes.delaySeconds)) {
    switches.delaySeconds = Math.min(Math.max(Math.round(changes.delaySeconds), 0), 3600);
  }
  state.run(
    "insert into settings (name, value) values ('card switches', ?) on conflict (name) do update set value = excluded.value",
    JSON.stringify(switches),
  );
  return switches;
}

/** Returns the signature `t=…,v1=…` over the time and the bytes of the body, with the endpoint's secret. */
export function signatureFor(body: string, secret: string, at: number): string {
  const time = Math.floor(at / 1000);
  return `t=${time},v1=${createHmac("sha256", secret).update(`${time}.${body}`, "utf8").digest("hex")}`;
}

/** The provider's queue of webhooks. Each attempt has a new signature. */
export function openWebhooks(options: {
  state: State;
  url: string | undefined;
  secret: string;
  now: () => number;
  retryWaits?: readonly number[] | undefined;
}): DeliveryQueue {
  const { state, url, secret, now } = options;
  const habits = (): DeliveryHabits => {
    const switches = readWebhookSwitches(state);
    return {
      hold: switches.hold,
      twice: switches.sendTwice,
      retry: !switches.noRetry,
      delaySeconds: switches.delaySeconds,
    };
  };
  return new DeliveryQueue({
    state,
    now,
    habits,
    channel: "cards",
    send: (delivery) =>
      url === undefined
        ? // No endpoint is configured: retrying for three days would be pointless.
          Promise.resolve({ ok: true, status: null, text: "No webhook address is configured." })
        : postTo(url, delivery.body, {
            "Content-Type": "application/json; charset=utf-8",
            "User-Agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
            "Stripe-Signature": signatureFor(delivery.body, secret, now()),
          }),
    retryWaits: options.retryWaits ?? threeDays,
  });
}
