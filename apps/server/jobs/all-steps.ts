/**
 * Runs a job's steps one after another, each whatever became of those before it: one that always fails must not keep the others from being done.
 * @throws the error of the one step that failed, or an AggregateError of all of them, once every step has had its turn.
 */
export async function allSteps(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      errors.push(error);
    }
  }
  throwAll(errors);
}

/** Waits for all of a round's parallel work before it says what failed, so that nothing of it is still under way in the next round. @throws as allSteps does. */
export async function allOf(work: readonly Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(work);
  throwAll(results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : [])));
}

function throwAll(errors: unknown[]): void {
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} steps of a job failed.`);
}
