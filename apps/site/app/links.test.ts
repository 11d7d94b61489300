import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findPage } from "../server/find-page.ts";

/** Addresses that are no page of every build, by their first segment: the server answers most of them itself. */
const ELSEWHERE = new Set([
  "examples", // pages that only development has
  "acting",
  "api",
  "brand",
  "favicon.ico",
  "apple-touch-icon.png",
  "manifest.webmanifest",
]);

test("Z5 every address that a page links to or posts to is a page: href() checks those with parameters, this test the rest", () => {
  const links = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".tsx") && !file.includes(".test."))
    .flatMap((file) =>
      [...readFileSync(join(import.meta.dirname, file), "utf8").matchAll(/\b(?:href|action)(?:=|: )"(\/[^"]*)"/g)].map(
        ([, address = ""]) => ({ file, address }),
      ),
    );
  expect(links.length).toBeGreaterThan(50);
  const dead = links.filter(({ address }) => {
    const path = address.replace(/[?#].*$/, "") || "/";
    return !ELSEWHERE.has(path.split("/")[1] ?? "") && findPage(path) === null;
  });
  expect(dead).toEqual([]);
});
