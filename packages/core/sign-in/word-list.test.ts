import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { commonPasswords } from "./common-passwords.server.ts";
import { isCommonPassword, passwordFaults } from "./rules.ts";
import { browserWordList, packWords, unpackWords } from "./word-list.ts";

describe("Y1 the common passwords in the browser", () => {
  test("Y1 unpacking returns the packed words", () => {
    // Long shared prefixes too: one digit has their length.
    const end = fc.oneof(fc.stringMatching(/^[a-z0-9]{0,9}$/), fc.string({ maxLength: 9 }));
    const word = fc
      .tuple(fc.constantFrom("", "a", "pass", "a".repeat(34), "a".repeat(35), "a".repeat(36), "a".repeat(70)), end)
      .map(([begin, rest]) => begin + rest)
      .filter((text) => text !== "" && !text.includes("\n"));
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), (words) => {
        expect(unpackWords(packWords(new Set(words)))).toEqual(new Set(words));
      }),
    );
  });

  test("Y1 browser and server agree on every password that meets the rule", () => {
    const inBrowser = unpackWords(browserWordList(commonPasswords));
    const words = [...commonPasswords];
    const dressed = fc
      .record({
        word: fc.constantFrom(...words),
        before: fc.constantFrom("", "1", "!", "X", "99"),
        after: fc.constantFrom("", "1", "!", "2026", "-24", "a", "$"),
        sign: fc.constantFrom("", "0", "1", "3", "4", "5", "7", "@", "$", "!"),
        capital: fc.boolean(),
      })
      .map(({ word, before, after, sign, capital }) => {
        const letters = { "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", $: "s", "!": "i" };
        const spelled = sign === "" ? word : word.replace(letters[sign as keyof typeof letters], sign);
        return before + (capital ? spelled.charAt(0).toUpperCase() + spelled.slice(1) : spelled) + after;
      });
    fc.assert(
      fc.property(fc.oneof(dressed, fc.string({ minLength: 8, maxLength: 20 })), (password) => {
        fc.pre(passwordFaults(password).length === 0);
        expect(isCommonPassword(password, inBrowser)).toBe(isCommonPassword(password, commonPasswords));
      }),
      { numRuns: 3000 },
    );
  });
});
