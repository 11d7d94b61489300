import { ExportResultCode } from "@opentelemetry/core";
import type { SpanExporter } from "@opentelemetry/sdk-trace";
import type { Logger } from "../monitoring/logger.ts";

/** Logs when spans begin to get lost, and when they arrive again, not each time in between. */
export function tellOfExports(exporter: SpanExporter, logger: Pick<Logger, "info" | "warn">): SpanExporter {
  let isLosing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const isLost = result.code !== ExportResultCode.SUCCESS;
        if (isLost && !isLosing) logger.warn("the collector does not take traces: they are lost until it does");
        if (!isLost && isLosing) logger.info("the collector takes traces again");
        isLosing = isLost;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
