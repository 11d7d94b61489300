import { monitorEventLoopDelay } from "node:perf_hooks";
import type { MeasuredServer } from "../pages/measured-server.ts";

/** Node looks every ten milliseconds; a free loop is late by none of it. */
export const LOOK_MS = 10;

/** Returns the longest time for which an event loop was held since the last call, in milliseconds. */
export type ReadHeld = () => Promise<number>;

/** Reads it from the metrics of another process, which begin anew with each reading. */
export function heldIn(server: MeasuredServer, token: string): ReadHeld {
  return async () => {
    const answer = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    const seconds = /^farthing_nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(await answer.text())?.[1];
    if (seconds === undefined)
      throw new Error(`/metrics answered ${answer.status}, without the lag of the event loop.`);
    return Math.max(0, Number(seconds) * 1000 - LOOK_MS);
  };
}

/** Reads it in this process. */
export function heldHere(): { read: ReadHeld; stop(): void } {
  const delays = monitorEventLoopDelay({ resolution: LOOK_MS });
  delays.enable();
  return {
    async read() {
      const ms = delays.max / 1e6 - LOOK_MS;
      delays.reset();
      return Math.max(0, ms);
    },
    stop: () => delays.disable(),
  };
}
