import { Hono, type Context } from "hono";
import type { AppEnv } from "../app-env.ts";
import { limitBody } from "../http/fast/limit-body.ts";
import { incomingOf } from "../http/request-origin.ts";
import { BATCH_PATH, EVENT_PATH, type Collector } from "./collector.ts";

/**
 * The collector's addresses in the app (T3). The server answers nearly all of them before the app (http/fast/answer-events.ts); what comes here is written
 * in a form that it leaves to the app, such as an absolute address. The rules are the same: those of `collector`.
 */
export function telemetryRoutes(collector: Collector): Hono<AppEnv> {
  const at = (path: typeof EVENT_PATH | typeof BATCH_PATH) => async (context: Context<AppEnv>) => {
    const { status, headers, body } = await collector.answer({
      ...incomingOf(context),
      path,
      method: context.req.method,
      brand: context.req.query("brand"),
      clientAddress: context.get("clientAddress"),
      readBody: (maxBytes) => readBody(context, maxBytes),
    });
    return new Response(body === "" ? null : body, { status, headers });
  };
  return new Hono<AppEnv>().all("/api/Telemetry", at(EVENT_PATH)).all("/api/Telemetry/batch", at(BATCH_PATH));
}

async function readBody(context: Context<AppEnv>, maxBytes: number): Promise<Uint8Array | null> {
  const limited = await limitBody(context.req.raw, maxBytes);
  return limited === null ? null : new Uint8Array(await limited.arrayBuffer());
}
