/**
 * Returns the result of `work`, but not before `minMs` have passed. `minMs` is far longer than the work takes, so that
 * the time does not reveal whether an account was found (S1).
 */
export async function evenTime<Value>(minMs: number, work: () => Promise<Value>): Promise<Value> {
  const [value] = await Promise.all([work(), new Promise((resolve) => setTimeout(resolve, minMs))]);
  return value;
}
