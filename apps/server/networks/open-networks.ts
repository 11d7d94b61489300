import { createNetworkRegistry, type NetworkRegistry } from "@farthing/core/networks/network-registry.ts";
import { createAwinProvider } from "@farthing/providers/affiliates/awin/awin-provider.ts";
import type { Config } from "../env.ts";

/** Opens the affiliate networks of this deployment. */
export function openNetworks(config: Pick<Config, "awin">): NetworkRegistry {
  return createNetworkRegistry([createAwinProvider(config.awin)]);
}

/** Returns the secret part of each network's webhook address, by the network's slug. */
export function pushSecretsOf(config: Pick<Config, "awin">): Readonly<Record<string, string>> {
  return { awin: config.awin.pushSecret };
}
