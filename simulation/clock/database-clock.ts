import pg from "pg";

/**
 * Gives an empty database clock functions of its own, which every statement of a session finds before PostgreSQL's: its search path names `public`
 * first. They add what the one row of `simulated_clock` says. Call it before the migrations, whose defaults bind to them.
 */
export async function createClockFunctions(url: string, offsetMs: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("create table public.simulated_clock (offset_ms bigint not null)");
    await client.query("insert into public.simulated_clock values ($1)", [offsetMs]);
    for (const name of ["now", "transaction_timestamp", "statement_timestamp", "clock_timestamp"])
      await client.query(
        `create function public.${name}() returns timestamptz language sql ${name === "clock_timestamp" ? "volatile" : "stable"}
           as $$ select pg_catalog.${name}() + (select offset_ms from public.simulated_clock) * interval '1 millisecond' $$`,
      );
  } finally {
    await client.end();
  }
}
