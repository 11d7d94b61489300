import { DatabaseUnavailableError } from "@farthing/db/unavailable.ts";

/** Errors that are reported of one call; beyond these they are only counted. */
const MAX_REPORTED = 20;

/**
 * Does work for each of several, one after another. One that fails holds up none of the others; only a database that does not answer ends the work, because
 * the others would fail as well. `work` says whether it did something. Returns how many times it did; `max` ends the work then.
 * @throws AggregateError after the last one, if some failed; its errors name them, and have what was thrown as their cause
 */
export async function eachApart<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => Promise<boolean>,
  { nameOf, max = Infinity }: { nameOf: (item: Item) => string; max?: number },
): Promise<number> {
  const errors: Error[] = [];
  let [done, failed] = [0, 0];
  for await (const item of items) {
    if (done >= max) break;
    try {
      if (await work(item)) done += 1;
    } catch (error) {
      if (error instanceof DatabaseUnavailableError) throw error;
      failed += 1;
      if (failed <= MAX_REPORTED) errors.push(new Error(`${nameOf(item)} failed.`, { cause: error }));
    }
  }
  if (failed > 0) throw new AggregateError(errors, `${failed} failed and ${done} were done.`);
  return done;
}
