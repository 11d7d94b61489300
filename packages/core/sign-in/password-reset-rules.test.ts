import { describe, expect, test } from "vitest";
import { tokenLifeMs } from "../members/token-rules.ts";
import { answerToReset, SLOW_RESET_LIFE_MS } from "./password-reset-rules.ts";

const now = new Date("2026-11-20T10:00:00Z");
const ago = (ms: number) => new Date(now.getTime() - ms);

describe("S1 answers to requests for a new password", () => {
  const link = (age: number, life: number) => ({
    createdAt: ago(age),
    expiresAt: new Date(now.getTime() - age + life),
  });
  const short = tokenLifeMs["reset-password"];
  test.each<[string, number, ReturnType<typeof link> | null, number | null]>([
    ["the first request is answered", 0, null, short],
    ["the third is answered, although a new link is valid", 2, link(0, short), short],
    [
      "the fourth is not answered while a link has more than half its lifetime left",
      3,
      link(short / 2 - 1, short),
      null,
    ],
    ["the fourth is not answered at exactly half", 3, link(short / 2, short), null],
    ["the fourth is answered a millisecond later", 3, link(short / 2 + 1, short), SLOW_RESET_LIFE_MS],
    ["the fourth is answered if no link is left", 3, null, SLOW_RESET_LIFE_MS],
    [
      "the ninth is not answered while a slow link has half its lifetime left",
      8,
      link(SLOW_RESET_LIFE_MS / 2, SLOW_RESET_LIFE_MS),
      null,
    ],
    [
      "the ninth is answered if it has less",
      8,
      link(SLOW_RESET_LIFE_MS / 2 + 1, SLOW_RESET_LIFE_MS),
      SLOW_RESET_LIFE_MS,
    ],
  ])("S1 %s", (_, sentInDay, longest, lifeMs) => {
    expect(answerToReset({ sentInDay, longest }, now)).toEqual(
      lifeMs === null ? { sends: false } : { sends: true, lifeMs },
    );
  });
});
