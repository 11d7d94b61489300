import type { EventType } from "./rules.ts";

/** Days in London, both included, as `2026-11-25`; one brand, or all. */
export interface ReportRange {
  brandId: string | null;
  from: string;
  to: string;
}

export interface DayCount {
  brandId: string;
  day: string;
  eventType: EventType;
  events: number;
}

export interface OfferCount {
  brandId: string;
  /** The offer's public id. */
  offer: string;
  views: number;
  redemptions: number;
}

export interface TermCount {
  brandId: string;
  /** In lower case. */
  term: string;
  searches: number;
}

/**
 * The one interface through which reports read telemetry (T7), wherever it is: sums in PostgreSQL, its rows, or a copy in ClickHouse. All count the same;
 * `telemetry-reader-contract.testing.ts` holds each to it.
 */
export interface TelemetryReader {
  /** What reports say they were read from. */
  readonly name: string;
  countByDay(range: ReportRange): Promise<DayCount[]>;
  /** Offers that the catalogue knows or not, the most viewed first. `offers`: only these public ids. */
  countByOffer(range: ReportRange, which: { max: number; offers?: readonly string[] }): Promise<OfferCount[]>;
  /** The most searched first. `terms`: only these, in lower case. */
  countByTerm(range: ReportRange, which: { max: number; terms?: readonly string[] }): Promise<TermCount[]>;
}
