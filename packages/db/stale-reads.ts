import pg from "pg";
import { sql } from "kysely";
import { openDatabase, type Db } from "./client.ts";
import { DatabaseUnavailableError } from "./unavailable.ts";

/**
 * Reads what may be some seconds old, from a standby where there is one (R3). Never use it for what the same person may just have
 * changed. `read` may be called twice, so it only reads.
 */
export type StaleReads = <T>(read: (db: Db) => Promise<T>) => Promise<T>;

/** `fresh`: reads go to it. `late` and `away`: they go to the primary. */
export type StandbyState = "fresh" | "late" | "away";

export interface Standby {
  readStale: StaleReads;
  readonly state: StandbyState;
  /**
   * Finds out how far the standby is behind, and whether it answers. Call it every few seconds; until the first call, reads go to the primary.
   * @throws Error where the primary does not answer.
   */
  look(): Promise<void>;
  close(): Promise<void>;
}

export interface StandbyOptions {
  url: string;
  primary: Db;
  /** The maximum number of connections to it. */
  max: number;
  /** How far behind it may be, in milliseconds. Reads go to the primary, too, when no look has succeeded for as long. */
  maxLagMs?: number;
  /** How long a read waits for the standby's answer before the primary is asked. */
  answerTimeoutMs?: number;
  /** Called at the first look and whenever its state has changed, with the reason in words. */
  onState?(state: StandbyState, why: string): void;
  /** Monotonic, in milliseconds. */
  clock?: () => number;
  /** Returns the last of these positions of the write-ahead log that the standby has replayed; null: none of them. */
  findReplayed?(standby: Db, positions: readonly string[]): Promise<string | null>;
}

const MAX_LAG_MS = 10_000;
/** How many positions of the primary are remembered while the standby is behind: minutes of looks. */
const MAX_POSITIONS = 100;
/** A statement that waits for a connection to a standby that is gone. */
const ACQUIRE_MS = 2_000;
/** The longest report takes some seconds; a standby whose machine is gone answers nothing. */
const ANSWER_MS = 30_000;

/**
 * Opens a standby for reads. Its lag is the age of the newest position of the primary that it has replayed. So an idle primary
 * causes no lag, a standby that was cut off has one, and no clock of another machine counts.
 */
export function openStandby({
  url,
  primary,
  max,
  maxLagMs = MAX_LAG_MS,
  answerTimeoutMs = ANSWER_MS,
  onState = () => {},
  clock = () => performance.now(),
  findReplayed = lastReplayed,
}: StandbyOptions): Standby {
  const { db, close } = openDatabase({ url, max, acquireTimeoutMs: ACQUIRE_MS, answerTimeoutMs });
  let state: StandbyState = "away";
  let told: StandbyState | null = null;
  let lookedAt = 0;
  let seen: { position: string; at: number }[] = [];

  function become(next: StandbyState, why: string): void {
    state = next;
    if (next === told) return;
    told = next;
    onState(next, why);
  }

  return {
    get state() {
      return state;
    },
    async readStale(read) {
      // A look at a machine that is gone does not end for a while.
      if (state === "fresh" && clock() - lookedAt > maxLagMs) become("away", "It does not answer.");
      if (state !== "fresh") return read(primary);
      try {
        return await read(db);
      } catch (error) {
        if (error instanceof DatabaseUnavailableError) become("away", error.message);
        else if (!isRecoveryConflict(error)) throw error;
        return read(primary);
      }
    },
    async look() {
      const at = clock();
      const { rows } = await sql<{ position: string }>`select pg_current_wal_lsn()::text as position`.execute(primary);
      seen = [...seen, { position: rows[0]!.position, at }].slice(-MAX_POSITIONS);
      try {
        const replayed = await findReplayed(
          db,
          seen.map(({ position }) => position),
        );
        const index = seen.findLastIndex(({ position }) => position === replayed);
        const lagMs = clock() - seen[Math.max(index, 0)]!.at;
        lookedAt = at;
        // It has not replayed the newest position, and no other is known yet: the next look tells how far it is behind.
        if (told === null && index === -1 && lagMs <= maxLagMs) return;
        if (index > 0) seen = seen.slice(index);
        const isLate = index === -1 || lagMs > maxLagMs;
        become(
          isLate ? "late" : "fresh",
          `It is ${Math.round(lagMs / 1000)} seconds behind${index === -1 ? " or more" : ""}.`,
        );
      } catch (error) {
        become("away", (error as Error).message);
      }
    },
    close,
  };
}

/** @throws Error where the database is no standby: nobody could say how old it is. */
async function lastReplayed(standby: Db, positions: readonly string[]): Promise<string | null> {
  const { rows } = await sql<{ isStandby: boolean; replayed: string | null }>`
    select pg_is_in_recovery() as "isStandby", (select position::text from unnest(${positions}::pg_lsn[]) as position
      where position <= pg_last_wal_replay_lsn() order by position desc limit 1) as replayed`.execute(standby);
  if (!rows[0]?.isStandby) throw new Error("It is no standby of a primary.");
  return rows[0].replayed;
}

/** Whether the standby has ended a read because the primary has removed what it needs. */
function isRecoveryConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === "40001" || error.code === "40P01");
}
