import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { UnreadableFileError, type FileRecord } from "./file-record.ts";
import type { CsvReading } from "./provider.ts";

const MAX_ROW = 1_000_000;
const EXPORT_AGAIN = "Export it again as CSV in UTF-8";

/**
 * Reads a CSV file with a header, row by row. Each row is returned as the record that `reading` makes of it, with the line it starts on.
 * @throws UnreadableFileError for an empty file, a header without the columns needed, or a row that does not fit the header.
 */
export async function* readCsvRecords(
  chunks: AsyncIterable<Uint8Array>,
  reading: CsvReading,
): AsyncGenerator<FileRecord> {
  const parser = parse({
    bom: true,
    columns: checkedHeader(reading),
    info: true,
    // A file may have both: a header of one program above rows of another.
    record_delimiter: ["\r\n", "\n", "\r"],
    skip_empty_lines: true,
    // Spreadsheets leave rows of commas where rows were cleared.
    skip_records_with_empty_values: true,
    max_record_size: MAX_ROW,
  });
  // Not pipeline(): the loop below reads the parser to its end and must throw the error of either stream.
  const input = Readable.from(utf8(chunks));
  input.on("error", (error) => parser.destroy(error));
  input.pipe(parser);
  let index = 0;
  let lastLine = 1;
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: Record<string, string>;
      info: { lines: number };
    }>) {
      const lines = Object.values(record).join("").split("\n").length - 1;
      lastLine = info.lines;
      yield { list: "", index: index++, line: info.lines - lines, value: reading.toRecord(record) };
    }
  } catch (error) {
    if (error instanceof UnreadableFileError) throw error;
    if (!(error instanceof CsvError)) throw error;
    const { lines } = error as { lines?: unknown };
    const line = typeof lines === "number" ? lines : lastLine + 1;
    throw new UnreadableFileError(`This row can't be read: ${whyUnreadable(error)}. ${EXPORT_AGAIN}.`, line);
  }
  if (index === 0 && parser.info.bytes === 0)
    throw new UnreadableFileError(`The file is empty (0 bytes). ${EXPORT_AGAIN}.`, null);
}

/** Returns what is wrong with a row, in words for the person who has the file. */
function whyUnreadable(error: CsvError): string {
  const { code, record, columns } = error as { code: string; record?: unknown; columns?: unknown };
  if (code === "CSV_RECORD_INCONSISTENT_COLUMNS" && Array.isArray(record) && Array.isArray(columns))
    return `it has ${record.length} ${record.length === 1 ? "cell" : "cells"}, and the header has ${columns.length}`;
  if (code === "CSV_MAX_RECORD_SIZE") return `it is longer than ${MAX_ROW} characters`;
  return "a quotation mark is not closed, or stands within a cell";
}

function checkedHeader(reading: CsvReading): (header: string[]) => string[] {
  return (header) => {
    const missing = reading.columns.filter((column) => !header.includes(column));
    if (missing.length > 0) {
      throw new UnreadableFileError(
        `The header lacks ${missing.map((column) => `"${column}"`).join(", ")}. Export all columns, with the header, separated by commas.`,
        1,
      );
    }
    const twice = reading.columns.find((column) => header.indexOf(column) !== header.lastIndexOf(column));
    if (twice !== undefined)
      throw new UnreadableFileError(`The header has the column "${twice}" twice. Remove one of the two.`, 1);
    return header;
  };
}

/** Decodes the bytes and refuses any that are not UTF-8: the parser would replace them with question marks. */
async function* utf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UnreadableFileError("The file is not UTF-8 text. Save it as CSV in UTF-8 and try again.", null);
  }
}
