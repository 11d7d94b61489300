import { setImmediate } from "node:timers/promises";
import { MAX_BATCH_LINES, MAX_EVENT_BYTES } from "@farthing/core/telemetry/rules.ts";
import { parseEvent, type FieldError, type TelemetryEvent } from "@farthing/core/telemetry/schema.ts";
import { parseJson } from "./parse-json.ts";

/** A line that is not stored, numbered from 1. */
export interface RefusedLine {
  line: number;
  /** What the line alone would be answered. */
  status: 400 | 413 | 422;
  errors: FieldError[];
}

export type ParsedBatch =
  /** `lines` has the number of each event's line. */
  | { ok: true; events: TelemetryEvent[]; lines: number[]; refused: RefusedLine[] }
  /** It has too many lines. */
  | { ok: false };

const NEW_LINE = 10;
/** Lines that are read at one go: some milliseconds. */
const LINES_AT_A_TIME = 250;

/**
 * Reads NDJSON, each line for itself: a bad line harms no other (T3). Empty lines are skipped, and the last one needs no line break. Others are
 * answered meanwhile.
 */
export async function parseBatch(bytes: Uint8Array): Promise<ParsedBatch> {
  const batch = {
    ok: true as const,
    events: [] as TelemetryEvent[],
    lines: [] as number[],
    refused: [] as RefusedLine[],
  };
  let line = 0;
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf(NEW_LINE, from);
    const until = end === -1 ? bytes.length : end;
    line += 1;
    if (line > MAX_BATCH_LINES) return { ok: false };
    if (line % LINES_AT_A_TIME === 0) await setImmediate();
    readLine(bytes.subarray(from, until), line, batch);
    from = until + 1;
  }
  return batch;
}

function readLine(bytes: Uint8Array, line: number, { events, lines, refused }: ParsedBatch & { ok: true }): void {
  if (isBlank(bytes)) return;
  if (bytes.length > MAX_EVENT_BYTES) return void refused.push({ line, status: 413, errors: [] });
  const json = parseJson(bytes);
  if (!json.ok) return void refused.push({ line, status: 400, errors: [] });
  const parsed = parseEvent(json.value);
  if (!parsed.ok) return void refused.push({ line, status: 422, errors: parsed.errors });
  events.push(parsed.event);
  lines.push(line);
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 32 || byte === 9 || byte === 13);
}
