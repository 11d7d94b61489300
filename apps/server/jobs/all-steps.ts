/**
 * Runs a job's steps one after another. A step that fails does not keep the later ones from running.
 * @throws after the last step: the error of the step that failed, or an AggregateError of several
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

/** Waits for all of a round's parallel work, so that none of it runs into the next round. @throws as allSteps does */
export async function allOf(work: readonly Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(work);
  throwAll(results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : [])));
}

/** Throws the error there is, or an AggregateError of several. */
export function throwAll(errors: unknown[]): void {
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} steps of a job failed.`);
}
