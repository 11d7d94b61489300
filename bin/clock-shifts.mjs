// The dates on which the tests must pass, and the environment that shifts a test run to them.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inRoot } from "./root.mjs";

/**
 * @typedef {object} ClockShift
 * @property {string} name the name on the command line: `npm test -- clocks leap-day`
 * @property {string} title
 * @property {(now: Date) => Date} target returns the time at which the run starts
 * @property {boolean} inCi whether every `npm test` runs it; the others run on request
 */

const DAY_MS = 86_400_000;

/** @type {ClockShift[]} */
export const clockShifts = [
  {
    name: "45-days",
    title: "45 days ahead",
    target: (now) => new Date(now.getTime() + 45 * DAY_MS),
    inCi: false,
  },
  { name: "leap-day", title: "the next 29 February", target: nextLeapDay, inCi: true },
  {
    name: "new-year",
    title: "31 December, 23:59:50",
    target: (now) => firstAfter(now, (year) => Date.UTC(year, 11, 31, 23, 59, 50)),
    inCi: true,
  },
  {
    name: "spring",
    title: "ten seconds before London's clocks go forward",
    target: (now) => firstAfter(now, (year) => lastSunday(year, 2)),
    inCi: false,
  },
  {
    name: "autumn",
    title: "ten seconds before London's clocks go back",
    target: (now) => firstAfter(now, (year) => lastSunday(year, 9)),
    inCi: false,
  },
];

/** @param {Date} now */
function nextLeapDay(now) {
  return firstAfter(now, (year) => {
    const noon = new Date(Date.UTC(year, 1, 29, 12));
    return noon.getUTCMonth() === 1 ? noon.getTime() : null;
  });
}

/** Returns 00:59:50 UTC on the last Sunday of a month; both clock changes happen at 01:00 UTC. @param {number} year @param {number} month */
function lastSunday(year, month) {
  const last = new Date(Date.UTC(year, month + 1, 0, 0, 59, 50));
  return last.getTime() - last.getUTCDay() * DAY_MS;
}

/** @param {Date} now @param {(year: number) => number | null} momentOf returns null in years without such a day */
function firstAfter(now, momentOf) {
  for (let year = now.getUTCFullYear(); ; year += 1) {
    const moment = momentOf(year);
    if (moment !== null && moment > now.getTime()) return new Date(moment);
  }
}

/** Returns the path of Debian's multi-threaded libfaketime, or null if it is not installed. */
export function findFaketime() {
  const folders = existsSync("/usr/lib")
    ? readdirSync("/usr/lib", { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && entry.name.includes("linux-gnu"))
        .map((entry) => join("/usr/lib", entry.name))
    : [];
  return (
    folders.map((folder) => join(folder, "faketime", "libfaketimeMT.so.1")).find((file) => existsSync(file)) ?? null
  );
}

/**
 * Returns the environment of a test run that starts at `target`. faketime shifts every process of the run, including PostgreSQL. Without it, a
 * preloaded script shifts Node's `Date`, and the test databases get their own `now()` (packages/db/testing). The time zone is London's, so that
 * changes of summer time affect local times too.
 * @param {{ now: Date, target: Date, faketime: string | null }} clock
 * @returns {NodeJS.ProcessEnv}
 */
export function shiftedEnvironment({ now, target, faketime }) {
  const shiftMs = target.getTime() - now.getTime();
  const common = { TZ: "Europe/London", FARTHING_CLOCK_TARGET: target.toISOString() };
  if (faketime !== null)
    return {
      ...common,
      LD_PRELOAD: faketime,
      FAKETIME: `+${Math.round(shiftMs / 1000)}`,
      // Timers measure durations, so they keep the real clock.
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    };
  return {
    ...common,
    FARTHING_CLOCK_SHIFT_MS: String(shiftMs),
    NODE_OPTIONS:
      `${process.env["NODE_OPTIONS"] ?? ""} --import ${pathToFileURL(inRoot("bin/shift-date.mjs")).href}`.trim(),
  };
}

/**
 * Prepares a run that somebody else shifts with faketime (`faketime -f +45d npm test`). Sweeps what faketime leaves behind, and says by how much the
 * clock is shifted: the tests' database gets its clock from that (packages/db/testing/shifted-clock.ts).
 */
export function joinFaketime() {
  if (!process.env["LD_PRELOAD"]?.includes("faketime")) return;
  sweepFaketime();
  const { LD_PRELOAD: _, ...real } = process.env;
  const seconds = Number(execFileSync("date", ["+%s"], { env: real, encoding: "utf8" }));
  process.env["FARTHING_CLOCK_SHIFT_MS"] = String(Math.round(Date.now() / 1000 - seconds) * 1000);
}

const SHARED_MEMORY = "/dev/shm";

/**
 * Deletes what faketime's processes leave in shared memory, until the returned function is called. Each keeps a semaphore under its process id;
 * PostgreSQL's account can't delete all of its own, and a process that gets the id of an ended one ends with "sem_open failed".
 * @param {{ folder?: string, intervalMs?: number }} [how]
 * @returns {() => void}
 */
export function sweepFaketime({ folder = SHARED_MEMORY, intervalMs = 1_000 } = {}) {
  const sweep = () => {
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      const [, pid] = /^(?:sem\.)?faketime_(?:sem|shm)_(\d+)$/.exec(name) ?? [];
      if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(join(folder, name), { force: true });
    }
  };
  sweep();
  const sweeping = setInterval(sweep, intervalMs);
  sweeping.unref();
  return () => {
    clearInterval(sweeping);
    sweep();
  };
}
