/** Returns what the promise resolves with; null if it fails or takes longer than `ms`. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  return await Promise.race([promise.catch(() => null), late]).finally(() => clearTimeout(timer));
}
