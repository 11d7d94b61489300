import { clickhouseSink, type ClickhouseSink } from "@farthing/providers/telemetry/clickhouse-sink.ts";
import type { Closing } from "../process/shutdown.ts";

/** Opens the copy of the events that is set up, if one is. */
export function openSink(clickhouseUrl: string | null, closing: Closing[]): ClickhouseSink | null {
  if (clickhouseUrl === null) return null;
  const sink = clickhouseSink({ url: clickhouseUrl });
  closing.push({ name: "ClickHouse", close: () => sink.close() });
  return sink;
}
