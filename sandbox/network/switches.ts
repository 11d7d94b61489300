import type { State } from "../state/state.ts";

/** How the network misbehaves just now. Everything off is what Awin documents: one push, at once, never repeated. */
export interface Switches {
  /** Pushes wait until they are released. */
  holdPushes: boolean;
  /** Every push goes out twice. */
  sendTwice: boolean;
  /** A push that fails is tried again, up to five times, waiting longer each time. */
  retryFailed: boolean;
  /** New transactions come without the publisher's click reference. */
  loseClickRefs: boolean;
  /** Pushes leave this many seconds late. */
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

/** Changes the switches named; values of the wrong type are left out. Gives the switches as they are now. */
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
