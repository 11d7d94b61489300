/** What a read is asked for: whose view, as of when, and whatever else decides the answer. */
export interface ReadArguments {
  brandId: string;
  now: Date;
}

export interface CachedReadOptions {
  /** How long an answer is given again, by the `now` of whoever asks. */
  freshMs?: number;
  /** Room for answers, measured by their JSON. */
  mostBytes?: number;
}

export interface CachedRead<Arguments extends ReadArguments, View> {
  (options: Arguments): Promise<View>;
  /** Forgets everything, for example after an import. */
  clear(): void;
}

interface Entry {
  view: Promise<unknown>;
  /** The `now` the view was read with. */
  readAt: number;
  /** 0 until the view is there. */
  bytes: number;
}

/** Views still being read take room too, though nobody knows yet how much. */
const mostEntries = 5_000;

/**
 * A read of the catalogue whose answer is given again for a few seconds to whoever asks the same: all members of a brand see the same offers, and
 * reading them costs more than the rest of a page. Nothing personal may be read through it: an answer depends on the arguments alone, and the
 * brand is always one of them. Callers that ask at the same time share one read; a read that fails is not remembered. The oldest answers make
 * room for new ones. Every answer is one object for all: it is frozen, so that nobody changes what the next one sees.
 */
export function cachedRead<Arguments extends ReadArguments, View>(
  read: (options: Arguments) => Promise<View>,
  { freshMs = 5_000, mostBytes = 8 * 1024 * 1024 }: CachedReadOptions = {},
): CachedRead<Arguments, View> {
  // In the order they were read: the first is the oldest.
  const entries = new Map<string, Entry>();
  let bytes = 0;

  function drop(key: string, entry: Entry): void {
    if (entries.get(key) !== entry) return;
    entries.delete(key);
    bytes -= entry.bytes;
  }

  function makeRoom(now: number): void {
    for (const [key, entry] of entries) {
      const isFull = bytes > mostBytes || entries.size > mostEntries;
      if (!isFull && now - entry.readAt < freshMs) return;
      drop(key, entry);
    }
  }

  async function readAndKeep(options: Arguments, key: string): Promise<View> {
    const entry: Entry = { view: Promise.resolve(), readAt: options.now.getTime(), bytes: 0 };
    const view = read(options).then(freeze);
    entry.view = view;
    entries.set(key, entry);
    try {
      const found = await view;
      if (entries.get(key) === entry) {
        entry.bytes = key.length + (JSON.stringify(found) ?? "").length;
        bytes += entry.bytes;
        makeRoom(entry.readAt);
      }
      return found;
    } catch (error) {
      drop(key, entry);
      throw error;
    }
  }

  const cached = (options: Arguments): Promise<View> => {
    const key = keyOf(options);
    const known = entries.get(key);
    if (known) {
      const age = options.now.getTime() - known.readAt;
      // A clock that was put back makes an answer from the future, which would be fresh for who knows how long.
      if (age >= 0 && age < freshMs) return known.view as Promise<View>;
      drop(key, known);
    }
    return readAndKeep(options, key);
  };
  return Object.assign(cached, {
    clear() {
      entries.clear();
      bytes = 0;
    },
  });
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
