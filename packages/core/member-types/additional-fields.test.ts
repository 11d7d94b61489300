import { describe, expect, test } from "vitest";
import { askedFields, readAdditionalFields, type AdditionalField } from "./additional-fields.ts";

const now = new Date("2026-11-20T12:00:00Z");
const field = (changes: Partial<AdditionalField>): AdditionalField => ({
  name: "thing",
  label: "Thing",
  help: "",
  kind: "text",
  choices: [],
  isRequired: false,
  isOrganisationDetail: false,
  autocomplete: "off",
  ...changes,
});
const read = (definition: AdditionalField, typed: string) =>
  readAdditionalFields([definition], (name) => (name === "additional_thing" ? typed : ""), now);

describe("M1 a field's definition gives the server's schema", () => {
  test.each([
    [field({}), "Fernhollow", "Fernhollow"],
    [field({ kind: "email" }), "ada@school.example", "ada@school.example"],
    [field({ kind: "select", choices: ["Primary"] }), "Primary", "Primary"],
    [field({ kind: "month" }), "2027-07", "2027-07"],
    [field({ kind: "month" }), "7/2027", "2027-07"],
    [field({ kind: "date" }), "05-11-19", "2019-11-05"],
    [field({ kind: "checkbox" }), "yes", true],
  ])("M1 %o accepts %j", (definition, typed, answer) => {
    expect(read(definition, typed)).toEqual({ answers: { thing: answer }, errors: {} });
  });

  test.each([
    [field({ isRequired: true }), "", "** This is a required field"],
    [field({ isRequired: true, kind: "checkbox" }), "", "** This is a required field"],
    [field({}), "x".repeat(121), "Use at most 120 characters."],
    [field({}), "a\u0000b", "Use letters, digits and signs only."],
    [field({ kind: "email" }), "ada", "Enter an e-mail address like name@example.org."],
    [field({ kind: "select", choices: ["Primary"] }), "primary", "Choose one of the list."],
    [field({ kind: "month" }), "2027-13", "Enter a month like 2027-07."],
    [field({ kind: "date" }), "31-02-19", "Enter a date like 05-11-26."],
  ])("M1 %o refuses %j", (definition, typed, message) => {
    expect(read(definition, typed)).toEqual({ answers: {}, errors: { additional_thing: message } });
  });

  test("M1 unanswered questions are left out", () => {
    for (const kind of ["text", "email", "month", "date", "checkbox"] as const)
      expect(read(field({ kind }), "")).toEqual({ answers: {}, errors: {} });
  });

  test("M1 organisation details are asked for unless the status hides them", () => {
    const fields = [field({ name: "own" }), field({ name: "theirs", isOrganisationDetail: true })];
    expect(askedFields(fields, false).map(({ name }) => name)).toEqual(["own", "theirs"]);
    expect(askedFields(fields, true).map(({ name }) => name)).toEqual(["own"]);
  });
});
