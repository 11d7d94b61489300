import { createNetworkRegistry, type NetworkRegistry } from "@farthing/core/networks/network-registry.ts";
import { allNetworks } from "@farthing/providers/affiliates/all-networks.ts";
import type { NetworkSettings, ReplaceableParts } from "@farthing/providers/affiliates/network-definition.ts";

export interface OpenedNetworks {
  networks: NetworkRegistry;
  /** The last part of each network's push address, by slug. A network that is not in it sends no pushes. */
  pushSecrets: Readonly<Record<string, string>>;
  /** Seconds between two readings of each pass of a network's report, by slug. */
  pollSeconds: Readonly<Record<string, number>>;
}

/** Creates the adapters of the networks in `settings` (`config.networks`). */
export function openNetworks(
  settings: Readonly<Record<string, NetworkSettings>>,
  { definitions = allNetworks, ...replaced }: ReplaceableParts & { definitions?: typeof allNetworks } = {},
): OpenedNetworks {
  const opened = definitions.flatMap((definition) => {
    const own = settings[definition.slug];
    return own === undefined
      ? []
      : [{ slug: definition.slug, own, provider: definition.createProvider(own, replaced) }];
  });
  return {
    networks: createNetworkRegistry(opened.map(({ provider }) => provider)),
    pushSecrets: Object.fromEntries(
      opened.flatMap(({ slug, own }) => (own.pushSecret === null ? [] : [[slug, own.pushSecret]])),
    ),
    pollSeconds: Object.fromEntries(opened.map(({ slug, own }) => [slug, own.pollSeconds])),
  };
}
