import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../app-env.ts";
import { methodNotAllowed } from "./problems.ts";
import { isReadOnly } from "./read-only-paths.ts";
import type { Refuse } from "./refuse.ts";

/** Addresses that refuse other methods themselves, each naming those that it answers. */
const REFUSE_THEMSELVES = /^\/api\/(partner|payments|portal)(\/|$)/;

/** Refuses other methods than GET, HEAD and, outside the read-only paths, POST with 405. */
export function allowMethods(refuse: Refuse): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    if (REFUSE_THEMSELVES.test(context.req.path)) return next();
    const allowed = isReadOnly(context.req.path) ? ["GET", "HEAD"] : ["GET", "HEAD", "POST"];
    return allowed.includes(context.req.method) ? next() : refuse(context, methodNotAllowed(allowed.join(", ")));
  };
}
