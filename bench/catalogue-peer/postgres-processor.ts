import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";

/** Linux counts processor time in hundredths of a second on every platform that Node supports. */
const CLOCK_TICK_MS = 10;

/**
 * Returns a function that returns the processor time of a whole PostgreSQL so far, in ms: of its processes, and of those that have ended, such as the
 * parallel workers of one statement.
 */
export async function postgresProcessor(db: Db): Promise<() => number> {
  const { rows } = await sql<{ data_directory: string }>`show data_directory`.execute(db);
  const postmaster = Number.parseInt(readFileSync(path.join(rows[0]!.data_directory, "postmaster.pid"), "utf8"), 10);
  return () => {
    const { ownTicks, endedTicks } = readStat(postmaster)!;
    const children = readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((name) => readStat(Number(name)));
    const childTicks = children.reduce((sum, stat) => sum + (stat?.parent === postmaster ? stat.ownTicks : 0), 0);
    return (ownTicks + endedTicks + childTicks) * CLOCK_TICK_MS;
  };
}

/** Returns null for a process that has ended. */
function readStat(pid: number): { parent: number; ownTicks: number; endedTicks: number } | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ")
      .map(Number);
    return { parent: fields[1]!, ownTicks: fields[11]! + fields[12]!, endedTicks: fields[13]! + fields[14]! };
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return null;
    throw error;
  }
}
