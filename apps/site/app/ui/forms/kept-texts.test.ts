import { expect, test } from "vitest";
import { type FieldState, holdsKeptText, keptAfter, type KeptTexts, stillKept, textsToFillIn } from "./kept-texts.ts";

const nothing: KeptTexts = new Map();
const field = (name: string, text: string, saved = text): FieldState => ({
  name,
  text,
  saved,
  isTouched: text !== saved,
});
const typed = (...entries: [name: string, text: string, over: string][]): KeptTexts =>
  new Map(entries.map(([name, text, over]) => [name, { text, over }]));

test("M5 a form keeps what was changed in it, and nothing that stands as it is saved", () => {
  const kept = keptAfter(nothing, [field("name", "Robin Try", "Robin Kept"), field("residence", "england")]);
  expect(kept).toEqual(typed(["name", "Robin Try", "Robin Kept"]));
  expect(keptAfter(kept, [field("name", "Robin Kept"), field("residence", "england")])).toEqual(nothing);
});

test("M5 what was typed over something that has changed since is dropped", () => {
  const kept = typed(["name", "Robin Try", "Robin Kept"], ["residence", "wales", "england"]);
  expect(stillKept(kept, [field("name", "Robin Wed"), field("residence", "england")])).toEqual(
    typed(["residence", "wales", "england"]),
  );
});

test("M5 what is typed is kept past a page with errors, which gives it back", () => {
  const kept = typed(["name", "Robin Try", "Robin Kept"]);
  const withErrors = [field("name", "Robin Try")];
  expect(stillKept(kept, withErrors)).toEqual(kept);
  expect(keptAfter(kept, withErrors)).toEqual(kept);
  const corrected = keptAfter(kept, [field("name", "Robin Tried", "Robin Try")]);
  expect(corrected).toEqual(typed(["name", "Robin Tried", "Robin Kept"]));
  expect(textsToFillIn(corrected, [field("name", "Robin Kept")])).toEqual(new Map([["name", "Robin Tried"]]));
});

test("M5 a field that is not there at the moment stays kept", () => {
  const kept = typed(["job_role", "7", ""]);
  expect(stillKept(kept, [])).toEqual(kept);
  expect(keptAfter(kept, [field("name", "Robin Try", "Robin Kept")]).get("job_role")).toEqual({ text: "7", over: "" });
});

test("M5 nothing is filled in over what a person has changed already", () => {
  const kept = typed(["name", "Robin Try", "Robin Kept"]);
  expect(textsToFillIn(kept, [field("name", "Robin New", "Robin Kept")])).toEqual(new Map());
  expect(textsToFillIn(kept, [field("name", "Robin Kept"), field("residence", "england")])).toEqual(
    new Map([["name", "Robin Try"]]),
  );
});

test("M5 a form that holds what was typed earlier is one to say so of", () => {
  const kept = typed(["name", "Robin Try", "Robin Kept"]);
  expect(holdsKeptText(kept, [field("name", "Robin Try", "Robin Kept")])).toBe(true);
  expect(holdsKeptText(kept, [field("name", "Robin Try")]), "a page with errors").toBe(false);
  expect(holdsKeptText(kept, [field("name", "Robin Other", "Robin Kept")])).toBe(false);
  expect(holdsKeptText(nothing, [field("name", "Robin Try", "Robin Kept")])).toBe(false);
});
