import { describe, expect, test } from "vitest";
import { noticeTimes } from "./notice-times.ts";

const now = new Date("2026-11-30T12:00:00Z");
const at = (time: string) => new Date(`2026-${time}:00Z`);

describe("P6 when a notice holds, in words", () => {
  test.each([
    [at("11-30T22:00"), at("12-01T02:00"), "from 22:00 today until 02:00 on 1 December"],
    [at("11-29T22:00"), at("11-30T23:00"), "from 22:00 on 29 November until 23:00 today"],
    [at("12-01T01:00"), at("12-01T04:00"), "from 01:00 until 04:00 on 1 December"],
    [at("11-30T01:00"), at("11-30T14:00"), "from 01:00 until 14:00"],
    [at("12-01T01:00"), null, "from 01:00 on 1 December"],
    [null, at("11-30T14:00"), "until 14:00"],
    [null, at("12-01T04:00"), "until 04:00 on 1 December"],
    [null, null, ""],
  ])("P6 from %s until %s", (since, until, words) => {
    expect(noticeTimes({ since, until }, now)).toBe(words);
  });
});
