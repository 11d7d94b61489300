import { findBrandByHost, findBrandBySlug, findDefaultBrand } from "@farthing/core/brands/queries.server.ts";
import { createEventRecorder } from "@farthing/core/telemetry/event-recorder.server.ts";
import { alignTransactions } from "@farthing/core/telemetry/sums.server.ts";
import { brandLookup } from "../brands/brand-lookup.ts";
import type { ServerParts } from "../server-parts.ts";
import { createCollector, type Collector } from "./collector.ts";
import { telemetryBrands } from "./telemetry-brands.ts";

/** The collector role (T3): takes events, in a process of its own or beside the others. */
export async function openCollector({
  config,
  db,
  metrics,
  closing,
  now,
}: Pick<ServerParts, "config" | "db" | "metrics" | "closing" | "now">): Promise<Collector> {
  await alignTransactions(db);
  const events = createEventRecorder({ db, now });
  closing.push({ name: "event recorder", close: () => events.close() });
  const findByHost = (host: string) => findBrandByHost(db, host);
  return createCollector({
    events,
    brands: telemetryBrands({
      brands: brandLookup({
        findByHost,
        findDefault: config.environment === "dev" ? () => findDefaultBrand(db) : undefined,
      }),
      brandOfHost: brandLookup({ findByHost }),
      brandOfSlug: brandLookup({ findByHost: (slug) => findBrandBySlug(db, slug) }),
      config,
    }),
    batchKeys: config.telemetry.batchKeys,
    onEvents: (outcome, count) => metrics.telemetry(outcome, count),
  });
}
