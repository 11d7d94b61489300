import type { NetworkProvider } from "./provider.ts";

/** The adapters of the networks that are set up in this process, by slug. */
export interface NetworkRegistry {
  get(slug: string): NetworkProvider | undefined;
  readonly all: readonly NetworkProvider[];
}

/** @throws Error when two adapters have the same slug. */
export function createNetworkRegistry(providers: readonly NetworkProvider[]): NetworkRegistry {
  const bySlug = new Map(providers.map((provider) => [provider.slug, provider]));
  if (bySlug.size !== providers.length)
    throw new Error("Two adapters have the same slug. Give each network one adapter.");
  return { get: (slug) => bySlug.get(slug), all: [...providers] };
}
