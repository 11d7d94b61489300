import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../app-env.ts";
import { isSentWith, LOCKED_DOWN_POLICY, securityHeaders, type HstsSettings } from "./security-headers.ts";

/** Adds the security headers that the answer does not have yet (S1). */
export function addSecurityHeaders(settings: HstsSettings): MiddlewareHandler<AppEnv> {
  const always = Object.entries(securityHeaders(settings));
  return async (context, next) => {
    await next();
    // On the Response itself: context.header() would wrap the body's stream in another Response for each.
    const { headers } = context.res;
    const type = headers.get("content-type");
    const isFramed = /frame-ancestors (?!'none')/.test(headers.get("content-security-policy") ?? "");
    for (const [name, value] of always) {
      if (!isSentWith(name, type)) continue;
      // X-Frame-Options can't name an origin: where the policy does, it would only deny.
      if (!headers.has(name) && !(isFramed && name === "X-Frame-Options")) headers.set(name, value);
    }
    if (!headers.has("content-security-policy") && isSentWith("Content-Security-Policy", type))
      headers.set("Content-Security-Policy", LOCKED_DOWN_POLICY);
  };
}
