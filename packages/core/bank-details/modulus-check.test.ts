import { describe, expect, test } from "vitest";
import { passesModulusCheck } from "./modulus-check.server.ts";

/** The test cases that Pay.UK publishes with the rules (chapter 3), with what each one is about. */
const published: readonly (readonly [sortCode: string, accountNumber: string, isValid: boolean, about: string])[] = [
  ["089999", "66374958", true, "modulus 10"],
  ["107999", "88837491", true, "modulus 11"],
  ["202959", "63748472", true, "modulus 11 and double alternate"],
  ["871427", "46238510", true, "exceptions 10 and 11: the first check passes"],
  ["872427", "46238510", true, "exceptions 10 and 11: the first check fails and the second passes"],
  ["871427", "09123496", true, "exception 10: ab is 09 and g is 9"],
  ["871427", "99123496", true, "exception 10: ab is 99 and g is 9"],
  ["820000", "73688637", true, "exception 3: c is 6, the second check is left out"],
  ["827999", "73988638", true, "exception 3: c is 9, the second check is left out"],
  ["827101", "28748352", true, "exception 3: c is neither 6 nor 9, both checks pass"],
  ["134020", "63849203", true, "exception 4: the remainder is the check digits"],
  ["118765", "64371389", true, "exception 1: 27 is added"],
  ["200915", "41011166", true, "exception 6: a foreign currency account"],
  ["938611", "07806039", true, "exception 5: both checks pass"],
  ["938600", "42368003", true, "exception 5: both checks pass with a substituted sort code"],
  ["938063", "55065200", true, "exception 5: both checks leave no remainder"],
  ["772798", "99345694", true, "exception 7: passes, and would fail otherwise"],
  ["086090", "06774744", true, "exception 8"],
  ["309070", "02355688", true, "exceptions 2 and 9: the first check passes"],
  ["309070", "12345668", true, "exceptions 2 and 9: a is not 0 and g is not 9"],
  ["309070", "12345677", true, "exceptions 2 and 9: the first fails, the second passes with the substituted sort code"],
  ["309070", "99345694", true, "exceptions 2 and 9: a is not 0 and g is 9"],
  ["938063", "15764273", false, "exception 5: the first check digit is right and the second wrong"],
  ["938063", "15764264", false, "exception 5: the first check digit is wrong and the second right"],
  ["938063", "15763217", false, "exception 5: the first check has remainder 1"],
  ["118765", "64371388", false, "exception 1: fails double alternate"],
  ["203099", "66831036", false, "passes modulus 11 and fails double alternate"],
  ["203099", "58716970", false, "fails modulus 11 and passes double alternate"],
  ["089999", "66374959", false, "fails modulus 10"],
  ["107999", "88837493", false, "fails modulus 11"],
  ["074456", "12345112", true, "exceptions 12 and 13: modulus 11 would fail, the other passes"],
  ["070116", "34012583", true, "exceptions 12 and 13: passes modulus 11"],
  ["074456", "11104102", true, "exceptions 12 and 13: passes modulus 11, would fail modulus 10"],
  ["180002", "00000190", true, "exception 14: passes without its last digit"],
];

describe("C6 the modulus check", () => {
  test.each(published)("C6 %s %s is %s (%s)", (sortCode, accountNumber, isValid) => {
    expect(passesModulusCheck(sortCode, accountNumber)).toBe(isValid);
  });

  test("C6 a sort code that the table does not have passes, because it can't be checked", () => {
    expect(passesModulusCheck("000000", "12345678")).toBe(true);
  });

  test.each([
    ["exception 3 asks for the second check unless c is 6 or 9", "827101", "28748353"],
    ["exception 14 refuses last digits other than 0, 1 and 9", "180002", "00000192"],
    ["exception 4 compares both check digits", "134020", "63849213"],
  ])("C6 %s", (_, sortCode, accountNumber) => {
    expect(passesModulusCheck(sortCode, accountNumber)).toBe(false);
  });

  test("C6 one wrong digit of an ordinary account is noticed, whichever it is", () => {
    const account = "66374958";
    for (let place = 0; place < 8; place += 1)
      for (const digit of "0123456789")
        if (digit !== account[place])
          expect(passesModulusCheck("089999", account.slice(0, place) + digit + account.slice(place + 1))).toBe(false);
  });
});
