import type { Brand } from "@farthing/core/brands/brand.ts";
import type { Db } from "@farthing/db/client.ts";
import type { Context } from "hono";
import type { AppEnv } from "../app-env.ts";
import type { BrandLookup } from "../brands/brand-lookup.ts";
import { problemResponse, type Problem } from "../http/problem.ts";
import { problems } from "../http/problems.ts";
import { hostnameOf, incomingOf, requestOrigin, type OriginOptions } from "../http/request-origin.ts";

export interface FormChoicesServices {
  db: Db;
  brands: BrandLookup;
  config: OriginOptions;
}

/**
 * Answers one of the four endpoints of the registration form with the choices of this host's brand, for its own pages
 * only (Y6), uncached. `find` returns null for an unknown type, category or role, which is answered 404.
 */
export async function answerChoices(
  context: Context<AppEnv>,
  { brands, config }: FormChoicesServices,
  find: (brand: Brand) => Promise<object | null>,
): Promise<Response> {
  const site = context.req.header("sec-fetch-site");
  if (site === "cross-site" || site === "same-site") return problemResponse(foreign);
  const origin = requestOrigin(incomingOf(context), config);
  const brand = origin === null ? null : await brands(hostnameOf(origin));
  if (!brand) return problemResponse(problems.unknownHost);
  const found = await find(brand);
  if (found === null) return problemResponse(unknown);
  return context.json(found, 200, {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
  });
}

/** Returns the id in a path, or null if it can be no id. */
export function numberIn(text: string): number | null {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

/** Returns the member type in a path, or null if it can be none. PostgreSQL rejects NUL, even in a comparison. */
export function typeIn(text: string): string | null {
  return /^[a-z][a-z0-9_]{1,39}$/.test(text) ? text : null;
}

const unknown: Problem = { status: 404, title: "Not found", detail: "This club has nothing of that name or number." };
const foreign: Problem = {
  status: 403,
  title: "Not sent from here",
  detail: "These addresses answer pages of the same site only.",
};
