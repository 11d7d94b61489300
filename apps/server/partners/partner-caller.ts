import { countCall, findApiKey, type ApiCaller } from "@farthing/core/partners/find-api-key.server.ts";
import type { Db } from "@farthing/db/client.ts";
import type { Context } from "hono";
import type { AppEnv } from "../app-env.ts";
import type { BrandLookup } from "../brands/brand-lookup.ts";
import type { Problem } from "../http/problem.ts";
import { problems } from "../http/problems.ts";
import { hostnameOf, incomingOf, requestOrigin, type OriginOptions } from "../http/request-origin.ts";
import { partnerProblems, tooMany } from "./partner-problems.ts";
import { bearerOf } from "./widget-sessions.ts";

export interface CallerServices {
  db: Db;
  brands: BrandLookup;
  config: OriginOptions;
  now(): Date;
}

/** A partner's server, and our address as it called it. */
export type PartnerCaller = { ok: true; caller: ApiCaller; origin: string } | { ok: false; problem: Problem };

/**
 * Returns the partner whose server calls, or the problem to answer with. Everything that it reads or changes is its own
 * and of its key's mode. `counts`: the request counts towards the partner's minute; minting has a count of its own.
 */
export async function partnerCaller(
  context: Context<AppEnv>,
  { db, brands, config, now }: CallerServices,
  { counts }: { counts: boolean },
): Promise<PartnerCaller> {
  const refused = (problem: Problem) => ({ ok: false, problem }) as const;
  const header = (name: string) => context.req.header(name);
  // Only browsers send this header. A key in a page is public.
  if (header("sec-fetch-site") !== undefined) return refused(partnerProblems.inBrowser);
  const apiKey = bearerOf(header("authorization"));
  if (apiKey === null) return refused(partnerProblems.unknownKey);
  const origin = requestOrigin(incomingOf(context), config);
  if (origin === null || !(await brands(hostnameOf(origin)))) return refused(problems.unknownHost);
  const caller = await findApiKey(db, { apiKey });
  if (!caller) return refused(partnerProblems.unknownKey);
  if (caller.isSuspended) return refused(partnerProblems.suspended);
  const waitSeconds = counts ? await countCall(db, { caller, now: now() }) : null;
  if (waitSeconds !== null) return refused(tooMany("requests", waitSeconds));
  return { ok: true, caller, origin };
}
