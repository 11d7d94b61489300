import type { EventType } from "./rules.ts";

/** An event as copies get it. Times are milliseconds since 1970. */
export interface StoredEvent {
  id: string;
  /** The UTC day. */
  receivedOn: string;
  receivedAt: number;
  /** The day in London, which reports count by. */
  day: string;
  brandId: string;
  eventType: EventType;
  userId: string | null;
  sessionId: string;
  affinityId: string;
  subject: string;
  pageLoadedAt: number | null;
  /** JSON, or null. */
  extraFields: string | null;
}

export interface ExportBatch {
  /** The same for the same batch, whoever sends it and however often. */
  number: number;
  events: readonly StoredEvent[];
}

/** Another database that events are copied to. PostgreSQL stays the first: an event is acknowledged when it is there. */
export interface TelemetrySink {
  /** A word of small letters: its row in `telemetry_exports`. */
  readonly name: string;
  /** Makes the tables, unless they exist. */
  open(): Promise<void>;
  /** Writes a batch that may have arrived before, in whole or in part. Afterwards each of its events is there once. */
  write(batch: ExportBatch): Promise<void>;
  /** Deletes the events of these pseudonyms. */
  erase(userIds: readonly string[]): Promise<void>;
  /** Drops the events of UTC days before `before`. */
  dropBefore(before: string): Promise<void>;
}
