import { describe, expect, test } from "vitest";
import { mayTakeBack, titlesLost, type Titled } from "./email-rules.ts";

const now = new Date("2026-11-20T10:00:00Z");
const day = 24 * 60 * 60 * 1000;
const ago = (ms: number) => new Date(now.getTime() - ms);
const titled = (id: string, since: number | null): Titled => ({ id, mainSince: since === null ? null : ago(since) });

describe("S1 taking an account back", () => {
  const first = titled("first", 900 * day);
  test.each<[string, Titled, Titled | null, Titled[], boolean]>([
    ["an address that was only added may not", titled("added", null), titled("new", 0), [], false],
    ["the only address that was the main one may", first, null, [], true],
    ["the first main address may, from a later one", first, titled("later", day), [], true],
    ["a later one may not, from the first", titled("later", 400 * day), first, [first], false],
    [
      "a later one that was not contested may, from one that was never the main one",
      titled("later", 8 * day),
      null,
      [first],
      true,
    ],
    ["one of exactly seven days may not while the first is there", titled("later", 7 * day), null, [first], false],
    ["one of seven days and a millisecond may", titled("later", 7 * day + 1), null, [first], true],
    ["one of yesterday may not while the first is there", titled("later", day), titled("new", null), [first], false],
    ["one of yesterday may if none is earlier", titled("later", day), titled("new", null), [titled("x", 0)], true],
    ["one as old as another may: neither is earlier", titled("later", day), null, [titled("twin", day)], true],
  ])("S1 %s", (_, loser, gaining, others, may) => {
    expect(mayTakeBack(loser, { gaining, others: [loser, ...others], now })).toBe(may);
  });

  test("S1 later addresses lose their time as the main one when the first returns", () => {
    const others = [first, titled("a", 300 * day), titled("b", day), titled("c", null)];
    expect(titlesLost(first, { main: others[2]!, others, now })).toEqual(["a", "b"]);
  });

  test("S1 a main address that can still be contested loses its time as the main one", () => {
    const main = titled("thief", day);
    expect(titlesLost(titled("new", null), { main, others: [first, main], now })).toEqual(["thief"]);
    expect(titlesLost(titled("new", null), { main, others: [main], now }), "the first address itself").toEqual([]);
    const old = titled("home", 8 * day);
    expect(titlesLost(titled("new", null), { main: old, others: [first, old], now })).toEqual([]);
  });
});
