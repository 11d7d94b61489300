// Finds the test files that run under shifted clocks: those that read a clock or name a date, directly or through their helpers.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { inRoot } from "./root.mjs";

const READS_A_CLOCK = /new Date\(|Date\.now\(|\bNOW\b|\bdaysFromNow\b|\bnow\(\)|\bexpires|\bT\d\d:\d\d/;
const HELPER = /from "([^"]*\btesting\b[^"]*\.ts)"/g;

/** Excluded by the start of the path: tests that take minutes and whose dates other files cover. @type {Record<string, string>} */
const TOO_LONG = {
  "packages/core/cashback/books.test.ts":
    "thousands of generated histories; cashback.test.ts and closures.test.ts have the same dates",
  "apps/server/attacks/": "every address with every hostile value; the pages' own tests have their dates",
};

/**
 * Excluded: tests of commands that start processes with an environment of their own, which keep the machine's clock, and of backups, whose moments are
 * compared with the database's clock.
 */
const ON_THE_MACHINES_CLOCK = new Set([
  "apps/server/commands/setup.test.ts",
  "docs/examples/installing.test.ts",
  "packages/db/backups/backups.test.ts",
]);

/** @returns {string[]} paths relative to the checkout, with `/` */
export function datedTests() {
  return ["apps", "packages", "sandbox", "bin", "docs"]
    .flatMap(testFilesIn)
    .filter(
      (file) => !ON_THE_MACHINES_CLOCK.has(file) && !Object.keys(TOO_LONG).some((start) => file.startsWith(start)),
    )
    .filter((file) => readsAClock(file))
    .sort();
}

/** @param {string} folder @returns {string[]} */
function testFilesIn(folder) {
  return readdirSync(inRoot(folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return /^(node_modules|build|dist)$/.test(entry.name) ? [] : testFilesIn(path);
    return /\.test\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

/** @param {string} file @param {Set<string>} [seen] @returns {boolean} */
function readsAClock(file, seen = new Set()) {
  if (seen.has(file)) return false;
  seen.add(file);
  if (!existsSync(inRoot(file))) return false;
  const text = readFileSync(inRoot(file), "utf8");
  if (READS_A_CLOCK.test(text)) return true;
  return [...text.matchAll(HELPER)].some(([, from = ""]) => readsAClock(resolved(file, from), seen));
}

/** @param {string} file @param {string} from a relative path, or `@farthing/<workspace>/<path>` */
function resolved(file, from) {
  if (from.startsWith(".")) return posix.normalize(posix.join(posix.dirname(file), from));
  const [, workspace = "", rest = ""] = /^@farthing\/([^/]+)\/(.+)$/.exec(from) ?? [];
  return `${workspace === "server" || workspace === "site" ? "apps" : "packages"}/${workspace}/${rest}`;
}
