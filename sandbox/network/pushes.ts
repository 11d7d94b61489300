import { DeliveryQueue, postTo } from "../deliveries/delivery-queue.ts";
import type { State } from "../state/state.ts";
import { readSwitches } from "./switches.ts";

const defaultWaits = [1000, 4000, 16_000, 60_000];

/** The network's queue of pushes to the publisher's address. Awin documents no retry, so there is none unless the switch is on. */
export function openPushes(options: {
  state: State;
  url: string | undefined;
  now: () => number;
  retryWaits?: readonly number[] | undefined;
}): DeliveryQueue {
  const { state, url, now } = options;
  return new DeliveryQueue({
    state,
    now,
    channel: "awin",
    send: (push) => postTo(url, new URLSearchParams({ AwinTransactionPush: push.body })),
    habits: () => {
      const switches = readSwitches(state);
      return {
        hold: switches.holdPushes,
        twice: switches.sendTwice,
        retry: switches.retryFailed,
        delaySeconds: switches.delaySeconds,
      };
    },
    retryWaits: options.retryWaits ?? defaultWaits,
  });
}
