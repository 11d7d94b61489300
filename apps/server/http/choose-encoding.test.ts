import { expect, test } from "vitest";
import { chooseEncoding } from "./choose-encoding.ts";

test.each([
  [undefined, "identity"],
  ["", "identity"],
  ["gzip, deflate, br, zstd", "br"],
  ["gzip", "gzip"],
  ["br;q=0, gzip;q=0.5", "gzip"],
  ["br;q=0.5, gzip;q=0.5", "br"],
  ["br;q=0.5, gzip", "gzip"],
  ["BR", "br"],
  ["brotli", "identity"],
  ["identity", "identity"],
  ["*", "br"],
  ["*, br;q=0", "gzip"],
  ["*;q=0", "identity"],
  ["gzip, *;q=0", "gzip"],
  [`br, ${"x".repeat(512)}`, "identity"],
] as const)("Accept-Encoding %j is answered with %s", (header, expected) => {
  expect(chooseEncoding(header)).toBe(expected);
});
