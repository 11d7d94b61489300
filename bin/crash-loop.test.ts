import { expect, test } from "vitest";
import { createCrashLoop } from "./crash-loop.mjs";

const loop = () => {
  const clock = { now: 0 };
  return { clock, ...createCrashLoop({ name: "server", now: () => clock.now }) };
};
const code1 = "ended with exit code 1";

test("P6 Z1 a part that ends before it was ever ready is not restarted", () => {
  expect(loop().ended(code1)).toBe("The server ended with exit code 1 before it was ready");
});

test("P6 a part that was ready is restarted, until the fifth end within a minute", () => {
  const { clock, ready, ended } = loop();
  for (const at of [0, 10_000, 20_000, 30_000]) {
    clock.now = at;
    ready();
    expect(ended(code1)).toBeNull();
  }
  clock.now = 59_999;
  ready();
  expect(ended("was ended by SIGKILL")).toBe(
    "The server ended 5 times within 60 seconds; the last time it was ended by SIGKILL",
  );
});

test("P6 a part that ends less often is restarted every time", () => {
  const { clock, ready, ended } = loop();
  for (let at = 0; at < 3_600_000; at += 15_001) {
    clock.now = at;
    ready();
    expect(ended(code1)).toBeNull();
  }
});

test("P6 a part that is restarted three times and never ready is not restarted again, however long each attempt takes", () => {
  const { clock, ready, ended } = loop();
  ready();
  const outcomes = [0, 1, 2, 3].map((number) => {
    clock.now = number * 120_000;
    return ended(code1);
  });
  expect(outcomes).toEqual([
    null,
    null,
    null,
    "The server was restarted 3 times and never became ready; the last time it ended with exit code 1",
  ]);
});
