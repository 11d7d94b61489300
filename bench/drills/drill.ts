import type { ProgramName } from "./programs.ts";

/** What a drill found, from its first fault to its end. */
export interface Figures {
  requests: number;
  /** Requests that got no answer, or one of 400 and above. */
  failed: number;
  /** What was acknowledged and is not in the database. */
  lost: number;
  /** What is in the database more than once. */
  doubled: number;
  /** The longest time without a good answer, in seconds. */
  outageSeconds: number;
  /** Anything else that must not be, one sentence each. */
  faults: string[];
  /** What a person may want to know, one sentence each. */
  notes: string[];
}

/** What a drill must reach. Nothing may be lost or doubled in any. */
export interface Mark {
  /** The maximum of failed requests; without it they may fail, because what serves them is broken. */
  failed?: number;
  /** The maximum of seconds without a good answer. */
  outageSeconds?: number;
}

export interface DrillParts {
  /** A folder of the drill's own, which every account may enter. */
  folder: string;
  /** The first of twenty ports that the drill may use. */
  port: number;
  /** Connections of the load, each with one request at a time. */
  connections: number;
  /** Less of everything, to try the drill itself. */
  isSmall: boolean;
  /** For the drill of an upgrade: the revision to upgrade from. */
  from: string | undefined;
  /** Receives progress. */
  tell(line: string): void;
}

export interface Drill {
  name: string;
  /** What is broken, in a few words. */
  what: string;
  needs: readonly ProgramName[];
  mark: Mark;
  run(parts: DrillParts): Promise<Figures>;
}

/** Returns the pass mark in words. */
export function describeMark({ failed, outageSeconds }: Mark): string {
  return [
    ...(failed === undefined ? [] : [`${failed} failed`]),
    "0 lost",
    "0 doubled",
    ...(outageSeconds === undefined ? [] : [`at most ${outageSeconds} s without an answer`]),
  ].join(", ");
}

/** Returns what missed the mark, one sentence each; empty: the drill is passed. */
export function missesOf(figures: Figures, { failed = Infinity, outageSeconds = Infinity }: Mark): string[] {
  return [
    ...(figures.requests === 0 ? ["Nothing was requested."] : []),
    ...(figures.failed > failed ? [`${figures.failed} requests failed.`] : []),
    ...(figures.lost > 0 ? [`${figures.lost} lost.`] : []),
    ...(figures.doubled > 0 ? [`${figures.doubled} doubled.`] : []),
    ...(figures.outageSeconds > outageSeconds ? [`${figures.outageSeconds} s without an answer.`] : []),
    ...figures.faults,
  ];
}

/** Returns the figures as one line. */
export function describeFigures({ requests, failed, lost, doubled, outageSeconds }: Figures): string {
  return `requests ${requests}, failed ${failed}, lost ${lost}, doubled ${doubled}, outage ${outageSeconds} s`;
}
