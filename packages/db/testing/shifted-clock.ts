import pg from "pg";

/*
 * For runs under a shifted clock (`npm test -- clocks`). Where faketime shifts every process, only `checkClock` is
 * needed. Where it is not installed, or where somebody shifts the whole run with it, FARTHING_CLOCK_SHIFT_MS sets the
 * shift: the template database gets clock functions of its own, which statements and defaults find before PostgreSQL's
 * because the search path names the schema `public` first.
 */
const CLOCK_FUNCTIONS = ["now", "transaction_timestamp", "statement_timestamp", "clock_timestamp"];

/**
 * Returns a connection string whose sessions search `public` before `pg_catalog`, where this file shifts the clock.
 */
export function shiftedUrl(url: string): string {
  if (shiftMs() === 0) return url;
  const changed = new URL(url);
  changed.searchParams.set("options", "-c search_path=public,pg_catalog");
  return changed.href;
}

/**
 * Starts a server that has its clock from this file with the machine's own clock. Under faketime, PostgreSQL's timers never
 * end: while it waits, the handler of their signal reads the machine's time, so that a lock_timeout would last until the
 * shifted time has come.
 */
export async function withRealClock<Server>(start: () => Promise<Server>): Promise<Server> {
  const preloaded = process.env["LD_PRELOAD"];
  if (shiftMs() === 0 || preloaded === undefined) return start();
  delete process.env["LD_PRELOAD"];
  try {
    return await start();
  } finally {
    process.env["LD_PRELOAD"] = preloaded;
  }
}

/**
 * Creates shifted clock functions in the empty database at `url`; call it before anything binds to PostgreSQL's own.
 */
export async function shiftDatabaseClock(url: string): Promise<void> {
  const ms = shiftMs();
  if (ms === 0) return;
  await withClient(url, async (client) => {
    for (const name of CLOCK_FUNCTIONS) {
      await client.query(
        `create function public.${name}() returns timestamptz language sql ${name === "clock_timestamp" ? "volatile" : "stable"} parallel safe
           as $$ select pg_catalog.${name}() + interval '${ms} milliseconds' $$`,
      );
    }
  });
}

const HOUR_MS = 3_600_000;

/**
 * Checks the clocks of Node and of the database against FARTHING_CLOCK_TARGET, where a shifted run sets it.
 * @throws Error where one has another time, because the run would prove nothing
 */
export async function checkClock(url: string): Promise<void> {
  const target = process.env["FARTHING_CLOCK_TARGET"];
  if (target === undefined) return;
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ now: Date }>("select now()");
    for (const [who, time] of [
      ["Node", new Date()],
      ["PostgreSQL", rows[0]!.now],
    ] as const) {
      // One hour: a slow machine may take minutes to get here.
      if (Math.abs(time.getTime() - Date.parse(target)) > HOUR_MS)
        throw new Error(`The clock is not shifted: ${who} has ${time.toISOString()} instead of about ${target}.`);
    }
  });
}

function shiftMs(): number {
  return Number(process.env["FARTHING_CLOCK_SHIFT_MS"] ?? 0);
}

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
