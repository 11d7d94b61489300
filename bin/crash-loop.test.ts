import { expect, test } from "vitest";
import { createCrashLoop } from "./crash-loop.mjs";

const loop = () => {
  const clock = { now: 0 };
  return { clock, ...createCrashLoop({ name: "server", now: () => clock.now }) };
};
const code1 = "ended with exit code 1";

test("P6 Z1 a part that ends before it was ever ready is not started again", () => {
  expect(loop().ended(code1)).toBe("The server ended with exit code 1 before it was ready");
});

test("P6 one that has served is started again; the fifth end within a minute is the last", () => {
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

test("P6 ends further apart than that go on for ever", () => {
  const { clock, ready, ended } = loop();
  for (let at = 0; at < 3_600_000; at += 15_001) {
    clock.now = at;
    ready();
    expect(ended(code1)).toBeNull();
  }
});

test("P6 one that is started again and again and never gets ready is given up, however long each try takes", () => {
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
    "The server was started again 3 times and never got ready; the last time it ended with exit code 1",
  ]);
});
