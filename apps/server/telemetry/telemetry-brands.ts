import type { Brand } from "@farthing/core/brands/brand.ts";
import type { BrandLookup } from "../brands/brand-lookup.ts";
import type { Problem } from "../http/problem.ts";
import { problems } from "../http/problems.ts";
import { hostnameOf, requestOrigin, type Incoming, type OriginOptions } from "../http/request-origin.ts";

/** Whose event it is. `origin`: the page's, to be named in the answer; null: the request comes from no page. */
export type TelemetryCaller = { ok: true; brandId: string; origin: string | null } | { ok: false; problem: Problem };

export interface TelemetryBrands {
  /** The brand whose page sends: by its Origin, which pages can't forge, or by the host where there is none. */
  ofPage(request: Incoming): Promise<TelemetryCaller>;
  /** The brand that a server names with `?brand=<slug>`, or whose host it calls. */
  ofServer(request: Incoming & { brand: string | undefined }): Promise<TelemetryCaller>;
}

export interface TelemetryBrandParts {
  /** By host, the default brand in development included: for requests to our own host. */
  brands: BrandLookup;
  /** By host, and nothing else. */
  brandOfHost: BrandLookup;
  brandOfSlug(slug: string): Promise<Brand | null>;
  config: OriginOptions;
}

/** Returns how the collector finds the brand of a request (T3). A brand whose telemetry is off is sent nothing, and takes nothing. */
export function telemetryBrands({ brands, brandOfHost, brandOfSlug, config }: TelemetryBrandParts): TelemetryBrands {
  const own = (request: Incoming) => requestOrigin(request, config);

  async function ofHost(request: Incoming): Promise<Brand | null> {
    const origin = own(request);
    return origin === null ? null : brands(hostnameOf(origin));
  }

  async function ofPage(request: Incoming): Promise<TelemetryCaller> {
    const origin = request.header("origin");
    if (origin === undefined) return callerFor(await ofHost(request), { origin: null, unknown: problems.unknownHost });
    if (origin === own(request)) return callerFor(await ofHost(request), { origin, unknown: foreignOrigin });
    const scheme = `${config.publicScheme}://`;
    // "null" is a sandboxed frame or a file: a page of nobody.
    const isOurs = origin.startsWith(scheme) && URL.canParse(origin) && new URL(origin).origin === origin;
    return callerFor(isOurs ? await brandOfHost(hostnameOf(origin)) : null, { origin, unknown: foreignOrigin });
  }

  async function ofServer(request: Incoming & { brand: string | undefined }): Promise<TelemetryCaller> {
    const { brand: slug } = request;
    if (slug === undefined) return callerFor(await ofHost(request), { origin: null, unknown: unnamedBrand });
    const brand = /^[a-z][a-z0-9-]{1,39}$/.test(slug) ? await brandOfSlug(slug) : null;
    return callerFor(brand, { origin: null, unknown: unnamedBrand });
  }

  return { ofPage, ofServer };
}

function callerFor(
  brand: Brand | null,
  { origin, unknown }: { origin: string | null; unknown: Problem },
): TelemetryCaller {
  if (!brand) return { ok: false, problem: unknown };
  return brand.features.telemetry ? { ok: true, brandId: brand.id, origin } : { ok: false, problem: switchedOff };
}

const foreignOrigin: Problem = {
  status: 403,
  title: "Not one of our pages",
  detail: "Events are taken from pages of this deployment's clubs only.",
};
const unnamedBrand: Problem = {
  status: 421,
  title: "No club",
  detail: "Name the club with ?brand=<its name>, or send to its own host.",
};
const switchedOff: Problem = {
  status: 403,
  title: "Telemetry is off",
  detail: "This club collects no events. Its operator can switch the feature on.",
};
