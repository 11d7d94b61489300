import { describe, expect, test } from "vitest";
import { emailSchema, loginSchema } from "./schema.ts";

describe("M2 login form", () => {
  test.each([
    [" Member@Brand.Example ", "member@brand.example"],
    ["O'NEIL+club@mail.example.co.uk", "o'neil+club@mail.example.co.uk"],
  ])("M2 %j is the same account as %j", (typed, stored) => {
    expect(emailSchema.parse(typed)).toBe(stored);
  });

  test.each(["", "no-at-sign", "a@b", "a@b.example\u0000", `${"a".repeat(250)}@b.example`, "a b@c.example"])(
    "M2 %j is no e-mail address",
    (typed) => {
      expect(loginSchema.safeParse({ email: typed, password: "x" }).success).toBe(false);
    },
  );
});

describe("M2 sizes in the login form", () => {
  const password = "x";
  test.each([
    ["a@b.example", "x", true],
    ["a@b.example", "x".repeat(128), true],
    ["a@b.example", "x".repeat(129), false],
    ["a@b.example", "", false],
    ["no address", password, false],
  ])("M2 accepts %s with %s: %s", (email, typed, is) => {
    expect(loginSchema.safeParse({ email, password: typed }).success).toBe(is);
  });

  test("M2 an address has at most 254 characters after trimming", () => {
    const long = (length: number) =>
      `${"a".repeat(64)}@${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(length - 194)}.example`;
    expect(emailSchema.safeParse(long(246)).success).toBe(true);
    expect(emailSchema.safeParse(`${" ".repeat(9)}${long(246)}`).success).toBe(true);
    expect(emailSchema.safeParse(`${"a".repeat(300)}@b.example`).success).toBe(false);
  });
});
