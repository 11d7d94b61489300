import type { State } from "../state/state.ts";

/** Returns the engine's time: the real one, moved by what the scenario set. */
export function readClock(state: State, realNow: number): number {
  const row = state.one<{ value: string }>("select value from settings where name = 'clock'");
  if (!row) return realNow;
  const clock = JSON.parse(row.value) as { offsetMs?: number; standsAt?: number };
  return clock.standsAt ?? realNow + (clock.offsetMs ?? 0);
}

/** Sets the engine's time. A clock that `stands` moves only when it is set again; null returns to the real time. */
export function setClock(state: State, realNow: number, clock: { at: number; stands: boolean } | null): void {
  if (clock === null) {
    state.run("delete from settings where name = 'clock'");
    return;
  }
  state.run(
    "insert into settings (name, value) values ('clock', ?) on conflict (name) do update set value = excluded.value",
    JSON.stringify(clock.stands ? { standsAt: clock.at } : { offsetMs: clock.at - realNow }),
  );
}
