import { createHash } from "node:crypto";
import type { z } from "zod";
import { readCsvRecords } from "./csv-records.server.ts";
import { UnreadableFileError, type FileRecord } from "./file-record.ts";
import { readJsonRecords } from "./json-records.ts";
import type { ProblemList } from "./import-problem.ts";
import type { ImportSource } from "./import-source.server.ts";
import type { CsvReading, FeedFile } from "./provider.ts";

/** Reports the progress of a long import; `rows` is the number of records read so far. */
export type ImportProgress = (state: { source: string; stage: "reading" | "storing"; rows: number }) => void;

export interface ReadContext {
  source: ImportSource;
  problems: ProblemList;
  progress: ImportProgress;
  /** How a CSV file reads as these records; without it only JSON is accepted. */
  csv?: CsvReading | undefined;
  /** Reads a format of the network's own, whatever the file's name is. */
  read?: FeedFile<unknown>["read"] | undefined;
}

export interface RecordPlace {
  line: number;
  index: number;
}

/** How one list of a file is read. */
export interface ListReader<Schema extends z.ZodType> {
  schema: Schema;
  /** Returns the network's own id, for messages, even of a record that is otherwise wrong. */
  idOf(value: unknown): string | null;
  store(record: z.infer<Schema>, place: RecordPlace): Promise<void>;
}

const ROWS_PER_REPORT = 500;

/**
 * Checks every record of a source against its schema: invalid records are added to `problems`, with their line, and valid ones passed to `store`.
 * @param lists by name of the list; "" is a root list. A list of another name is a problem; other keys are ignored.
 * @returns the number of records, and the SHA-256 of the bytes.
 */
export async function readRecords<Schemas extends Record<string, z.ZodType>>(
  context: ReadContext,
  lists: { readonly [Name in keyof Schemas]: ListReader<Schemas[Name]> },
): Promise<{ rows: number; hash: string }> {
  const { source, problems, progress } = context;
  const hash = createHash("sha256");
  const seen = new Map<string, number>();
  let rows = 0;
  let recordsInLists = 0;
  try {
    for await (const record of recordsOf(context, hashed(source, hash))) {
      const reader = Object.hasOwn(lists, record.list) ? lists[record.list] : undefined;
      if (record.index === null) continue;
      if (reader === undefined) {
        if (record.index === 0) unknownList(context, record.list, record.line, Object.keys(lists));
        continue;
      }
      recordsInLists += 1;
      rows += 1;
      if (rows % ROWS_PER_REPORT === 0) progress({ source: source.name, stage: "reading", rows });
      const place = { line: record.line, index: record.index };
      const id = reader.idOf(record.value);
      if (id !== null) {
        const key = `${record.list}/${id}`;
        const earlier = seen.get(key);
        if (earlier === undefined) seen.set(key, record.line);
        else {
          problems.add({
            source: source.name,
            ...place,
            id,
            field: "",
            message: `this id is already on line ${earlier}; remove one of the two`,
          });
          continue;
        }
      }
      const parsed = reader.schema.safeParse(record.value);
      if (parsed.success) await reader.store(parsed.data, place);
      else reportIssues(context, parsed.error, record.value, place, id);
    }
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    problems.add({ source: source.name, line: error.line, index: null, id: null, field: "", message: error.message });
  }
  if (recordsInLists === 0 && problems.count === 0) {
    problems.add({
      source: source.name,
      line: null,
      index: null,
      id: null,
      field: "",
      message: "The file contains no records. An empty list would change nothing; check that it is the right file.",
    });
  }
  progress({ source: source.name, stage: "storing", rows });
  return { rows, hash: hash.digest("hex") };
}

/** Reads the file in the network's own format, if it has one; otherwise by its name: .csv as CSV, anything else as JSON. */
function recordsOf({ source, csv, read }: ReadContext, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FileRecord> {
  if (read !== undefined) return read(chunks);
  if (!isCsv(source)) return readJsonRecords(chunks);
  if (csv === undefined)
    throw new UnreadableFileError("Only promotions can be imported from CSV. Export this file as JSON.", null);
  return readCsvRecords(chunks, csv);
}

function isCsv(source: ImportSource): boolean {
  return /\.csv$/i.test(source.name);
}

async function* hashed(source: ImportSource, hash: ReturnType<typeof createHash>): AsyncGenerator<Uint8Array> {
  for await (const chunk of source.open()) {
    hash.update(chunk);
    yield chunk;
  }
}

function unknownList(context: ReadContext, list: string, line: number, known: string[]): void {
  const wanted = known.map((name) => (name === "" ? "a list at the root" : `"${name}"`)).join(", ");
  const found = list === "" ? "a list at the root" : `a list named "${list}"`;
  context.problems.add({
    source: context.source.name,
    line,
    index: null,
    id: null,
    field: list,
    message: `found ${found} where ${wanted} is expected. Check that this is the right kind of file.`,
  });
}

function reportIssues(
  context: ReadContext,
  error: z.ZodError,
  value: unknown,
  place: RecordPlace,
  id: string | null,
): void {
  for (const issue of error.issues) {
    const missing =
      (issue.code === "invalid_type" || issue.code === "invalid_union" || issue.code === "invalid_value") &&
      valueAt(value, issue.path) === undefined;
    const field = issue.path.join(".");
    const message = missing ? "is missing" : ofFile(context, field, issueMessage(issue));
    context.problems.add({
      source: context.source.name,
      ...place,
      id,
      field: fieldName(context, field),
      message,
    });
  }
}

function fieldName({ source, csv }: ReadContext, field: string): string {
  return csv !== undefined && isCsv(source) ? csv.columnOf(field) : field;
}

/** Returns a schema's message in terms of the file that the person has. */
function ofFile({ source, csv }: ReadContext, field: string, message: string): string {
  return (isCsv(source) ? csv?.mustBe?.(field, message) : null) ?? message;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null) return null;
    at = (at as Record<PropertyKey, unknown>)[key];
  }
  return at;
}

function issueMessage(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") return `has unknown keys (${issue.keys.join(", ")}); check their spelling`;
  return issue.message.replace(/^Invalid input: /, "").replace(/^expected/, "must be");
}

/** Returns the network's own id at `path` ("id", "campaign.campaign_id") as text, or null where the record has none that can be shown. */
export function recordId(value: unknown, path: string): string | null {
  const id = path
    .split(".")
    .reduce<unknown>(
      (at, key) => (typeof at === "object" && at !== null ? (at as Record<string, unknown>)[key] : undefined),
      value,
    );
  return typeof id === "number" || (typeof id === "string" && id !== "" && id.length <= 40) ? String(id) : null;
}
