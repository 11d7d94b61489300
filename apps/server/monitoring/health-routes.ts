import { isSameSecret } from "@farthing/core/secrets/secret-token.ts";
import { Hono } from "hono";
import type { AppEnv } from "../app-env.ts";
import type { Config } from "../env.ts";
import type { Metrics } from "./metrics.ts";
import { problemResponse } from "../http/problem.ts";
import type { Readiness } from "./readiness.ts";
import { incomingOf, type Incoming } from "../http/request-origin.ts";
import { TrustedNetworks } from "../http/trusted-networks.ts";

export interface HealthOptions {
  readiness: Readiness;
  metrics: Metrics;
  metricsToken: string | null;
  /** In development, clients on this machine read the metrics without the token. */
  environment?: Config["environment"];
}

/**
 * /healthz (the process is alive), /readyz (send requests here), /metrics (with METRICS_TOKEN as bearer; in
 * development also from this machine). Elsewhere a connection from this machine proves nothing: a proxy on it makes one
 * for every visitor.
 */
export function healthRoutes({ readiness, metrics, metricsToken, environment }: HealthOptions): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get("/healthz", (context) => context.json({ status: "live" }, 200, { "Cache-Control": "no-store" }))
    .get("/readyz", async (context) => {
      const { ready, ...report } = await readiness.report();
      return context.json({ status: ready ? "ready" : "not ready", ...report }, ready ? 200 : 503, {
        "Cache-Control": "no-store",
      });
    })
    .get("/metrics", async (context) => {
      const isNear = environment === "dev" && isFromThisMachine(incomingOf(context));
      if (!isNear && !hasToken(context.req.header("authorization"), metricsToken)) {
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

const thisMachine = new TrustedNetworks("loopback");

/** Headers that proxies and tunnels add: a request with one of them comes from another machine. */
const forwardingHeaders = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via"];

function isFromThisMachine({ header, peer }: Incoming): boolean {
  return thisMachine.includes(peer) && forwardingHeaders.every((name) => header(name) === undefined);
}

function hasToken(authorization: string | undefined, token: string | null): boolean {
  if (token === null || authorization === undefined) return false;
  return isSameSecret(authorization, `Bearer ${token}`);
}
