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

export function readSwitches(state: State): Switches {
  const row = state.one<{ value: string }>("select value from settings where name = 'switches'");
  return row ? { ...allOff, ...(JSON.parse(row.value) as Partial<Switches>) } : { ...allOff };
}

/** Changes the given switches; ignores values of the wrong type. Returns the current switches. */
export function writeSwitches(state: State, changes: Record<string, unknown>): Switches {
  const switches = readSwitches(state);
  for (const name of ["holdPushes", "sendTwice", "retryFailed", "loseClickRefs"] as const) {
    const value = changes[name];
    if (typeof value === "boolean") switches[name] = value;
  }
  const delay = changes.delaySeconds;
  if (typeof delay === "number" && Number.isFinite(delay))
    switches.delaySeconds = Math.min(Math.max(Math.round(delay), 0), 3600);
  state.run(
    "insert into settings (name, value) values ('switches', ?) on conflict (name) do update set value = excluded.value",
    JSON.stringify(switches),
  );
  return switches;
}
