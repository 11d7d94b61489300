import { describe, expect, test } from "vitest";
import { safeNext } from "./next-path.ts";

const attacks = [
  "https://evil.example",
  "http://evil.example/profile",
  "HTTPS://evil.example",
  "//evil.example",
  "///evil.example",
  "////evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "\\/evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "\r\n//evil.example",
  " //evil.example",
  "/.//evil.example",
  "/..//evil.example",
  "/a/..//evil.example",
  "/%2e//evil.example",
  "javascript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "evil.example",
  "@evil.example",
  "/\u0000/evil.example",
  "/profile\r\nSet-Cookie: a=b",
  "/login?next=/login",
  "/logout",
  "/login/code",
  "",
  `/${"a".repeat(2048)}`,
];

describe("S1 safeNext", () => {
  test.each(attacks)("S1 refuses an address that leaves the site or loops: %j", (attack) => {
    expect(safeNext(attack, "/fallback")).toBe("/fallback");
  });

  test.each([null, undefined, 1, ["/profile"], { toString: () => "/profile" }])(
    "S1 refuses a value that is not text: %j",
    (value) => {
      expect(safeNext(value)).toBe("/");
    },
  );

  test.each([
    ["/profile", "/profile"],
    ["/offers/ten-off?offer=abc123&offer_variant=9#terms", "/offers/ten-off?offer=abc123&offer_variant=9#terms"],
    ["/go/offers/abc123?offer_variant=9", "/go/offers/abc123?offer_variant=9"],
    ["/search?q=caf%C3%A9%2F%2Fevil", "/search?q=caf%C3%A9%2F%2Fevil"],
    ["/a/../profile", "/profile"],
    ["/offers/login", "/offers/login"],
    ["/offers/logout/now", "/offers/logout/now"],
    ["/loginless", "/loginless"],
    [`/${"a".repeat(2047)}`, `/${"a".repeat(2047)}`],
    ["/a//b", "/a//b"],
    ["/search?q=https://shop.example", "/search?q=https://shop.example"],
  ])("M2 follows a path of ours: %s", (next, expected) => {
    expect(safeNext(next)).toBe(expected);
  });

  test("S1 every result resolves to our own origin", () => {
    for (const attack of attacks) {
      expect(new URL(safeNext(attack), "https://club.example").origin).toBe("https://club.example");
    }
  });
});
