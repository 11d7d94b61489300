import type { Catalogue } from "../catalogue/catalogue.ts";
import { DeliveryQueue } from "../deliveries/delivery-queue.ts";
import type { State } from "../state/state.ts";
import { allProtocols } from "./all-protocols.ts";
import { readClock } from "./clock.ts";
import { readFaults } from "./faults.ts";
import type { Network, Networks } from "./network.ts";
import type { NetworkProtocol } from "./network-protocol.ts";
import { readSwitches } from "./switches.ts";
import { findTransaction } from "./transactions.ts";

const defaultWaits = [1000, 4000, 16_000, 60_000];

/** What a network is started with in place of the development account. */
export interface NetworkAccount {
  publisherId?: string;
  credentials?: Record<string, string>;
  /** The publisher's address for pushes; without one, pushes fail. */
  pushUrl?: string | undefined;
}

export interface NetworksOptions {
  state: State;
  catalogue: Catalogue;
  now: () => number;
  rateLimited: boolean;
  accounts: Readonly<Record<string, NetworkAccount>>;
  retryWaits?: readonly number[] | undefined;
  protocols?: readonly NetworkProtocol[];
}

/** Opens the engine: one state and catalogue, one clock, and a network for each protocol. */
export function openNetworks(options: NetworksOptions): Networks & { close(): Promise<void> } {
  const { state, catalogue, protocols = allProtocols } = options;
  const now = (): number => readClock(state, options.now());
  const texts = new Map(protocols.map((protocol) => [protocol.slug, protocol.pushText]));
  const all = protocols.map((protocol): Network => {
    const { slug, name } = protocol;
    const own = options.accounts[slug] ?? {};
    const account = protocol.account({});
    const networkNow = (): number => now() + readFaults(state, slug).clockSkewSeconds * 1000;
    return {
      slug,
      name,
      state,
      catalogue,
      publisherId: own.publisherId ?? account.publisherId,
      credentials: { ...account.credentials, ...own.credentials },
      rateLimited: options.rateLimited,
      now: networkNow,
      pushes: new DeliveryQueue({
        state,
        now: options.now,
        channel: slug,
        send: (push) => protocol.sendPush(own.pushUrl, push.body),
        // Networks document no retry of pushes, so there is none unless the switch is on.
        habits: () => {
          const switches = readSwitches(state, slug);
          return {
            hold: switches.holdPushes,
            twice: switches.sendTwice,
            retry: switches.retryFailed,
            delaySeconds: switches.delaySeconds,
          };
        },
        retryWaits: options.retryWaits ?? defaultWaits,
      }),
    };
  });
  const bySlug = new Map(all.map((network) => [network.slug, network]));
  const get = (slug: string): Network => {
    const network = bySlug.get(slug);
    if (!network) throw new Error(`The sandbox has no network ${slug}.`);
    return network;
  };
  return {
    all,
    state,
    catalogue,
    now,
    get,
    find: (slug) => bySlug.get(slug),
    push(kind, { id, network: slug }) {
      const text = texts.get(slug);
      const row = findTransaction(state, id);
      if (!text || !row) return false;
      get(slug).pushes.add(kind, text(get(slug), row), String(id));
      return true;
    },
    pushText: (row) => texts.get(row.network)?.(get(row.network), row) ?? null,
    async close() {
      for (const network of all) await network.pushes.close();
    },
  };
}
