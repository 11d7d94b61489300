/** Splits the time from `from` to `to` into windows of at most `maxMs`, without gaps. */
export function splitTime(from: Date, to: Date, maxMs: number): { from: Date; to: Date }[] {
  const windows: { from: Date; to: Date }[] = [];
  for (let start = from.getTime(); start < to.getTime(); start += maxMs)
    windows.push({ from: new Date(start), to: new Date(Math.min(start + maxMs, to.getTime())) });
  return windows;
}

/** Splits a list into lists of at most `size` items. */
export function splitList<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}
