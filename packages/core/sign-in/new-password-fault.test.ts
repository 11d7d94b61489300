import { passwordCases } from "../forms/rules.testing.ts";
import { describe, expect, test } from "vitest";
import { commonPasswords } from "./common-passwords.server.ts";
import { newPasswordFault } from "./new-password-fault.server.ts";
import {
  confirmationFault,
  containsEmail,
  isCommonPassword,
  MAX_PASSWORD_LENGTH,
  passwordFaults,
  passwordProblem,
} from "./rules.ts";
import { confirmCases, overlongPassword } from "../forms/rules.testing.ts";

describe("M3 new passwords, by the shared table of cases", () => {
  test.each(passwordCases)("M3 accepts a password, $why: $isGood", ({ password, isGood }) => {
    expect(passwordFaults(password).length === 0).toBe(isGood);
    expect(passwordProblem(passwordFaults(password)) === "").toBe(isGood);
  });

  test("Y1 refuses one character more than the maximum", () => {
    expect(overlongPassword).toHaveLength(MAX_PASSWORD_LENGTH + 1);
    expect(passwordFaults(overlongPassword)).toEqual(["too-long"]);
  });

  test.each(confirmCases)("M3 the confirmation: $why", ({ password, confirmation, isGood }) => {
    expect(confirmationFault(confirmation, password) === null).toBe(isGood);
  });
});

describe("Y1 common passwords", () => {
  test.each(["Password1", "P@ssw0rd", "Passw0rd!", "Letmein-2026", "Liverpool-24", "Qwertyuiop1", "Welcome1"])(
    "Y1 %s is common, although it meets the rule",
    (password) => {
      expect(isCommonPassword(password, commonPasswords)).toBe(true);
    },
  );

  test.each([...passwordCases.filter(({ isGood }) => isGood).map(({ password }) => password), "Farthing-2026"])(
    "Y1 %s is not common",
    (password) => {
      expect(isCommonPassword(password, commonPasswords)).toBe(false);
    },
  );

  test.each([
    ["Ada.Lovelace-1815", "ada.lovelace@example.org", true],
    ["xADA.LOVELACE@EXAMPLE.ORG1", "ada.lovelace@example.org", true],
    ["Example-77", "ada@example.org", true],
    ["Marigold-Kettle", "ada@example.org", false],
    ["Marigold-Kettle", "ri@x.org", false],
  ])("Y1 %s contains the address %s: %s", (password, email, expected) => {
    expect(containsEmail(password, email)).toBe(expected);
    expect(newPasswordFault(password, email)).toBe(expected ? "Leave your e-mail address out of your password." : null);
  });
});
