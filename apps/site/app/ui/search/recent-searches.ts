const STORAGE_KEY = "farthing.recent-searches";
const MAX_KEPT = 5;

/** Returns the recent searches on this device at this brand, latest first. They never leave the device. */
export function recentSearches(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((query) => typeof query === "string").slice(0, MAX_KEPT) : [];
  } catch {
    return []; // storage is not available, or holds something else
  }
}

export function keepSearch(query: string): void {
  const text = query.trim().slice(0, 200);
  if (text === "") return;
  const others = recentSearches().filter((other) => other.toLowerCase() !== text.toLowerCase());
  write([text, ...others].slice(0, MAX_KEPT));
}

export function forgetSearches(): void {
  write([]);
}

function write(queries: string[]): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(queries));
  } catch {
    // Storage may be closed in a private window: nothing is remembered then.
  }
}
