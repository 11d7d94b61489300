import { LRUCache } from "lru-cache";

/** The arguments of a read: the brand, the moment, and anything else that decides the answer. */
export interface ReadArguments {
  brandId: string;
  now: Date;
}

export interface CachedReadOptions {
  /** How long an answer is reused, by `clock`. */
  freshMs?: number;
  /** Maximum size of answers and their keys. */
  maxBytes?: number;
  /** Monotonic, in milliseconds: an answer's age does not depend on the wall clock. */
  clock?: () => number;
}

export interface CachedRead<Arguments extends ReadArguments, View> {
  (options: Arguments): Promise<View>;
  /** Removes all answers, for example after an import. */
  clear(): void;
  /** The cache's size, by its own estimate. */
  readonly held: { bytes: number; answers: number };
}

interface Entry {
  view: Promise<unknown>;
  /** Length of the answer as JSON, in characters; 0 while it is being read. */
  characters: number;
}

/** Lists of offers take two bytes of memory for each character of their JSON; other shapes may take more. */
const BYTES_PER_CHARACTER = 4;
/** The overhead of an entry, besides its key and answer. */
const ENTRY_BYTES = 512;
/** Answers that are still being read have an unknown size: this limits their number. */
const MAX_ENTRIES = 5_000;

/**
 * Caches a read of the catalogue for a few seconds: all members of a brand see the same offers, and reading them costs more than the rest of a page.
 * Nothing personal may be read through it: an answer depends on the arguments alone, and the brand is always one of them. Concurrent callers share
 * one read; a failed read is not cached; the least recently used answers are evicted. All callers get the same object, which is frozen.
 */
export function cachedRead<Arguments extends ReadArguments, View>(
  read: (options: Arguments) => Promise<View>,
  { freshMs = 5_000, maxBytes = 8 * 1024 * 1024, clock = () => performance.now() }: CachedReadOptions = {},
): CachedRead<Arguments, View> {
  const entries = new LRUCache<string, Entry>({
    max: MAX_ENTRIES,
    maxSize: maxBytes,
    sizeCalculation: ({ characters }, key) => BYTES_PER_CHARACTER * characters + 2 * key.length + ENTRY_BYTES,
    ttl: freshMs,
    ttlResolution: 0,
    perf: { now: clock },
  });

  async function readAndKeep(options: Arguments, key: string): Promise<View> {
    const view = read(options).then(freeze);
    const entry: Entry = { view, characters: 0 };
    entries.set(key, entry);
    const isStillKept = () => entries.peek(key) === entry;
    try {
      const found = await view;
      // Stored again with its size; its age still counts from the request.
      if (isStillKept()) {
        const start = clock() - (freshMs - entries.getRemainingTTL(key));
        entries.set(key, { view, characters: (JSON.stringify(found) ?? "").length }, { start });
      }
      return found;
    } catch (error) {
      if (isStillKept()) entries.delete(key);
      throw error;
    }
  }

  const cached = (options: Arguments): Promise<View> => {
    const key = keyOf(options);
    return (entries.get(key)?.view as Promise<View> | undefined) ?? readAndKeep(options, key);
  };
  return Object.defineProperty(Object.assign(cached, { clear: () => entries.clear() }), "held", {
    get: () => ({ bytes: entries.calculatedSize, answers: entries.size }),
  }) as CachedRead<Arguments, View>;
}

/** Returns the key of the arguments without the moment, which `freshMs` accounts for. */
function keyOf({ brandId, now: _now, ...others }: ReadArguments): string {
  return JSON.stringify([brandId, others]);
}

function freeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) freeze(part);
  }
  return value;
}
