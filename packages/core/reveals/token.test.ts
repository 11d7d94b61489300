import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkRevealToken, hashRevealToken, issueRevealToken, REVEAL_TOKEN_LIFETIME_MS } from "./token.ts";

const now = new Date("2026-11-20T12:00:00Z");
const later = (ms: number) => new Date(now.getTime() + ms);
const own = { secret: "a secret of tests", sessionId: "session-1", offerId: "offer-1", now };

describe("Y5 the reveal token", () => {
  test("Y5 is valid for its session and offer for 15 minutes", () => {
    const token = issueRevealToken(own);
    expect(checkRevealToken(token, own)).toBe("valid");
    expect(REVEAL_TOKEN_LIFETIME_MS).toBe(900_000);
    expect(checkRevealToken(token, { ...own, now: later(REVEAL_TOKEN_LIFETIME_MS) })).toBe("valid");
    expect(checkRevealToken(token, { ...own, now: later(REVEAL_TOKEN_LIFETIME_MS + 1) })).toBe("stale");
  });

  test("Y5 is foreign to every other session and offer, also if their concatenated ids are equal", () => {
    const token = issueRevealToken(own);
    expect(checkRevealToken(token, { ...own, sessionId: "session-2" })).toBe("foreign");
    expect(checkRevealToken(token, { ...own, offerId: "offer-2" })).toBe("foreign");
    const pair = issueRevealToken({ ...own, sessionId: "ab", offerId: "c" });
    expect(checkRevealToken(pair, { ...own, sessionId: "a", offerId: "bc" })).toBe("foreign");
  });

  test("Y5 of another secret is invalid", () => {
    expect(checkRevealToken(issueRevealToken({ ...own, secret: "another" }), own)).toBe("invalid");
  });

  test("Y5 from a clock far ahead of ours is stale", () => {
    expect(checkRevealToken(issueRevealToken({ ...own, now: later(3_600_000) }), own)).toBe("stale");
    expect(checkRevealToken(issueRevealToken({ ...own, now: later(60_000) }), own)).toBe("valid");
    expect(checkRevealToken(issueRevealToken({ ...own, now: later(60_001) }), own)).toBe("stale");
  });

  test("Y5 differs every time, and needs no encoding in an address", () => {
    const tokens = Array.from({ length: 100 }, () => issueRevealToken(own));
    expect(new Set(tokens).size).toBe(100);
    expect(tokens.every((token) => /^[A-Za-z0-9_-]{40,200}$/.test(token))).toBe(true);
    expect(new Set(tokens.map(hashRevealToken)).size).toBe(100);
  });

  test("Y5 missing, malformed and differently spelled tokens are invalid", () => {
    const token = issueRevealToken(own);
    for (const bad of [
      null,
      "",
      "x",
      token.slice(1),
      `${token}A`,
      `${token}=`,
      ` ${token}`,
      token.toLowerCase(),
      "\0".repeat(token.length),
      "é".repeat(token.length),
    ]) {
      expect(checkRevealToken(bad, own)).toBe("invalid");
    }
  });

  test("Y5 with a change in any place is invalid", () => {
    const token = issueRevealToken(own);
    fc.assert(
      fc.property(
        fc.nat(token.length - 1),
        fc.constantFrom(..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
        (at, letter) => {
          const tampered = token.slice(0, at) + letter + token.slice(at + 1);
          return tampered === token || checkRevealToken(tampered, own) === "invalid";
        },
      ),
    );
  });

  test("Y5 has one spelling, although the last character has unused bits", () => {
    const token = issueRevealToken(own);
    const bytes = Buffer.from(token, "base64url");
    const alike = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"]
      .map((letter) => token.slice(0, -1) + letter)
      .filter((other) => other !== token && Buffer.from(other, "base64url").equals(bytes));
    expect(alike).not.toEqual([]);
    for (const other of alike) expect(checkRevealToken(other, own)).toBe("invalid");
    // As long, but fewer bytes: Buffer skips characters that are not base64.
    expect(checkRevealToken(`${token.slice(0, -2)}**`, own)).toBe("invalid");
  });

  test("Y5 from an earlier release is valid", () => {
    const issued =
      "AaH40-oABV_Um4ufVr4Md-6wWzL8L9So08CNNtGi6RCyJxTJLe_Mpj4wKOOLoEbPEQE2F5s2iNxpezs9q-OSppRSNU0fF2vGWKlTYsmtWFUX06eHtH0";
    expect(checkRevealToken(issued, own)).toBe("valid");
    expect(hashRevealToken("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });

  test("Y5 any text is answered without an error", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => checkRevealToken(text, own) === "invalid"));
  });
});
