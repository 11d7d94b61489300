import { describe, expect, test } from "vitest";
import { isString, optionalOrNull, shape } from "./read-json-message.ts";

const named = shape({ name: isString });
const anything = shape({});
const optional = shape({ name: optionalOrNull(isString) });

describe("W3 a shape is an object with the required fields", () => {
  test.each([null, undefined, 5, "text", true, [], [{ name: "x" }], () => {}])("%j is not an object", (value) => {
    for (const check of [named, anything, optional]) expect(check(value)).toBe(false);
  });

  test("required fields must exist and pass; other fields are allowed", () => {
    expect(named({ name: "x", more: 1 })).toBe(true);
    expect(named({ name: 5 })).toBe(false);
    expect(named({})).toBe(false);
    expect(anything({})).toBe(true);
  });

  test("an optional field may be missing or null, and is checked otherwise", () => {
    for (const value of [{}, { name: null }, { name: "x" }]) expect(optional(value)).toBe(true);
    for (const value of [{ name: 5 }, { name: [] }]) expect(optional(value)).toBe(false);
  });

  test("inherited fields do not count", () => {
    expect(named(Object.create({ name: "x" }))).toBe(false);
  });
});
