import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../app-env.ts";
import type { AppParts } from "../app-parts.ts";
import { tenthsSince } from "../monitoring/logger.ts";
import { hasHungUp } from "./has-hung-up.ts";
import { routePattern } from "./route-pattern.ts";

/** Logs and measures each request once it is answered (P6). */
export function logRequests({
  logRequest,
  metrics,
}: Pick<AppParts, "logRequest" | "metrics">): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    const started = performance.now();
    await next();
    const route = routePattern(context.req.path);
    const status = hasHungUp(context) ? 499 : context.res.status;
    metrics.request(route, status, performance.now() - started);
    const visit = context.get("visit") as AppEnv["Variables"]["visit"] | undefined;
    logRequest({
      requestId: context.get("requestId"),
      method: context.req.method,
      route,
      status,
      ms: tenthsSince(started),
      brand: visit?.brand.slug,
      member: visit?.member?.id,
      operator: context.get("operatorId"),
    });
  };
}
