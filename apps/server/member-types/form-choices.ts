import type { Brand } from "@farthing/core/brands/brand.ts";
import type { Db } from "@farthing/db/client.ts";
import type { Context } from "hono";
import type { AppEnv } from "../app-env.ts";
import type { BrandLookup } from "../brands/brand-lookup.ts";
import { problemResponse, type Problem } from "../http/problem.ts";
import { hostnameOf, incomingOf, requestOrigin, type OriginOptions } from "../http/request-origin.ts";

export interface FormChoicesServices {
  db: Db;
  brands: BrandLookup;
  config: OriginOptions;
}

/**
 * Answers one of the four addresses that the registration form asks (seed section 7): what the brand of this host offers, for its own pages
 * alone (product.md Y6), never from a cache. Null is an unknown type, category or role: 404.
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
  if (!brand) return problemResponse(misdirected);
  const found = await find(brand);
  if (found === null) return problemResponse(unknown);
  return context.json(found, 200, {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
  });
}

/** The number in an address, or null where it is none that could be ours. */
export function numberIn(text: string): number | null {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

/** The member type in an address, or null where it can be none: PostgreSQL takes no NUL, not even to look for it. */
export function typeIn(text: string): string | null {
  return /^[a-z][a-z0-9_]{1,39}$/.test(text) ? text : null;
}

const unknown: Problem = { status: 404, title: "Not found", detail: "This club has nothing of that name or number." };
const foreign: Problem = {
  status: 403,
  title: "Not sent from here",
  detail: "These addresses answer pages of the same site only.",
};
const misdirected: Problem = {
  status: 421,
  title: "No club at this address",
  detail: "This server does not know the name it was called by.",
};
