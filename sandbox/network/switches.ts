import type { State } from "../state/state.ts";

/** The network's current misbehaviour. With everything off it behaves as Awin documents: one push, at once, never repeated. */
export interface Switches {
  /** Holds pushes until they are released. */
  holdPushes: boolean;
  /** Sends every push twice. */
  sendTwice: boolean;
  /** Retries a failed push up to five times, with growing waits. */
  retryFailed: boolean;
  /** Omits the publisher's click reference from new transactions. */
  loseClickRefs: boolean;
  /** Delays pushes by this many seconds. */
  delaySeconds: number;
}

const allOff: Switches = {
  holdPushes: false,
  sendTwice: false,
  retryFailed: false,
  loseClickRefs: false,
  delaySeconds: 0,
};

/** Returns the switches of one network: those of all networks, and over them its own. Without a network: those of all. */
export function readSwitches(state: State, slug?: string): Switches {
  const stored = (name: string): Partial<Switches> => {
    const row = state.one<{ value: string }>("select value from settings where name = ?", name);
    return row ? (JSON.parse(row.value) as Partial<Switches>) : {};
  };
  return { ...allOff, ...stored("switches"), ...(slug === undefined ? {} : stored(`switches ${slug}`)) };
}

/** Changes the given switches, of one network or of all; ignores values of the wrong type. Returns the current switches. */
export function writeSwitches(state: State, changes: Record<string, unknown>, slug?: string): Switches {
  const switches = readSwitches(state, slug);
  for (const name of ["holdPushes", "sendTwice", "retryFailed", "loseClickRefs"] as const) {
    const value = changes[name];
    if (typeof value === "boolean") switches[name] = value;
  }
  const delay = changes.delaySeconds;
  if (typeof delay === "number" && Number.isFinite(delay))
    switches.delaySeconds = Math.min(Math.max(Math.round(delay), 0), 3600);
  state.run(
    "insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value",
    slug === undefined ? "switches" : `switches ${slug}`,
    JSON.stringify(switches),
  );
  return switches;
}
