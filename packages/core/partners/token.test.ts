import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readToken, signToken } from "./token.ts";

const claims = {
  id: "0190a3c4-0000-7000-8000-000000000001",
  partnerId: "0190a3c4-0000-7000-8000-000000000002",
  origin: "https://shop.example",
  expiresAt: new Date("2026-11-20T10:01:00Z"),
};
const token = signToken("key", claims);

describe("W9 the token's signature", () => {
  test("W9 a token has the signed content and needs no encoding in an address", () => {
    expect(readToken("key", token)).toEqual(claims);
    expect(encodeURIComponent(token)).toBe(token);
  });

  test("W9 refuses a token that was changed, cut, extended or spelled differently", () => {
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom(..."Aa0-_.=+/ é"), (at, letter) => {
        if (token[at] === letter) return;
        expect(readToken("key", token.slice(0, at) + letter + token.slice(at + 1))).toBeNull();
        expect(readToken("key", token.slice(0, at))).toBeNull();
      }),
      { numRuns: 500 },
    );
    for (const other of [
      `${token}=`,
      `${token}A`,
      ` ${token}`,
      `${token}\n`,
      token.toUpperCase(),
      "",
      ".",
      "a.b",
      null,
    ])
      expect(readToken("key", other)).toBeNull();
  });

  test("W9 refuses a token of another key or another purpose", () => {
    expect(readToken("other", token)).toBeNull();
    const body = token.slice(0, token.indexOf("."));
    const plain = createHmac("sha256", "key").update(body).digest("base64url");
    expect(readToken("key", `${body}.${plain}`)).toBeNull();
  });
});
