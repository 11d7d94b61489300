import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clockShifts, findFaketime, shiftedEnvironment, sweepFaketime } from "./clock-shifts.mjs";
import { datedTests } from "./dated-tests.mjs";

const now = new Date("2026-11-22T09:30:00Z");

test("the dates of the shifted test runs are in the future on any day", () => {
  const at = (today: string) =>
    Object.fromEntries(clockShifts.map(({ name, target }) => [name, target(new Date(today)).toISOString()]));
  expect(at("2026-11-22T09:30:00Z")).toEqual({
    "45-days": "2027-01-06T09:30:00.000Z",
    "leap-day": "2028-02-29T12:00:00.000Z",
    "new-year": "2026-12-31T23:59:50.000Z",
    spring: "2027-03-28T00:59:50.000Z",
    autumn: "2027-10-31T00:59:50.000Z",
  });
  expect(at("2028-02-29T12:00:00Z")).toMatchObject({
    "leap-day": "2032-02-29T12:00:00.000Z",
    spring: "2028-03-26T00:59:50.000Z",
  });
});

test("without faketime Node's clock is shifted, including calls and subclasses of Date; explicit times are not", () => {
  const target = new Date("2028-02-29T12:30:00Z");

  const env = shiftedEnvironment({ now, target, faketime: null });
  const script = `class Later extends Date {}
    const real = Number(process.env.REAL_NOW);
    console.log(JSON.stringify([Date.now(), +new Date(), +new Later(), Date.parse(Date())].map((at) => Math.round((at - real) / 3600000))),
      new Date("2026-11-20T12:00:00Z").toISOString(), new Date(2026, 0, 1) instanceof Date, Date.UTC(2026, 0))`;
  const plain = { PATH: process.env["PATH"], REAL_NOW: "" };
  const real = execFileSync(process.execPath, ["-p", "Date.now()"], { env: plain, encoding: "utf8" }).trim();
  const said = execFileSync(process.execPath, ["-e", script], {
    env: { ...plain, ...env, REAL_NOW: real },
    encoding: "utf8",
  });
  const hours = Math.round((target.getTime() - now.getTime()) / 3_600_000);
  expect(said).toContain(JSON.stringify(Array(4).fill(hours)));
  expect(said).toContain(`2026-11-20T12:00:00.000Z true ${Date.UTC(2026, 0)}`);
});

test("with faketime every process is shifted and timers keep the real clock", () => {
  const env = shiftedEnvironment({ now, target: new Date("2026-11-23T09:30:00Z"), faketime: "/lib/faketime.so" });
  expect(env).toMatchObject({
    LD_PRELOAD: "/lib/faketime.so",
    FAKETIME: "+86400",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
    TZ: "Europe/London",
  });
  expect(env).not.toHaveProperty("FARTHING_CLOCK_SHIFT_MS");
  expect(findFaketime() ?? "").toMatch(/^$|libfaketimeMT/);
});

test("what an ended process left in faketime's shared memory is deleted, and nothing else", () => {
  const folder = mkdtempSync(join(tmpdir(), "farthing-sweep-"));
  const { pid: ended } = spawnSync("true");
  const kept = [`sem.faketime_sem_${process.pid}`, `faketime_shm_${process.pid}`, `sem.other_${ended}`];
  for (const name of [...kept, `sem.faketime_sem_${ended}`, `faketime_shm_${ended}`])
    writeFileSync(join(folder, name), "");
  sweepFaketime({ folder })();
  const left = readdirSync(folder).toSorted();
  rmSync(folder, { recursive: true });
  expect(left).toEqual(kept.toSorted());
});

test("tests that read a clock are found, directly or through their helpers", () => {
  const files = datedTests();
  expect(files).toContain("apps/site/app/pages.test.ts");
  expect(files).toContain("apps/server/sign-in/second-factor.test.ts");
  expect(files).toContain("packages/core/search/search.test.ts");
  expect(files).not.toContain("packages/core/money/money.test.ts");
  expect(new Set(files).size).toBe(files.length);
});
