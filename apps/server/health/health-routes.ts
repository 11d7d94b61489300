import { createHash, timingSafeEqual } from "node:crypto";
import { Hono } from "hono";
import type { AppEnv } from "../app-env.ts";
import type { Metrics } from "../metrics.ts";
import { problemResponse } from "../problem.ts";
import type { Readiness } from "../readiness.ts";

export interface HealthOptions {
  readiness: Readiness;
  metrics: Metrics;
  metricsToken: string | null;
  /** Behind our own proxy every connection comes from this machine, so nearness proves nothing. */
  trustProxy: boolean;
}

/** /healthz (the process lives), /readyz (send requests here), /metrics (for this machine or the bearer of METRICS_TOKEN). */
export function healthRoutes({ readiness, metrics, metricsToken, trustProxy }: HealthOptions): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get("/healthz", (context) => context.json({ status: "live" }, 200, { "Cache-Control": "no-store" }))
    .get("/readyz", async (context) => {
      const { ready, checks } = await readiness.report();
      return context.json({ status: ready ? "ready" : "not ready", checks }, ready ? 200 : 503, {
        "Cache-Control": "no-store",
      });
    })
    .get("/metrics", async (context) => {
      const near = !trustProxy && isLoopback(context.env?.incoming?.socket.remoteAddress);
      if (!near && !hasToken(context.req.header("authorization"), metricsToken)) {
        return problemResponse({
          status: 401,
          title: "Unauthorized",
          detail: "Send METRICS_TOKEN as a bearer token.",
          headers: { "WWW-Authenticate": "Bearer" },
        });
      }
      return context.body(await metrics.registry.metrics(), 200, {
        "Content-Type": metrics.registry.contentType,
        "Cache-Control": "no-store",
      });
    });
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(::ffff:)?127\.|^::1$/.test(address);
}

function hasToken(authorization: string | undefined, token: string | null): boolean {
  if (token === null || authorization === undefined) return false;
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(authorization), digest(`Bearer ${token}`));
}
