import { afterEach, describe, expect, test, vi } from "vitest";
import { payLabel } from "./pounds.ts";
import { wordsFor } from "./words.ts";

afterEach(() => void vi.unstubAllGlobals());

describe("U1 the dialog's own words follow the locale", () => {
  test.each([
    [undefined, "en"],
    ["en-GB", "en"],
    ["fr", "fr"],
    ["fr-CA", "fr"],
    ["FR", "fr"],
    ["pt_BR", "pt"],
    ["ja", "en"], // not one of the languages
    ["fro", "en"], // another language, whose tag begins alike
    ["", "en"],
    ["constructor", "en"],
  ])("U1 %s is %s", (locale, lang) => {
    expect(wordsFor(locale).lang).toBe(lang);
  });

  test("U1 auto is the browser's language", () => {
    for (const [language, lang] of [
      ["pl-PL", "pl"],
      ["ja-JP", "en"],
    ]) {
      vi.stubGlobal("navigator", { language });
      expect(wordsFor("auto").lang).toBe(lang);
    }
  });

  test("U1 each language has all words, the amount in the button, and none of the English ones", () => {
    const languages = ["en", "cy", "de", "es", "fr", "it", "pl", "pt", "ro"].map(wordsFor);
    for (const words of languages) {
      expect(Object.values(words).filter((word) => typeof word === "string" && word !== "")).toHaveLength(7);
      expect(payLabel(50, words)).toMatch(/0[.,]50/);
    }
    const [english, ...others] = languages.map(Object.values) as string[][];
    for (const words of others) expect(words.filter((word) => english!.includes(word))).toEqual([]);
  });
});
