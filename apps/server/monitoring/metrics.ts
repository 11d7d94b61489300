import type { LogInResult } from "@farthing/site/server/account-services.ts";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

export interface PoolLike {
  totalCount: number;
  idleCount: number;
  waitingCount: number;
}

export interface Metrics {
  /** Counts a finished request: pattern of its path, status, and duration in milliseconds. */
  request(route: string, status: number, milliseconds: number): void;
  pageCache(outcome: "hit" | "miss" | "bypass"): void;
  /**
   * Counts a page that was not rendered for a visitor without a session: too many from one address, or too
   * many waiting.
   */
  pageRefused(reason: "address" | "queue"): void;
  /** Counts a committed click and its duration in milliseconds. */
  click(milliseconds: number): void;
  logIn(outcome: LogInResult["outcome"]): void;
  /** Counts telemetry events by what became of them. */
  telemetry(outcome: "stored" | "refused" | "busy", events: number): void;
  /** Adds the memory used by cached pages. */
  watchCachedBytes(read: () => number): void;
  /** Adds whether reads that may be old go to the standby. */
  watchStandby(isRead: () => boolean): void;
  registry: Registry;
}

/** Opens the metrics for Prometheus (P6). Other parts may register their own on `registry`. */
export function openMetrics({ pool }: { pool?: PoolLike } = {}): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: "farthing_" });
  const seconds = new Histogram({
    name: "farthing_http_request_seconds",
    help: "Time from a request's arrival to its answer",
    labelNames: ["route", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  });
  const cache = new Counter({
    name: "farthing_page_cache_total",
    help: "Requests for pages by what the cache had",
    labelNames: ["outcome"],
    registers: [registry],
  });
  const refused = new Counter({
    name: "farthing_pages_refused_total",
    help: "Pages not rendered for visitors without a session, by reason: address (429) or queue (503)",
    labelNames: ["reason"],
    registers: [registry],
  });
  const clicks = new Histogram({
    name: "farthing_click_commit_seconds",
    help: "Time from asking for a click to be recorded to its commit",
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.015, 0.025, 0.05, 0.1, 0.5],
    registers: [registry],
  });
  const logins = new Counter({
    name: "farthing_logins_total",
    help: "Tries to log in by outcome",
    labelNames: ["outcome"],
    registers: [registry],
  });
  const events = new Counter({
    name: "farthing_telemetry_events_total",
    help: "Telemetry events by what became of them: stored, refused as not valid, or busy (503)",
    labelNames: ["outcome"],
    registers: [registry],
  });
  if (pool) {
    gauge(registry, "farthing_database_connections", "Open connections to the database", () => pool.totalCount);
    gauge(registry, "farthing_database_connections_idle", "Open connections that are idle", () => pool.idleCount);
    gauge(registry, "farthing_database_waiting", "Queries waiting for a connection", () => pool.waitingCount);
  }

  // Finding a combination of labels costs more than observing it, so each is kept.
  const observers = new Map<string, Map<number, { observe(value: number): void }>>();
  const outcomes = { hit: cache.labels("hit"), miss: cache.labels("miss"), bypass: cache.labels("bypass") };
  return {
    registry,
    request(route, status, milliseconds) {
      let byStatus = observers.get(route);
      if (!byStatus) observers.set(route, (byStatus = new Map()));
      let observer = byStatus.get(status);
      if (!observer) byStatus.set(status, (observer = seconds.labels(route, String(status))));
      observer.observe(milliseconds / 1000);
    },
    watchCachedBytes: (read) => gauge(registry, "farthing_page_cache_bytes", "Memory taken by cached pages", read),
    watchStandby: (isRead) =>
      gauge(registry, "farthing_standby_read", "Whether reads that may be old go to the standby: 1 or 0", () =>
        isRead() ? 1 : 0,
      ),
    pageCache: (outcome) => outcomes[outcome].inc(),
    pageRefused: (reason) => refused.labels(reason).inc(),
    click: (milliseconds) => clicks.observe(milliseconds / 1000),
    logIn: (outcome) => logins.labels(outcome).inc(),
    telemetry: (outcome, count) => events.labels(outcome).inc(count),
  };
}

function gauge(registry: Registry, name: string, help: string, read: () => number): void {
  const created = new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      created.set(read());
    },
  });
}
