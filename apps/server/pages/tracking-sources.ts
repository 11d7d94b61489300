import type { Brand } from "@farthing/core/brands/brand.ts";
import type { Config } from "../env.ts";

/** What a brand's pages may load and send to beyond our own origin for telemetry and tags, by directive (T1, T4). */
export interface TrackingSources {
  script: readonly string[];
  connect: readonly string[];
  image: readonly string[];
}

type TrackingConfig = Pick<Config, "telemetryUrl" | "tagManagerUrl" | "tagSources">;

/**
 * Returns the function that knows what a brand's pages may load. A brand gets what its settings need and nothing else. The engagement provider's
 * script has no part in pages: it runs in the service worker, which has a policy of its own.
 */
export function trackingSources({ telemetryUrl, tagManagerUrl, tagSources }: TrackingConfig) {
  const telemetry = telemetryUrl === null ? [] : [new URL(telemetryUrl).origin];
  const tags = [...new Set([new URL(tagManagerUrl).origin, ...tagSources])];
  return ({ features, tracking }: Pick<Brand, "features" | "tracking">): TrackingSources => {
    const ofTags = tracking.tagManager === null ? [] : tags;
    return { script: ofTags, connect: [...(features.telemetry ? telemetry : []), ...ofTags], image: ofTags };
  };
}
