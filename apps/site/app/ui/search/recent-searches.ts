const storageKey = "farthing.recent-searches";
const mostKept = 5;

/** What was searched for on this device, at this brand, the latest first. It never leaves the device. */
export function recentSearches(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "[]");
    return Array.isArray(kept) ? kept.filter((query) => typeof query === "string").slice(0, mostKept) : [];
  } catch {
    return []; // storage is closed to us, or somebody else wrote there
  }
}

export function keepSearch(query: string): void {
  const text = query.trim().slice(0, 200);
  if (text === "") return;
  const others = recentSearches().filter((other) => other.toLowerCase() !== text.toLowerCase());
  write([text, ...others].slice(0, mostKept));
}

export function forgetSearches(): void {
  write([]);
}

function write(queries: string[]): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(queries));
  } catch {
    // A private window may refuse: then nothing is remembered.
  }
}
