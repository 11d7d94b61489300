import type { Database, Db, Trx } from "@farthing/db/client.ts";
import { sql, type RawBuilder, type Updateable } from "kysely";
import type { ListQuery } from "../lists/find-list-page.server.ts";
import { maxAttemptsOf, type RetrySchedule } from "./rules.ts";

type Column<Table extends keyof Database> = keyof Database[Table] & string;

/**
 * How a table serves as a queue. A row is one piece of work, written in the transaction of what caused it. The SQL
 * fragments call that row `work`; `columns` and the caller's `only` may also name the tables of `join`.
 */
export interface DueWorkTable<Table extends keyof Database> {
  table: Table;
  id: Column<Table>;
  /** timestamptz: when the work is due; while a worker has it, when the lease ends. */
  dueAt: Column<Table>;
  /** integer: attempts that were begun. */
  attempts: Column<Table>;
  /** text: why the last attempt failed. */
  lastError?: Column<Table>;
  /** Tables that belong to the work, of which each row meets exactly one: `join networks network on …`. */
  join?: RawBuilder<unknown>;
  /** Holds while the work is to be done. Literals only, so that a partial index on `dueAt` serves the claim. */
  isOpen: RawBuilder<unknown>;
  /** Holds, of a row `work` alone, while open work waits for a person: nobody claims it, and it counts neither as due nor as late. */
  isHeld?: RawBuilder<unknown>;
  /** The select list of what a worker needs to know: `work.kind, network.slug as "networkSlug"`. */
  columns: RawBuilder<unknown>;
  nextAttempt: RetrySchedule;
  /**
   * What is written to work that is given up, so that `isOpen` holds no longer. Absent where nothing is ever given up.
   */
  bury?(now: Date): Updateable<Database[Table]>;
  /** Holds for work that was given up, and for nothing else. */
  isBuried?: RawBuilder<unknown>;
  /** What is written to work that was given up, beside `dueAt` and `attempts`, so that it is open again. Absent where it can't be. */
  revive?(): Updateable<Database[Table]>;
}

/** Which work of a queue: what is due now, what failed and waits for another attempt, what was given up. */
export const workStates = ["given-up", "failing", "due"] as const;
export type WorkState = (typeof workStates)[number];

/** What a piece of work is about, for operators: SQL that may name `work` and the tables of the queue's join. */
export interface WorkAbout {
  /** Further tables, of which each row meets at most one. */
  join?: RawBuilder<unknown>;
  /** A few words; never what the work says or whom it is for. */
  text: RawBuilder<unknown>;
  /** The page of the record, or null. */
  path: RawBuilder<unknown>;
}

export interface ListedWork {
  id: string;
  attempts: number;
  lastError: string | null;
  dueAt: Date | null;
  about: string;
  path: string | null;
}

/**
 * A worker's right to one piece of work. Every later lease on it ends later, so `until` tells this one from all others.
 */
export interface Lease {
  id: string;
  until: Date;
  /** Attempts so far, this one included. */
  attempts: number;
}

export interface ClaimOptions {
  now: Date;
  /** Longer than the work may take. Work whose lease ends is due again, and may then be done twice. */
  leaseMs: number;
  max: number;
}

export interface Failed<Table extends keyof Database> {
  now: Date;
  error: string | null;
  /** Gives up at once: another attempt would fail in the same way. */
  isPermanent?: boolean;
  /** Other columns to write. */
  set?: Updateable<Database[Table]>;
}

/** `lost`: the lease had ended, and nothing was changed. */
export type FailedState = "waiting" | "buried" | "lost";

export interface BuriedWork {
  id: string;
  attempts: number;
  lastError: string | null;
}

const MAX_ERROR_LENGTH = 500;
const UNSETTLED = "No attempt was settled: each ended its process, or lost the database.";

/**
 * Opens the queue on a table; `Work` is the shape of its `columns`. Any number of processes may work on it: a claim
 * skips what another claim has locked. Work is done at least once: a worker that dies leaves its lease behind, and the
 * work is due again when that ends. Only the worker that holds the lease can settle the work.
 */
export function openDueWork<Work>() {
  return <Table extends keyof Database>(queue: DueWorkTable<Table>) => {
    const { isOpen, isBuried = sql`false`, columns, nextAttempt } = queue;
    const isToDo = queue.isHeld ? sql`(${isOpen}) and not (${queue.isHeld})` : sql`(${isOpen})`;
    const maxAttempts = maxAttemptsOf(nextAttempt);
    const join = queue.join ?? sql``;
    const table = sql.table(queue.table);
    const id = sql.ref(`work.${queue.id}`);
    const dueAt = sql.ref(`work.${queue.dueAt}`);
    const attempts = sql.ref(`work.${queue.attempts}`);
    const lastError = queue.lastError ? sql.ref(`work.${queue.lastError}`) : sql.lit(null);

    async function update(db: Db | Trx, lease: Lease, set: object): Promise<boolean> {
      const written = Object.entries(set).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
      const { numAffectedRows } = await sql`update ${table} as work set ${sql.join(written)}
        where ${id} = ${lease.id} and ${dueAt} = ${lease.until} and (${isOpen})`.execute(db);
      return numAffectedRows === 1n;
    }

    // What a person has dropped is not listed as given up any more.
    const isListedBuried = sql`(${isBuried}) and not exists (
      select from dropped_work dropped where dropped.queue = ${sql.lit(queue.table)} and dropped.work_id = ${id})`;

    const conditionOf = (state: WorkState, now: Date) => {
      if (state === "given-up") return isListedBuried;
      if (state === "due") return sql`${isToDo} and ${dueAt} <= ${now}`;
      return queue.lastError ? sql`${isToDo} and ${lastError} is not null` : sql`false`;
    };

    async function count(db: Db | Trx, condition: RawBuilder<unknown>): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from ${table} as work where ${condition}`.execute(db);
      return rows[0]?.count ?? 0;
    }

    const withError = (error: string | null) =>
      queue.lastError ? { [queue.lastError]: error?.slice(0, MAX_ERROR_LENGTH) ?? null } : {};

    async function fail(db: Db | Trx, lease: Lease, failed: Failed<Table>): Promise<FailedState> {
      const { now, error, isPermanent = false, set } = failed;
      const next = isPermanent ? null : nextAttempt(lease.attempts, now);
      if (next)
        return (await update(db, lease, { ...set, ...withError(error), [queue.dueAt]: next })) ? "waiting" : "lost";
      if (!queue.bury)
        throw new Error(`Work of ${queue.table} is never given up, so its schedule must return when to retry.`);
      return (await update(db, lease, { ...set, ...withError(error), ...queue.bury(now) })) ? "buried" : "lost";
    }

    /**
     * Returns a lease before it ends: the work is due at `until`, and the attempt does not count. False: the lease had
     * ended.
     */
    function release(db: Db | Trx, lease: Lease, { until, error }: { until: Date; error?: string }): Promise<boolean> {
      const set = { [queue.dueAt]: until, [queue.attempts]: lease.attempts - 1 };
      return update(db, lease, error === undefined ? set : { ...set, ...withError(error) });
    }

    /**
     * Keeps the work that was attempted most often and releases the rest: what ends its worker must not take the others
     * of its batch with it. It is buried after twice the attempts of its schedule.
     */
    async function isolate<Claimed extends Lease>(db: Db | Trx, claimed: Claimed[], now: Date): Promise<Claimed[]> {
      const [suspect, ...others] = claimed.toSorted((one, other) => other.attempts - one.attempts);
      for (const other of others) await release(db, other, { until: now });
      if (!suspect || suspect.attempts <= 2 * maxAttempts) return suspect ? [suspect] : [];
      await fail(db, suspect, { now, error: UNSETTLED, isPermanent: true });
      return [];
    }

    return {
      /**
       * Claims due work, the longest waiting first, under a lease of `leaseMs`: one statement. `only` narrows what is
       * claimed. Work with more attempts than its schedule allows is claimed alone, because none of them was settled.
       */
      async claim(db: Db | Trx, { now, leaseMs, max }: ClaimOptions, only = sql`true`): Promise<(Work & Lease)[]> {
        const { rows } = await sql<Work & Lease>`
          with due as (
            select ${id} as due_id from ${table} as work ${join}
            where ${isToDo} and ${dueAt} <= ${now} and (${only})
            order by ${dueAt} limit ${max} for no key update of work skip locked
          ), work as (
            update ${table} as claimed
            set ${sql.ref(queue.dueAt)} = ${new Date(now.getTime() + leaseMs)}::timestamptz,
              ${sql.ref(queue.attempts)} = ${sql.ref(`claimed.${queue.attempts}`)} + 1
            from due where ${sql.ref(`claimed.${queue.id}`)} = due.due_id
            returning claimed.*
          )
          select ${id} as id, ${dueAt} as until, ${attempts} as attempts, ${columns} from work ${join}`.execute(db);
        return rows.some((work) => work.attempts > maxAttempts) ? await isolate(db, rows, now) : rows;
      },

      /** Writes that the work is done. `set` has to close it. False: the lease had ended, and nothing was changed. */
      settle(db: Db | Trx, lease: Lease, set: Updateable<Database[Table]>): Promise<boolean> {
        return update(db, lease, { ...withError(null), ...set });
      },

      /** Writes that an attempt failed: the work is due again as its schedule says, or buried. */
      fail,

      release,

      /** Returns when the next work is due, leased work included; null: none waits. */
      async nextDue(db: Db | Trx, only = sql`true`): Promise<Date | null> {
        const { rows } = await sql<{ due: Date }>`select ${dueAt} as due from ${table} as work ${join}
          where ${isToDo} and (${only}) order by ${dueAt} limit 1`.execute(db);
        return rows[0]?.due ?? null;
      },

      /** Returns the number of pieces of work that are to be done, claimed ones included. */
      countOpen: (db: Db | Trx): Promise<number> => count(db, isToDo),

      /** Returns the number of pieces of work that were given up. */
      countBuried: (db: Db | Trx): Promise<number> => count(db, isListedBuried),

      /** Returns the newest work that was given up. */
      async listBuried(db: Db | Trx, { max }: { max: number }): Promise<BuriedWork[]> {
        const { rows } = await sql<BuriedWork>`
          select ${id} as id, ${attempts} as attempts, ${lastError} as "lastError" from ${table} as work
          where ${isListedBuried} order by ${id} desc limit ${max}`.execute(db);
        return rows;
      },

      /** Returns the number of pieces of work in a state, counted up to `max`. */
      async countUpTo(
        db: Db | Trx,
        { state, now, max }: { state: WorkState; now: Date; max: number },
      ): Promise<number> {
        const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
          select from ${table} as work where ${conditionOf(state, now)} limit ${max}) counted`.execute(db);
        return rows[0]?.count ?? 0;
      },

      /** Returns the query that lists the work in a state: abandoned work by age, all other work by when it is due. */
      list({ state, about, now }: { state: WorkState; about: WorkAbout; now: Date }): ListQuery<"time"> {
        return {
          from: sql`${table} as work ${join} ${about.join ?? sql``}`,
          select: sql`${id} as id, ${attempts} as attempts, ${lastError} as "lastError", ${dueAt} as "dueAt",
            ${about.text} as about, ${about.path} as path`,
          where: [conditionOf(state, now)],
          sorts: {
            time: state === "given-up" ? { by: sql`${id}`, type: "uuid" } : { by: sql`${dueAt}`, type: "timestamptz" },
          },
          id: { by: sql`${id}`, type: "uuid" },
        };
      },

      canRevive: queue.revive !== undefined,

      /** Makes work that was given up due again, with the attempts of new work. False: there is none, or it can't be. */
      async revive(db: Db | Trx, { id: workId, now }: { id: string; now: Date }): Promise<boolean> {
        if (!queue.revive) return false;
        const set = { ...queue.revive(), [queue.dueAt]: now, [queue.attempts]: 0 };
        const written = Object.entries(set).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
        const { numAffectedRows } = await sql`update ${table} as work set ${sql.join(written)}
          where ${id} = ${workId} and ${isListedBuried}`.execute(db);
        return numAffectedRows === 1n;
      },

      /** Notes that a person wants nothing more of work that was given up. False: there is none. */
      async drop(db: Db | Trx, { id: workId, by, now }: { id: string; by: string; now: Date }): Promise<boolean> {
        const { numAffectedRows } = await sql`
          insert into dropped_work (queue, work_id, dropped_by, dropped_at)
          select ${queue.table}, ${id}, ${by.slice(0, 100)}, ${now}::timestamptz from ${table} as work
          where ${id} = ${workId} and ${isListedBuried} on conflict do nothing`.execute(db);
        return numAffectedRows === 1n;
      },
    };
  };
}
