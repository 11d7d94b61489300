import { describe, expect, test } from "vitest";
import { hashSecretToken, hashSecretTokenAsText, isSameSecret, newSecretToken } from "./secret-token.ts";

describe("secret tokens", () => {
  test("S1 a token has 256 bits, or as many as are asked for, and is never made twice", () => {
    expect(newSecretToken()).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(newSecretToken(144)).toMatch(/^[A-Za-z0-9_-]{24}$/);
    expect(new Set(Array.from({ length: 100 }, () => newSecretToken())).size).toBe(100);
  });

  test.each([0, 64, 120, 127, 129, 256.5])("S1 refuses to make a token of %d bits", (bits) => {
    expect(() => newSecretToken(bits)).toThrow(RangeError);
  });

  // FIPS 180-4, SHA-256 of "abc".
  test("S1 a token is stored as its SHA-256", () => {
    const expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    expect(hashSecretToken("abc").toString("hex")).toBe(expected);
    expect(Buffer.from(hashSecretTokenAsText("abc"), "base64url").toString("hex")).toBe(expected);
  });

  test.each([
    ["abc", "abc", true],
    ["abc", "abd", false],
    ["abc", "abcd", false],
    ["", "abc", false],
    ["é", Buffer.from("é"), true],
    [Buffer.from([255]), Buffer.from([254]), false],
  ])("S1 compares %j with %j: %j", (given, expected, isSame) => {
    expect(isSameSecret(given, expected)).toBe(isSame);
  });
});
