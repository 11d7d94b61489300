import type { RequestListener } from "node:http";
import type { LogRequest } from "../monitoring/logger.ts";

/** Where the parts of a request that are not on a channel meet tracing. */
export interface Tracing {
  /** Runs the listener for each request inside a span. */
  around(listener: RequestListener): RequestListener;
  /** Names the span of the request in hand by its line in the log, and gives the line the trace's id. */
  named(logRequest: LogRequest): LogRequest;
}
