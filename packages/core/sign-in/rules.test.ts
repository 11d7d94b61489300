import { describe, expect, it } from "vitest";
import { countedAddress } from "./login-limits.ts";
import { isAcceptablePassword, passwordFaults } from "./rules.ts";
import { emailSchema, loginSchema } from "./schema.ts";

describe("M3 password rule (seed section 5)", () => {
  it.each(["Farthing-2026", "abcdefG1", "abcdefG!", "Grüße aus Köln 7", "Aa1_____"])(
    "M3 %s is accepted",
    (password) => {
      expect(passwordFaults(password)).toEqual([]);
    },
  );

  it.each([
    ["Abcde1!", ["too-short"]],
    ["abcdefg1", ["no-uppercase"]],
    ["ABCDEFG1", ["no-lowercase"]],
    ["Abcdefgh", ["no-digit-or-special"]],
    ["Abcd efgh", ["no-digit-or-special"]],
    ["", ["too-short", "no-lowercase", "no-uppercase", "no-digit-or-special"]],
    [`Aa1${"x".repeat(126)}`, ["too-long"]],
  ])("M3 %j is refused, and each unmet part is named", (password, faults) => {
    expect(passwordFaults(password)).toEqual(faults);
    expect(isAcceptablePassword(password)).toBe(false);
  });

  it("Y1 a password of 128 characters is accepted", () => {
    expect(isAcceptablePassword(`Aa1${"x".repeat(125)}`)).toBe(true);
  });
});

describe("M2 login form", () => {
  it.each([
    [" Member@Brand.Example ", "member@brand.example"],
    ["O'NEIL+club@mail.example.co.uk", "o'neil+club@mail.example.co.uk"],
  ])("M2 %j is the same account as %j", (typed, stored) => {
    expect(emailSchema.parse(typed)).toBe(stored);
  });

  it.each(["", "no-at-sign", "a@b", "a@b.example\u0000", `${"a".repeat(250)}@b.example`, "a b@c.example"])(
    "M2 %j is no e-mail address",
    (typed) => {
      expect(loginSchema.safeParse({ email: typed, password: "x" }).success).toBe(false);
    },
  );
});

describe("S1 login limits", () => {
  it.each([
    ["203.0.113.9", "203.0.113.9"],
    ["2001:db8:0:7:aaaa:bbbb:cccc:dddd", "2001:db8:0:7::/64"],
    ["2001:0db8::7:0:0:0:1", "2001:db8:0:7::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
  ])("S1 %s is counted as %s", (address, counted) => {
    expect(countedAddress(address)).toBe(counted);
  });
});
