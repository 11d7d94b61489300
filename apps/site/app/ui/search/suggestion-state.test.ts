import { describe, expect, test } from "vitest";
import {
  announcement,
  markMatches,
  nextSuggestions,
  noSuggestions,
  searchedText,
  searchPath,
  suggestionsOf,
  type SuggestionEvent,
} from "./suggestion-state.ts";

const boots = {
  retailers: [{ name: "Fernhollow Boots", rates: "6% cashback", path: "/retailers/fernhollow-boots" }],
  categories: [{ name: "Shoes & bags", path: "/categories/shoes-and-bags", liveOffers: 1 }],
  offers: [{ title: "20% off boots", headline: "20% off", retailer: "Fernhollow Boots", path: "/offers/x?offer=y" }],
};
const nothing = { retailers: [], categories: [], offers: [] };
const start = [{ label: "Recent searches", suggestions: [{ label: "sofa", path: "/search?q=sofa" }] }];
const after = (...events: SuggestionEvent[]) => events.reduce(nextSuggestions, noSuggestions);
const typed = (query: string): SuggestionEvent => ({ type: "typed", query, start });

describe("D6 suggestions while typing", () => {
  test("D6 an empty field shows recent searches, and typing waits for an answer", () => {
    expect(suggestionsOf(after(typed("  "))).map(({ label }) => label)).toEqual(["sofa"]);
    const waiting = after(typed(""), typed("boo"));
    expect(waiting).toMatchObject({ isOpen: true, outcome: "waiting", groups: [] });
    expect(announcement(waiting)).toBe("");
  });

  test("D6 an answer or failure of an earlier query is dropped", () => {
    const state = after(typed("boo"), typed("boots"), { type: "answered", query: "boo", answer: boots });
    expect(state).toMatchObject({ outcome: "waiting", groups: [] });
    expect(nextSuggestions(state, { type: "failed", query: "boo" })).toBe(state);
    expect(nextSuggestions(state, { type: "answered", query: "boots", answer: boots }).groups).toHaveLength(3);
  });

  test("D2 D6 a doubtful correction is a question that leads to its results, and an older server asks none", () => {
    const asked = after(typed("nike"), { type: "answered", query: "nike", answer: { ...nothing, didYouMean: "nine" } });
    expect(asked.groups).toEqual([{ label: "Did you mean", suggestions: [{ label: "nine", path: "/search?q=nine" }] }]);
    expect(announcement(asked)).toBe("Nothing found. Did you mean nine?");
    expect(after(typed("nike"), { type: "answered", query: "nike", answer: nothing }).groups).toEqual([]);
  });

  test("D2 D6 what is kept of a chosen search is what its address searches for", () => {
    const asked = after(typed("nike"), { type: "answered", query: "nike", answer: { ...nothing, didYouMean: "nine" } });
    expect(suggestionsOf(asked).map(({ path }) => searchedText(path))).toEqual(["nine", "nike"]);
    expect(searchedText(searchPath("10% off & more +1"))).toBe("10% off & more +1");
    expect(searchedText("/retailers/search")).toBeNull();
  });

  test("D6 the arrow keys cycle through every group, all results and the field", () => {
    let state = after(typed("boots"), { type: "answered", query: "boots", answer: boots });
    const labels = suggestionsOf(state).map(({ label }) => label);
    expect(labels).toEqual(["Fernhollow Boots", "Shoes & bags", "20% off boots", "See all results for “boots”"]);
    expect(suggestionsOf(state).map(({ note }) => note)).toEqual([
      "6% cashback",
      "1 offer",
      "Fernhollow Boots",
      undefined,
    ]);
    const visited = Array.from({ length: 5 }, () => (state = nextSuggestions(state, { type: "moved", by: 1 })).active);
    expect(visited).toEqual([0, 1, 2, 3, -1]);
    expect(nextSuggestions(state, { type: "moved", by: -1 }).active).toBe(3);
    expect(nextSuggestions(noSuggestions, { type: "moved", by: 1 }).active).toBe(-1);
  });

  test("D6 typing more clears the chosen line, so that Enter never opens another one", () => {
    const chosen = after(typed("boots"), { type: "answered", query: "boots", answer: boots }, { type: "moved", by: 1 });
    expect(chosen.active).toBe(0);
    expect(nextSuggestions(chosen, typed("boots r")).active).toBe(-1);
    expect(nextSuggestions(chosen, { type: "closed" })).toMatchObject({ isOpen: false, active: -1 });
  });

  describe("a line that is chosen before the answer arrives", () => {
    const chosenOf = (state: ReturnType<typeof after>) => suggestionsOf(state)[state.active]?.path;
    const moved: SuggestionEvent = { type: "moved", by: 1 };
    const back: SuggestionEvent = { type: "moved", by: -1 };
    // "boots" is answered, "boots r" is pending, and the arrow key goes to the category.
    const waiting = after(
      typed("boots"),
      { type: "answered", query: "boots", answer: boots },
      typed("boots r"),
      moved,
      moved,
    );
    const withCategoryFirst = { ...nothing, categories: boots.categories };
    const without = { ...nothing, offers: boots.offers };

    test("D6 U1 stays chosen where the answer has it, at any position", () => {
      expect(chosenOf(waiting)).toBe("/categories/shoes-and-bags");
      const answered = nextSuggestions(waiting, { type: "answered", query: "boots r", answer: withCategoryFirst });
      expect(answered).toMatchObject({ outcome: "answered", active: 0, late: null });
      expect(chosenOf(answered)).toBe("/categories/shoes-and-bags");
    });

    test("D6 U1 stays chosen where the answer lacks it, and the answer is shown once the person is back in the field", () => {
      const kept = nextSuggestions(waiting, { type: "answered", query: "boots r", answer: without });
      expect(chosenOf(kept)).toBe("/categories/shoes-and-bags");
      expect(chosenOf(nextSuggestions(kept, back))).toBe("/retailers/fernhollow-boots");
      for (const inField of [[back, back].reduce(nextSuggestions, kept), nextSuggestions(kept, { type: "closed" })]) {
        expect(inField).toMatchObject({ outcome: "answered", active: -1, late: null });
        expect(suggestionsOf(inField)[0]?.path).toBe("/offers/x?offer=y");
      }
    });

    test("D6 a late answer is dropped when more is typed", () => {
      const kept = nextSuggestions(waiting, { type: "answered", query: "boots r", answer: without });
      const typedOn = nextSuggestions(kept, typed("boots re"));
      expect(typedOn).toMatchObject({ outcome: "waiting", active: -1, late: null });
    });

    test("D6 U1 stays chosen after a failure, and all results stay chosen after any answer", () => {
      const failed = nextSuggestions(waiting, { type: "failed", query: "boots r" });
      expect(chosenOf(failed)).toBe("/categories/shoes-and-bags");
      expect([back, back].reduce(nextSuggestions, failed)).toMatchObject({ outcome: "failed", groups: [], active: -1 });
      const all = after(typed("boots"), back);
      for (const event of [
        { type: "answered", query: "boots", answer: boots },
        { type: "failed", query: "boots" },
      ] as const)
        expect(chosenOf(nextSuggestions(all, event))).toBe("/search?q=boots");
    });
  });

  test("D6 the number of suggestions is announced, also when there are none", () => {
    const count = (answer: typeof boots) => announcement(after(typed("b"), { type: "answered", query: "b", answer }));
    expect(count(boots)).toBe("3 suggestions");
    expect(count({ ...nothing, retailers: boots.retailers })).toBe("1 suggestion");
    expect(count(nothing)).toMatch(/^No suggestions/);
    expect(announcement(after(typed("b")))).toBe("");
  });

  test("D6 U1 that there are no suggestions just now is announced in the words that are shown", () => {
    const failed = after(typed("b"), { type: "failed", query: "b" });
    expect(announcement(failed)).toBe("Suggestions can’t be had just now. Searching works.");
    expect(announcement(nextSuggestions(failed, { type: "closed" }))).toBe("");
  });

  test.each([
    ["Fernhollow Boots", "fern bo", "[Fern]hollow [Bo]ots"],
    ["Élan Optics", "elan", "[Élan] Optics"],
    ["O’Hara's Café", "ohara cafe", "[O’Hara]'s [Café]"],
    ["Shoes & bags", "&", "Shoes & bags"],
    ["Homeware", "ware", "Homeware"],
    ["<b>bold</b>", "b", "<[b]>[b]old</[b]>"],
    ["Anything", "", "Anything"],
  ])("D6 in %j the query %j marks %s", (label, query, marked) => {
    const pieces = markMatches(label, query);
    expect(pieces.map(({ text, isMatch }) => (isMatch ? `[${text}]` : text)).join("")).toBe(marked);
  });
});
