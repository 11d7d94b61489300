/**
 * Gives the answer of `work` no sooner than after `minMs`: far longer than the work takes, so that the time says nothing of what was found
 * (product.md S1, no enumeration).
 */
export async function evenTime<Value>(minMs: number, work: () => Promise<Value>): Promise<Value> {
  const [value] = await Promise.all([work(), new Promise((resolve) => setTimeout(resolve, minMs))]);
  return value;
}
