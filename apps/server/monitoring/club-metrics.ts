import { findQueueStates, type QueueState } from "@farthing/core/background-work/overview.server.ts";
import { findLastCheck } from "@farthing/core/books/check-books.server.ts";
import { findFloats, type IssuerFloat } from "@farthing/core/gift-cards/floats.server.ts";
import { type FoundNeed, findNeeds } from "@farthing/core/needs/find-needs.server.ts";
import { countPoolAlarms } from "@farthing/core/reveals/pool-alarms.server.ts";
import { type Archiver, isArchivingFailing, readArchiver } from "@farthing/db/backups/archiver.ts";
import type { Db } from "@farthing/db/client.ts";
import { Gauge, type Registry } from "prom-client";
import { within } from "./within.ts";

/** What the database knows of the club at one moment. */
interface ClubState {
  queues: QueueState[];
  needs: FoundNeed[];
  pools: { low: number; empty: number };
  floats: IssuerFloat[];
  booksCheckedAt: Date | null;
  archiver: Archiver;
}

export interface ClubMetricsOptions {
  now: () => Date;
  /** Returns when the last base backup was begun, where base backups are ours; null: there is none. */
  backedUpAt?: (() => Date | null) | undefined;
  /** How long the figures are kept, in ms: they cost some sixty small statements. */
  keptMs?: number;
  /** A database that does not answer for so long counts as away, in ms. */
  timeoutMs?: number;
}

/**
 * Adds what the database knows of the club to the metrics (P6): background work, what waits for a person, pools of codes and the
 * last check of the books, and backups. Every process reports the same, so that alerts take the maximum over processes.
 *
 * While the database is away, `farthing_database_up` is 0 and the other figures are absent: an old figure would hide an outage.
 */
export function watchClub(registry: Registry, db: Db, options: ClubMetricsOptions): void {
  const read = readInTurn(db, options);
  const gauge = (name: string, help: string, labelNames: string[], set: (gauge: Gauge, state: ClubState) => void) =>
    void new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        this.reset();
        const state = await read();
        if (state) set(this, state);
        // A gauge without labels is 0 after a reset, which would be a figure.
        else if (labelNames.length === 0) this.remove();
      },
    });
  // In seconds, up to the moment of asking; 0 where nothing waits.
  const since = (moment: Date | null) =>
    moment === null ? 0 : Math.max(0, (options.now().getTime() - moment.getTime()) / 1000);

  void new Gauge({
    name: "farthing_database_up",
    help: "Whether the database answered with what the other figures of the club need: 1 or 0",
    registers: [registry],
    async collect() {
      this.set((await read()) ? 1 : 0);
    },
  });
  gauge(
    "farthing_background_work",
    "Pieces of background work by queue and state: due, failing, given_up; counted up to 1,000",
    ["queue", "state"],
    (work, { queues }) => {
      for (const { name, due, failing, givenUp } of queues) {
        work.set({ queue: name, state: "due" }, due);
        work.set({ queue: name, state: "failing" }, failing);
        work.set({ queue: name, state: "given_up" }, givenUp);
      }
    },
  );
  gauge(
    "farthing_background_work_late_seconds",
    "For how long the oldest piece of work of a queue has been due",
    ["queue"],
    (late, { queues }) => {
      for (const { name, nextDue } of queues) late.set({ queue: name }, since(nextDue));
    },
  );
  gauge("farthing_needs", "What waits for a person, as on the admin's home page", ["need"], (waiting, { needs }) => {
    for (const { key, count } of needs) waiting.set({ need: key }, count);
  });
  gauge(
    "farthing_need_oldest_seconds",
    "For how long the first of what waits for a person has waited",
    ["need"],
    (oldest, { needs }) => {
      for (const { key, count, oldestAt } of needs) oldest.set({ need: key }, count === 0 ? 0 : since(oldestAt));
    },
  );
  gauge(
    "farthing_code_pools",
    "Pools of codes of which less than the threshold is free (low), or none (empty)",
    ["level"],
    (pools, { pools: { low, empty } }) => {
      pools.set({ level: "low" }, low);
      pools.set({ level: "empty" }, empty);
    },
  );
  gauge(
    "farthing_issuer_float_pence",
    "What is left of the club's money with an issuer of gift cards, in pence, as the issuer said last",
    ["issuer"],
    (left, { floats }) => {
      for (const { issuer, pence } of floats) left.set({ issuer }, pence);
    },
  );
  gauge(
    "farthing_issuer_float_read_timestamp_seconds",
    "When an issuer of gift cards said last what is left, as a Unix time",
    ["issuer"],
    (read, { floats }) => {
      for (const { issuer, readAt } of floats) read.set({ issuer }, unixTime(readAt));
    },
  );
  gauge(
    "farthing_books_checked_timestamp_seconds",
    "When the books were last checked, as a Unix time; 0: never",
    [],
    (checked, { booksCheckedAt }) => checked.set(unixTime(booksCheckedAt)),
  );
  gauge(
    "farthing_log_archive_failing",
    "Whether the last file of the database's write-ahead log could not be archived: 1 or 0",
    [],
    (failing, { archiver }) => failing.set(isArchivingFailing(archiver) ? 1 : 0),
  );
  gauge(
    "farthing_log_archived_timestamp_seconds",
    "When the database's write-ahead log was last archived, as a Unix time; 0: never",
    [],
    (archived, { archiver }) => archived.set(unixTime(archiver.archivedAt)),
  );
  const { backedUpAt } = options;
  if (backedUpAt)
    gauge(
      "farthing_base_backup_timestamp_seconds",
      "When the last base backup of the embedded database was begun, as a Unix time; 0: there is none",
      [],
      (backedUp) => backedUp.set(unixTime(backedUpAt())),
    );
}

function unixTime(moment: Date | null): number {
  return moment === null ? 0 : moment.getTime() / 1000;
}

/** Returns a function that reads the club's state, once for all who ask meanwhile; null while the database is away. */
function readInTurn(db: Db, { now, keptMs = 5_000, timeoutMs = 2_000 }: ClubMetricsOptions) {
  let asked: Promise<ClubState | null> | null = null;
  let askedAt = -Infinity;
  return (): Promise<ClubState | null> => {
    if (asked && performance.now() - askedAt < keptMs) return asked;
    askedAt = performance.now();
    asked = within(timeoutMs, readState(db, now()));
    return asked;
  };
}

async function readState(db: Db, now: Date): Promise<ClubState> {
  const [queues, needs, pools, floats, last, archiver] = await Promise.all([
    findQueueStates(db, { now }),
    findNeeds(db, { role: "owner", now }),
    countPoolAlarms(db),
    findFloats(db),
    findLastCheck(db),
    readArchiver(db),
  ]);
  return { queues, needs, pools, floats, booksCheckedAt: last?.checkedAt ?? null, archiver };
}
