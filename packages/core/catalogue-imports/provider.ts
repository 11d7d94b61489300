/**
 * What an import needs from a network's adapter: how the network's files read as core's own records (feed.ts). An adapter holds data and pure
 * functions; it opens no file and touches no database. docs/adding-a-network.md shows how to write one.
 */
import type { z } from "zod";
import type { FeedProgramme, FeedPromotion } from "./feed.ts";
import type { FileRecord } from "./file-record.ts";

export interface FeedAdapter {
  /** The IANA time zone of dates that the network writes without an offset, for example "Europe/London". */
  timeZone: string;
  programmes: FeedFile<FeedProgramme>;
  promotions: FeedFile<FeedPromotion>;
}

/** One kind of file of a network. */
export interface FeedFile<FeedRecord> {
  /** The names under which a file may list its records: keys of JSON, elements of XML. "" is a list at the root. */
  lists: readonly string[];
  /**
   * Checks one record of the network and returns it as core's. Its issues name the network's fields and say what the value must be: they are
   * shown to the person who has the file. Fields that the network may add are let through unread.
   */
  schema: z.ZodType<FeedRecord>;
  /** The network's field that holds the record's id, as a path: messages name a record by it, even one that is otherwise wrong. */
  idField: string;
  /** The network's names, as paths, of the fields that core checks against the catalogue. */
  fieldNames: Readonly<Record<CheckedField<FeedRecord>, string>>;
  /** How the network's CSV export reads as its JSON records; without it the file must be JSON. */
  csv?: CsvReading;
  /**
   * Reads the file record by record, where the network's format is neither JSON nor CSV, for example XML.
   * @throws UnreadableFileError for a file that is not of the format.
   */
  read?(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FileRecord>;
}

type CheckedField<FeedRecord> = FeedRecord extends FeedPromotion
  ? "networkProgrammeId" | "startsAt" | "endsAt"
  : "commissionGroups";

/** A network's CSV export in terms of its JSON. */
export interface CsvReading {
  /** Columns that the header must have. */
  columns: readonly string[];
  /** Returns the JSON record that a row stands for. It validates nothing: the schema refuses wrong values. */
  toRecord(row: Record<string, string>): unknown;
  /** Returns the column that a field of the JSON record came from, for messages. */
  columnOf(field: string): string;
  /** Returns what a column must be, where the CSV file writes it otherwise than the JSON that the schema's message is about; null: as there. */
  mustBe?(field: string, message: string): string | null;
}
