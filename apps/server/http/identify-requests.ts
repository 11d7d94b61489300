import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../app-env.ts";
import { requestIdOf } from "./request-id.ts";
import { clientAddress, incomingOf, type OriginOptions } from "./request-origin.ts";

/** Assigns each request its id and the visitor's network address, and sends the id back in X-Request-Id (P6). */
export function identifyRequests({ trustProxy }: Pick<OriginOptions, "trustProxy">): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    const incoming = incomingOf(context);
    const requestId = requestIdOf(incoming, trustProxy);
    context.set("requestId", requestId);
    context.set("clientAddress", clientAddress(incoming, trustProxy));
    await next();
    // On the Response itself: context.header() would wrap the body's stream in another Response.
    context.res.headers.set("X-Request-Id", requestId);
  };
}
