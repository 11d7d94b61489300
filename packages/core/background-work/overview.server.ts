import type { Db } from "@farthing/db/client.ts";
import { isLate } from "./rules.ts";
import { queues, type QueueName } from "./queues.server.ts";

/** How a queue does. Counts go up to MAX_COUNTED. */
export interface QueueState {
  name: QueueName;
  label: string;
  does: string;
  due: number;
  failing: number;
  givenUp: number;
  /** When the work that waits longest is, or was, due; null: none waits. */
  nextDue: Date | null;
}

/** Returns how many queues have work that has been due for longer than this, and since when the worst one. */
export async function findLateQueues(
  db: Db,
  { now, minutes }: { now: Date; minutes: number },
): Promise<{ count: number; oldest: Date | null }> {
  const due = await Promise.all((Object.keys(queues) as QueueName[]).map((name) => queues[name].due.nextDue(db)));
  const late = due.filter((at): at is Date => isLate(at, { now, minutes })).toSorted((one, other) => +one - +other);
  return { count: late.length, oldest: late[0] ?? null };
}

/** A count stops here: an outage can bury more than a person counts. */
export const MAX_COUNTED = 1_000;

/** Returns how every queue does, those first that need a person. */
export async function findQueueStates(db: Db, { now }: { now: Date }): Promise<QueueState[]> {
  const states = await Promise.all(
    (Object.keys(queues) as QueueName[]).map(async (name): Promise<QueueState> => {
      const { name: label, does, due: queue } = queues[name];
      const count = (state: "due" | "failing" | "given-up") => queue.countUpTo(db, { state, now, max: MAX_COUNTED });
      const [due, failing, givenUp, nextDue] = await Promise.all([
        count("due"),
        count("failing"),
        count("given-up"),
        queue.nextDue(db),
      ]);
      return { name, label, does, due, failing, givenUp, nextDue };
    }),
  );
  return states.toSorted((one, other) => other.givenUp - one.givenUp || other.failing - one.failing);
}
