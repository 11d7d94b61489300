import { queues } from "@farthing/core/background-work/queues.server.ts";
import type { Db } from "@farthing/db/client.ts";

/** The newest are listed: an outage of one service can bury thousands. */
const MAX_LISTED = 20;

/** Returns the lines of "npm run due-work". They hold ids and errors, never what the work says or whom it is for. */
export async function describeDueWork(db: Db): Promise<string[]> {
  const lines: string[] = [];
  for (const [table, { due: queue }] of Object.entries(queues)) {
    const [open, buried, listed] = [
      await queue.countOpen(db),
      await queue.countBuried(db),
      await queue.listBuried(db, { max: MAX_LISTED }),
    ];
    lines.push(`${table}: ${open} to do, ${buried} given up`);
    for (const { id, attempts, lastError } of listed)
      lines.push(`  ${id}  attempts ${attempts}  ${lastError ?? "no error was recorded"}`);
    if (buried > listed.length) lines.push(`  and ${buried - listed.length} older`);
  }
  return lines;
}
