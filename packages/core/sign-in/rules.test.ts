import { describe, expect, test } from "vitest";
import {
  confirmationFault,
  containsEmail,
  passwordFaults,
  PASSWORD_HAS_EMAIL,
  PASSWORD_IS_COMMON,
  passwordProblem,
  PASSWORD_RULE,
} from "./rules.ts";

describe("M3 the password rule", () => {
  test.each(["Farthing-2026", "abcdefG1", "abcdefG!", "Grüße aus Köln 7", "Aa1_____"])("M3 accepts %s", (password) => {
    expect(passwordFaults(password)).toEqual([]);
  });

  test.each([
    ["Abcde1!", ["too-short"]],
    ["abcdefg1", ["no-uppercase"]],
    ["ABCDEFG1", ["no-lowercase"]],
    ["Abcdefgh", ["no-digit-or-special"]],
    ["Abcd efgh", ["no-digit-or-special"]],
    ["", ["too-short", "no-lowercase", "no-uppercase", "no-digit-or-special"]],
    [`Aa1${"x".repeat(126)}`, ["too-long"]],
  ])("M3 refuses %j and names each unmet part", (password, faults) => {
    expect(passwordFaults(password)).toEqual(faults);
  });

  test("Y1 accepts a password of 128 characters", () => {
    expect(passwordFaults(`Aa1${"x".repeat(125)}`)).toEqual([]);
  });
});

describe("M3 the password rule in words", () => {
  test.each([
    ["Farthing-2026", ""],
    ["Abc1", "Use at least 8 characters."],
    ["abcdefg1", "Add an uppercase letter."],
    ["ABCDEFG1", "Add a lowercase letter."],
    ["Abcdefgh", "Add a digit or special character."],
    ["abcdefgh", "Add an uppercase letter and a digit or special character."],
    ["        ", "Add a lowercase letter, an uppercase letter and a digit or special character."],
    ["abc", "Use at least 8 characters. Add an uppercase letter and a digit or special character."],
    [`Aa1${"x".repeat(126)}`, "Use at most 128 characters."],
  ])("M3 %j: %j", (password, problem) => {
    expect(passwordProblem(passwordFaults(password))).toBe(problem);
    expect(confirmationFault(password, password)).toBe(problem || null);
  });

  test("Y1 a refusal says what to do", () => {
    expect(PASSWORD_HAS_EMAIL).toMatch(/^Leave your e-mail address out/);
    expect(PASSWORD_IS_COMMON).toMatch(/Choose another\.$/);
  });

  test("M3 the sentence of the rule names every part", () => {
    expect(PASSWORD_RULE).toBe(
      "At least 8 characters, with a lowercase letter, an uppercase letter, and a digit or special character.",
    );
  });

  test("M3 a confirmation that differs is named first, whatever else is wrong with it", () => {
    for (const typed of ["Farthing-2027", "farthing-2026", "Farthing-2026 "])
      expect(confirmationFault(typed, "Farthing-2026")).toBe("This is not the same as the password above.");
    expect(confirmationFault("", "Farthing-2026")).toBe("** This is a required field");
  });

  test("Y1 an emoji counts as one character", () => {
    expect(passwordFaults("Aa1😀😀😀😀")).toEqual(["too-short"]);
    expect(passwordFaults("Aa1😀😀😀😀😀")).toEqual([]);
  });

  test.each([
    ["xxada@sch.examplexx", "ada@sch.example", true],
    ["ADALOVELACE-1", " Ada.Lovelace@sch.example ", false],
    ["my-ADA.LOVELACE-1", " Ada.Lovelace@sch.example ", true],
    ["Elm-Road-School-1", "ada@elm-road.sch.example", true],
    ["ada-Bob-12", "ada@sch.example", false],
    ["anna-Bob-12", "anna@sch.example", true],
    ["bobs-sch-12", "ada@sch.example", false],
    ["Farthing-2026", "", false],
  ])("Y1 %s contains %s: %s", (password, email, holds) => expect(containsEmail(password, email)).toBe(holds));
});
