import { setTimeout as delay } from "node:timers/promises";
import { randomOf } from "./random.ts";
import type { NetworkSlug } from "./shops.ts";
import type { World } from "./world.ts";

const MINUTE_MS = 60_000;
/** The time between two rounds; the server polls every ten minutes. */
export const POLL_MS = 15 * MINUTE_MS;
/** Rounds of polling in which the club must have read everything, whatever went wrong. */
const MAX_ROUNDS = 14;
/** How long a round may take on a busy machine before the clock moves on. */
const ROUND_MS = 120_000;
/** How long nothing runs before the next round begins. */
const STILL_MS = 300;
/**
 * How long to wait where nothing moves on, because an answer never comes or a process was killed. What hangs, what it had begun, and a job that
 * failed and sleeps longer each time, go on only when the clock does. Doubles with every round: a slow machine needs no more rounds than a fast
 * one.
 */
const STUCK_MS = 1_000;
/** The same where nothing is known to hang: a pass that never begins must not hold a round for its whole length. */
const QUIET_MS = 20_000;
const LOOK_MS = 40;

/** Moves the clock on, a poll at a time, until the club has read all that the networks say. Returns the rounds that it took. */
export async function untilRead(
  world: World,
  from: Date,
  up: readonly NetworkSlug[],
  { isFirst }: { isFirst: boolean },
): Promise<number> {
  const kill = isFirst ? null : world.step?.kill;
  const troubles = isFirst ? [] : Object.values(world.step?.troubles ?? {});
  const min = troubles.some(({ clockSkewSeconds = 0 }) => clockSkewSeconds > 0) ? 2 : 1; // such a network says more a little later
  const canStick = kill === "app" || kill === "database" || troubles.some(({ hang }) => hang !== undefined);
  let waiting: string[] = [];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const at = new Date(from.getTime() + round * POLL_MS);
    if (round > 0 || !isFirst) await world.stack.setClock(at);
    if (round === 0 && (kill === "app" || kill === "database")) {
      await delay(randomOf(world.scale.seed, `kill ${from.getTime()}`).between(0, 400));
      await world.stack.kill(kill);
      world.tally.kills[kill] += 1;
    }
    // The first reading asks about no payments: they are made after it.
    const since = { pass: at, payment: isFirst ? new Date(0) : new Date(from.getTime() - 10 * MINUTE_MS) };
    waiting = await untilRoundEnds(world, since, up, canStick ? STUCK_MS * 2 ** Math.min(round, 6) : QUIET_MS);
    if (waiting.length === 0 && round + 1 >= min) return round + 1;
  }
  for (const one of waiting)
    world.differences.push({
      what: one.includes("claims that are") ? "claim" : "unexplained",
      text: `${from.toISOString()}: after ${MAX_ROUNDS} polls there still wait: ${one}`,
    });
  return MAX_ROUNDS;
}

/** Waits until a round of polls has nothing more to do, or is not going to do more. Returns what still waits. */
async function untilRoundEnds(
  { books, stack, claims: all }: World,
  since: { pass: Date; payment: Date },
  up: readonly NetworkSlug[],
  stuckMs: number,
): Promise<string[]> {
  const claims = all.filter(({ must }) => must !== null);
  const began = performance.now();
  let [ranAt, movedAt, last] = [began, began, ""];
  for (;;) {
    const { what, isRunning, progress } = await books.waiting(stack.now(), since, up, claims);
    const now = performance.now();
    if (isRunning) ranAt = now;
    if (progress !== last) [movedAt, last] = [now, progress];
    const isOver = now - began > ROUND_MS || now - ranAt > STILL_MS || now - movedAt > stuckMs;
    if (what.length === 0 || isOver) return what;
    await delay(LOOK_MS);
  }
}
