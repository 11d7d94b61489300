/**
 * Returns where labels stand beside the ends of lines: in the lines' order, at least `gap` apart, as near to the lines as that allows, and between
 * `top` and `bottom` if there is room for all.
 */
export function spreadLabels(
  ends: readonly number[],
  { gap, top, bottom }: { gap: number; top: number; bottom: number },
): number[] {
  const order = ends.map((y, place) => ({ y, place })).toSorted((one, other) => one.y - other.y);
  const placed: number[] = [];
  for (const { y } of order) placed.push(Math.max(y, top, (placed.at(-1) ?? Number.NEGATIVE_INFINITY) + gap));
  // What was pushed below the bottom pushes the others up.
  let limit = bottom;
  for (let index = placed.length - 1; index >= 0; index -= 1) {
    placed[index] = Math.min(placed[index]!, limit);
    limit = placed[index]! - gap;
  }
  const spread: number[] = [];
  for (const [index, { place }] of order.entries()) spread[place] = placed[index]!;
  return spread;
}
