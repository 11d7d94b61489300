import { act, type Act } from "@farthing/core/audit/act.server.ts";
import type { Db } from "@farthing/db/client.ts";

/**
 * As core's `act`, on behalf of whoever runs the command. `change` gets the time of the entry, which is read once.
 */
export function recorded<Result>(
  { db, by, now }: { db: Db; by: string; now(): Date },
  what: Act<Result>,
  change: (joined: Db, at: Date) => Promise<Result>,
): Promise<Result> {
  const at = now();
  return act<Result>(db, { command: by, now: at }, what, (joined) => change(joined, at));
}
