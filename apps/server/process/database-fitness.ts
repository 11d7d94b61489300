import { commandLine } from "../command-line.ts";
import { areTotalsAhead } from "@farthing/core/ledger/totals.server.ts";
import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { StartError } from "./start-error.ts";

/**
 * Checks what no migration can: whether the data allows the server to work. Cheap enough for every request to /readyz.
 * @returns one sentence for each thing that an operator should know; requests are served all the same.
 * @throws StartError with the command that repairs it, if postings would be refused or unguarded.
 */
export async function databaseFitness(db: Db): Promise<string[]> {
  if (await areTotalsAhead(db))
    throw new StartError(
      `This database was restored into another server, whose transaction numbers start lower, so the ledger refuses postings. Repair it once with: ${commandLine("ledger:check --rebuild")}`,
    );
  const disabled = await tablesWithoutGuards(db);
  if (disabled.length > 0)
    throw new StartError(
      `Triggers that guard ${disabled.join(", ")} are disabled, as an interrupted pg_restore --disable-triggers leaves them. Enable them, then check the books. In psql: ${disabled.map((table) => `alter table ${table} enable trigger all;`).join(" ")} Then: ${commandLine("ledger:check --rebuild")}`,
    );
  const brand = await db.selectFrom("brands").select("id").limit(1).executeTakeFirst();
  return brand
    ? []
    : [`There is no brand yet, so every page answers 421. Create one with: ${commandLine("brands create")}`];
}

/** Returns our tables that have a disabled trigger, including those of foreign keys. */
async function tablesWithoutGuards(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct relname as name from pg_trigger join pg_class on pg_class.oid = tgrelid
     where tgenabled = 'D' and relnamespace = 'public'::regnamespace order by 1`.execute(db);
  return rows.map(({ name }) => name);
}
