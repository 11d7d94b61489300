import { LRUCache } from "lru-cache";

/** What a read is asked for: whose view, as of when, and whatever else decides the answer. */
export interface ReadArguments {
  brandId: string;
  now: Date;
}

export interface CachedReadOptions {
  /** How long an answer is given again, by `clock`. */
  freshMs?: number;
  /** Room for answers and their keys. */
  maxBytes?: number;
  /** Monotonic, in milliseconds: an answer's age is time that passes, whatever the wall clock says. */
  clock?: () => number;
}

export interface CachedRead<Arguments extends ReadArguments, View> {
  (options: Arguments): Promise<View>;
  /** Forgets everything, for example after an import. */
  clear(): void;
  /** What is held, by its own count. */
  readonly held: { bytes: number; answers: number };
}

interface Entry {
  view: Promise<unknown>;
  /** Characters of the answer as JSON; 0 until it is there. */
  letters: number;
}

/** Lists of offers take two bytes of memory for each character of their JSON; other shapes may take more. */
const bytesPerLetter = 4;
/** An entry around its key and answer. */
const frameBytes = 512;
/** Views still being read take room too, though nobody knows yet how much. */
const maxEntries = 5_000;

/**
 * A read of the catalogue whose answer is given again for a few seconds to whoever asks the same: all members of a brand see the same offers, and
 * reading them costs more than the rest of a page. Nothing personal may be read through it: an answer depends on the arguments alone, and the
 * brand is always one of them. Callers that ask at the same time share one read; a read that fails is not remembered. Answers that nobody asks for
 * make room for new ones. Every answer is one object for all: it is frozen, so that nobody changes what the next one sees.
 */
export function cachedRead<Arguments extends ReadArguments, View>(
  read: (options: Arguments) => Promise<View>,
  { freshMs = 5_000, maxBytes = 8 * 1024 * 1024, clock = () => performance.now() }: CachedReadOptions = {},
): CachedRead<Arguments, View> {
  const entries = new LRUCache<string, Entry>({
    max: maxEntries,
    maxSize: maxBytes,
    sizeCalculation: ({ letters }, key) => bytesPerLetter * letters + 2 * key.length + frameBytes,
    ttl: freshMs,
    ttlResolution: 0,
    perf: { now: clock },
  });

  async function readAndKeep(options: Arguments, key: string): Promise<View> {
    const view = read(options).then(freeze);
    const entry: Entry = { view, letters: 0 };
    entries.set(key, entry);
    const isStillKept = () => entries.peek(key) === entry;
    try {
      const found = await view;
      // Set again with its size; its age counts from when it was asked for.
      if (isStillKept()) {
        const start = clock() - (freshMs - entries.getRemainingTTL(key));
        entries.set(key, { view, letters: (JSON.stringify(found) ?? "").length }, { start });
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

/** Everything that decides the answer but the moment, which freshness stands for. */
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
