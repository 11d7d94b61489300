import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../app-env.ts";
import { methodNotAllowed } from "./problems.ts";
import { isReadOnly } from "./read-only-paths.ts";
import type { Refuse } from "./refuse.ts";

/** Refuses other methods than GET, HEAD and, outside the read-only paths, POST with 405. */
export function allowMethods(refuse: Refuse): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    const allowed = isReadOnly(context.req.path) ? ["GET", "HEAD"] : ["GET", "HEAD", "POST"];
    return allowed.includes(context.req.method) ? next() : refuse(context, methodNotAllowed(allowed.join(", ")));
  };
}
