import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { foreignPaths } from "./foreign-paths.testing.ts";
import { isPartnerOrigin, readFramePath } from "./rules.ts";

describe("W9 the path of /redirect", () => {
  test.each(foreignPaths)("W9 refuses %j as a path", (path) => {
    expect(readFramePath(path)).toBeNull();
  });

  test("W9 refuses a missing path", () => {
    expect(readFramePath(null)).toBeNull();
  });

  test.each([
    ["/pay", "/pay"],
    ["/", "/"],
    ["/pay?amount=1234&note=a%20b", "/pay?amount=1234&note=a%20b"],
    ["/pay?back=https%3A%2F%2Fshop.example%2F", "/pay?back=https%3A%2F%2Fshop.example%2F"],
    ["/frame/cards/../orders", "/frame/orders"],
    ["/gift-cards", "/gift-cards"],
    ["/pay#card", "/pay#card"],
    ["/pay#100%", "/pay#100%"],
    ["/pay?sale=100%", "/pay?sale=100%"],
  ])("W9 accepts %s", (path, normal) => {
    expect(readFramePath(path)).toBe(normal);
  });

  test("W9 every accepted path stays on our origin, however a browser parses it", () => {
    const alphabet = [
      "/",
      "\\",
      "%2f",
      "%5c",
      ".",
      "..",
      ":",
      "@",
      "evil.example",
      "a",
      "?",
      "#",
      "\t",
      "%",
      "%252f",
      ";",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...alphabet), { maxLength: 10 }), (parts) => {
        const path = readFramePath(parts.join(""));
        if (path === null) return;
        expect(new URL(path, "https://club.example").origin).toBe("https://club.example");
        expect(readFramePath(path)).toBe(path);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("W10 allowed origins", () => {
  test.each([
    "https://shop.example",
    "https://shop.example:8443",
    "http://localhost:3002",
    "http://127.0.0.1:3002",
    "http://shop.localhost:3002",
  ])("W10 accepts %s", (origin) => {
    expect(isPartnerOrigin(origin)).toBe(true);
  });
  test.each([
    "*",
    "https://*",
    "https://*.shop.example",
    "http://shop.example",
    "https://shop.example/",
    "https://shop.example/path",
    "https://user@shop.example",
    "https://SHOP.example",
    "https://shop.example:443",
    "https://shop.example;script-src *",
    "https://shop.example 'none'",
    "https://a,b.example",
    "https://a..example",
    "https://[::1]",
    "null",
    "",
    "javascript://x",
    "http://localhost.evil.example",
  ])("W10 refuses %j: it is no origin, or would widen a header", (origin) => {
    expect(isPartnerOrigin(origin)).toBe(false);
  });
});
