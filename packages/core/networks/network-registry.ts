import type { NetworkProvider } from "./provider.ts";

/** The adapters this process runs with, by the slug of their network. */
export interface NetworkRegistry {
  get(slug: string): NetworkProvider | undefined;
  readonly all: readonly NetworkProvider[];
}

/** @throws Error when two adapters claim the same network. */
export function createNetworkRegistry(providers: readonly NetworkProvider[]): NetworkRegistry {
  const bySlug = new Map(providers.map((provider) => [provider.slug, provider]));
  if (bySlug.size !== providers.length) throw new Error("Two adapters claim the same network.");
  return { get: (slug) => bySlug.get(slug), all: [...providers] };
}
