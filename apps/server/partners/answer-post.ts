import type { ApiCaller } from "@farthing/core/partners/find-api-key.server.ts";
import type { Db } from "@farthing/db/client.ts";
import type { Context } from "hono";
import type { z } from "zod";
import type { AppEnv } from "../app-env.ts";
import { problemResponse } from "../http/problem.ts";
import { readOptionalJson } from "../http/read-json.ts";
import { idempotent, type Answer, type IdempotentRequest } from "./idempotent.ts";
import { partnerCaller, type CallerServices } from "./partner-caller.ts";

const MAX_BYTES = 8 * 1024;

interface Post<T extends object> extends Pick<IdempotentRequest, "isOneTransaction" | "complete"> {
  schema: z.ZodType<T>;
  /** Safe to repeat, or one transaction. Its changes go through `db`. */
  run(caller: ApiCaller, db: Db, body: T): Promise<Answer>;
}

/** Answers a partner's POST whose body may be empty, which is then {}, and which needs no Idempotency-Key but takes one (W10). */
export async function answerPost<T extends object>(
  context: Context<AppEnv>,
  services: CallerServices,
  { schema, run, ...handler }: Post<T>,
): Promise<Response> {
  const { db, now } = services;
  const called = await partnerCaller(context, services, { counts: true });
  if (!called.ok) return problemResponse(called.problem);
  const { caller } = called;
  const request = context.req.raw;
  const body = await readOptionalJson(request, schema, MAX_BYTES);
  if (!body.ok) return problemResponse(body.problem);
  const { value } = body;
  return idempotent({
    ...{ db, caller, request, value, now },
    isKeyRequired: false,
    run: async (_, store) => run(caller, store, value),
    ...handler,
  });
}
