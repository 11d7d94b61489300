import pg from "pg";

/**
 * Runs under a shifted clock (`npm test -- clocks`). Where faketime shifts every process, only `checkClock` has something to do. Where it is
 * not installed, FARTHING_CLOCK_SHIFT_MS says by how much: the template gets clock functions of its own, which every statement and default
 * finds before PostgreSQL's because the schema `public` comes first in the search path.
 */
const CLOCK_FUNCTIONS = ["now", "transaction_timestamp", "statement_timestamp", "clock_timestamp"];

/** Connection string whose sessions look in `public` before `pg_catalog`; unchanged where the database's clock is not shifted here. */
export function shiftedUrl(url: string): string {
  if (shiftMs() === 0) return url;
  const changed = new URL(url);
  changed.searchParams.set("options", "-c search_path=public,pg_catalog");
  return changed.href;
}

/** Gives the empty template database at `url` clock functions that are ahead; call it before anything binds to PostgreSQL's own. */
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

/** @throws Error where a shift was asked for (FARTHING_CLOCK_TARGET) and Node or PostgreSQL still has another time: the run would prove nothing. */
export async function checkClock(url: string): Promise<void> {
  const target = process.env["FARTHING_CLOCK_TARGET"];
  if (target === undefined) return;
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ now: Date }>("select now()");
    for (const [who, time] of [
      ["Node", new Date()],
      ["PostgreSQL", rows[0]!.now],
    ] as const) {
      // An hour: a slow machine may have taken minutes to get here.
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
