import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";

/** How a change of the database waits for locks that traffic holds. Times in milliseconds. */
export interface Waiting {
  /**
   * The maximum wait for one lock. Meanwhile every later request for the same table waits too, so it is what traffic feels of
   * a migration.
   */
  lockMs: number;
  /** The pause after the first attempt that got no lock; it doubles up to `maxPauseMs`. */
  pauseMs: number;
  maxPauseMs: number;
  /** The time after which it gives up. */
  maxMs: number;
  /** Receives progress, in words for a person. */
  tell(line: string): void;
}

const DEFAULTS: Waiting = { lockMs: 3_000, pauseMs: 1_000, maxPauseMs: 15_000, maxMs: 300_000, tell: () => {} };

/** SQLSTATEs of a transaction that is in the way of others: lock_not_available and deadlock_detected. */
export const IN_THE_WAY = new Set(["55P03", "40P01"]);

/**
 * Executes `work` in one transaction that gives way to traffic (R2). Where it can't get a lock within `lockMs`, it is rolled
 * back, so that those who queue behind it go on. After a pause it is tried again.
 * @param what how messages call it, as the subject of a sentence
 * @throws Error that names the oldest open transactions where there was no lock until `maxMs`; `work`'s other errors as they are
 */
export async function givingWay(
  client: pg.Client,
  { what, work, waiting }: { what: string; work(): Promise<void>; waiting?: Partial<Waiting> | undefined },
): Promise<void> {
  const { lockMs, pauseMs, maxPauseMs, maxMs, tell } = { ...DEFAULTS, ...waiting };
  const began = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    if (await attempted(client, work, lockMs)) return;
    const holders = await oldestTransactions(client);
    const seconds = Math.round((performance.now() - began) / 1000);
    if (performance.now() - began >= maxMs)
      throw new Error(
        `${what} got no lock in ${seconds} s and was given up; nothing of it is kept. ${holders} End what holds the lock, then start again.`,
      );
    const pause = Math.min(pauseMs * 2 ** (attempt - 1), maxPauseMs);
    tell(`${what} got no lock in ${lockMs} ms (attempt ${attempt}) and is tried again in ${pause} ms. ${holders}`);
    await delay(pause);
  }
}

/** Returns whether the transaction was committed; false: it got no lock. */
async function attempted(client: pg.Client, work: () => Promise<void>, lockMs: number): Promise<boolean> {
  await client.query("begin");
  try {
    await client.query(`set local lock_timeout = ${Math.max(1, Math.round(lockMs))}`);
    await work();
    await client.query("commit");
    return true;
  } catch (error) {
    // A connection that is lost can't roll back; what was lost first is the reason.
    await client.query("rollback").catch(() => {});
    if (isInTheWay(error)) return false;
    throw error;
  }
}

/** Whether an error, or what caused it, is about a lock. */
function isInTheWay(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return IN_THE_WAY.has(error.code ?? "");
  return error instanceof Error && error.cause !== undefined && isInTheWay(error.cause);
}

/** Says which transactions have been open for longest, without their statements, which may hold personal data. */
async function oldestTransactions(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ pid: number; name: string; seconds: number }>(
    `select pid, coalesce(nullif(application_name, ''), 'without a name') as name,
       extract(epoch from clock_timestamp() - xact_start)::integer as seconds
     from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
     order by xact_start limit 3`,
  );
  if (rows.length === 0) return "No transaction is open any more.";
  return `The oldest open transactions: ${rows.map(({ pid, name, seconds }) => `process ${pid} (${name}) for ${seconds} s`).join(", ")}.`;
}
