import { refuseOtherProtocols } from "@farthing/providers/refuse-other-protocols.ts";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TracerProvider,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace";
import type { Config } from "../env.ts";
import type { Logger } from "../monitoring/logger.ts";
import type { Closing } from "../process/shutdown.ts";
import { tellOfExports } from "./tell-of-exports.ts";
import { openSpans } from "./open-spans.ts";
import type { Tracing } from "./tracing.ts";
import { traceJobs } from "./trace-jobs.ts";
import { traceOutgoing } from "./trace-outgoing.ts";
import { traceQueries } from "./trace-queries.ts";
import { MAX_QUERY_LENGTH } from "./query-words.ts";
import { traceRequests } from "./trace-requests.ts";

const EXPORT_EVERY_MS = 1_000;
/** Shorter than the time that a shutdown has. */
const EXPORT_TIMEOUT_MS = 3_000;

export interface TracingParts {
  tracing: NonNullable<Config["tracing"]>;
  config: Pick<Config, "trustProxy" | "environment">;
  logger: Pick<Logger, "info" | "warn">;
  closing: Closing[];
}

/** Sends spans to the collector by OTLP over HTTP, and listens where spans begin. */
export function startTracing({ tracing, config, logger, closing }: TracingParts): Tracing {
  refuseOtherProtocols();
  const ratio = new TraceIdRatioBasedSampler(tracing.ratio);
  const exporter = new OTLPTraceExporter({
    url: `${tracing.endpoint.replace(/\/$/, "")}/v1/traces`,
    headers: { ...tracing.headers },
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": "farthing",
      "deployment.environment.name": config.environment,
    }),
    // Whoever calls us may leave a request out, but does not decide that more of them are traced.
    sampler: new ParentBasedSampler({
      root: ratio,
      remoteParentSampled: ratio,
      remoteParentNotSampled: new AlwaysOffSampler(),
    }),
    spanLimits: { attributeValueLengthLimit: MAX_QUERY_LENGTH },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: tellOfExports(exporter, logger),
        scheduledDelayMillis: EXPORT_EVERY_MS,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  });
  const spans = openSpans(provider.getTracer("farthing"));
  const stops = [traceQueries(spans), traceJobs(spans), traceOutgoing(spans, new URL(tracing.endpoint).host)];
  closing.push({
    name: "tracing",
    async close() {
      for (const stop of stops) stop();
      await provider.shutdown();
    },
  });
  return traceRequests(spans, config);
}
