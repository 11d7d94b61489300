import { describe, expect, test } from "vitest";
import { mayTakeBack, titlesLost, type Titled } from "./email-rules.ts";

const now = new Date("2026-11-20T10:00:00Z");
const day = 24 * 60 * 60 * 1000;
const ago = (ms: number) => new Date(now.getTime() - ms);
const titled = (id: string, since: number | null): Titled => ({ id, mainSince: since === null ? null : ago(since) });

describe("S1 who may take an account back", () => {
  const first = titled("first", 900 * day);
  test.each<[string, Titled, Titled | null, Titled[], boolean]>([
    ["one that was only added, never", titled("added", null), titled("new", 0), [], false],
    ["the only one that was the main one", first, null, [], true],
    ["the first, from a later one", first, titled("later", day), [], true],
    ["a later one, not from the first", titled("later", 400 * day), first, [first], false],
    ["a later one that has lasted, from one never the main one", titled("later", 8 * day), null, [first], true],
    ["one of seven days and no more, while the first is there", titled("later", 7 * day), null, [first], false],
    ["one of seven days and a millisecond", titled("later", 7 * day + 1), null, [first], true],
    ["one of yesterday, while the first is there", titled("later", day), titled("new", null), [first], false],
    ["one of yesterday, when none is earlier", titled("later", day), titled("new", null), [titled("x", 0)], true],
    ["one as old as another is not earlier", titled("later", day), null, [titled("twin", day)], true],
  ])("S1 %s", (_, loser, gaining, others, may) => {
    expect(mayTakeBack(loser, { gaining, others: [loser, ...others], now })).toBe(may);
  });

  test("S1 when the first comes back, all later ones are as if they had never been the main one", () => {
    const others = [first, titled("a", 300 * day), titled("b", day), titled("c", null)];
    expect(titlesLost(first, { main: others[2]!, others, now })).toEqual(["a", "b"]);
  });

  test("S1 one that was the main one for less than its time to object is as if it had never been", () => {
    const main = titled("thief", day);
    expect(titlesLost(titled("new", null), { main, others: [first, main], now })).toEqual(["thief"]);
    expect(titlesLost(titled("new", null), { main, others: [main], now }), "the first itself").toEqual([]);
    const old = titled("home", 8 * day);
    expect(titlesLost(titled("new", null), { main: old, others: [first, old], now })).toEqual([]);
  });
});
