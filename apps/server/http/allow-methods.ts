import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../app-env.ts";
import { methodNotAllowed } from "./problems.ts";
import type { Refuse } from "./refuse.ts";

const READ_ONLY = /^\/(assets|art|brand|widget|healthz|readyz|metrics)(\/|$)/;

/** Returns whether a path is one of the server's own that only answers GET and HEAD. */
export function isReadOnly(path: string): boolean {
  return READ_ONLY.test(path);
}

/** Refuses other methods than GET, HEAD and, outside the read-only paths, POST with 405. */
export function allowMethods(refuse: Refuse): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    const allowed = isReadOnly(context.req.path) ? ["GET", "HEAD"] : ["GET", "HEAD", "POST"];
    return allowed.includes(context.req.method) ? next() : refuse(context, methodNotAllowed(allowed.join(", ")));
  };
}
