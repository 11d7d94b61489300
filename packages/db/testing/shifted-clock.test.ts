import { afterEach, expect, test, vi } from "vitest";
import { withRealClock } from "./shifted-clock.ts";

afterEach(() => void vi.unstubAllEnvs());

const preloadOf = () => withRealClock(async () => process.env["LD_PRELOAD"]);

test("the tests' server keeps the machine's clock where its databases have a shifted one, and nothing else does", async () => {
  vi.stubEnv("LD_PRELOAD", "/usr/lib/faketime.so");
  vi.stubEnv("FARTHING_CLOCK_SHIFT_MS", undefined);
  expect(await preloadOf(), "faketime shifts all, as in the dated runs").toBe("/usr/lib/faketime.so");
  vi.stubEnv("FARTHING_CLOCK_SHIFT_MS", "3888000000");
  expect(await preloadOf()).toBeUndefined();
  expect(process.env["LD_PRELOAD"]).toBe("/usr/lib/faketime.so");
  await expect(withRealClock(async () => Promise.reject(new Error("no server")))).rejects.toThrow("no server");
  expect(process.env["LD_PRELOAD"]).toBe("/usr/lib/faketime.so");
});
