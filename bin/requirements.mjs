import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inRoot } from "./root.mjs";

/** The page that lists every requirement. */
export const requirementsFile = inRoot("docs/requirements.md");

/** The maximum number of test files that an entry links. */
const MAX_LINKS = 4;

const SKIPPED = new Set(["node_modules", "build", "dist", ".git", ".cache", ".data", ".react-router"]);

/** Matches an entry of the page: its id and requirement, then the line of its tests. */
const ENTRY = /^(- \*\*([A-Z]\d{1,2})\*\* .*\n {2}Tests: ).*$/gm;

/** @param {string} folder relative to the root @returns {string[]} the test files in it, relative to the root */
function testFiles(folder) {
  return readdirSync(inRoot(folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : testFiles(path);
    return /\.(test|e2e)\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

/**
 * Counts the tests of each requirement. The name of a test or group starts with requirement ids: "O3 a spent token reveals nothing", "S1, B4 …".
 * @returns {Map<string, Map<string, number>>} number of tests by id and file
 */
export function testsByRequirement() {
  /** @type {Map<string, Map<string, number>>} */
  const found = new Map();
  for (const file of ["apps", "packages", "sandbox", "bin", "docs", "e2e"].flatMap(testFiles)) {
    const names = readFileSync(inRoot(file), "utf8").matchAll(
      /\b(?:test|it|describe)(?:\.\w+)*(?:\([^"'`()]*\))?\(\s*["'`]((?:[A-Z]\d{1,2}(?:, | and | )?)+)/g,
    );
    for (const [, ids = ""] of names) {
      for (const [id] of ids.matchAll(/[A-Z]\d{1,2}/g)) {
        const files = found.get(id) ?? new Map();
        found.set(id, files.set(file, (files.get(file) ?? 0) + 1));
      }
    }
  }
  return found;
}

/** @returns {string[]} the page's requirement ids, in order */
export const requirementIds = () =>
  [...readFileSync(requirementsFile, "utf8").matchAll(ENTRY)].map(([, , id]) => /** @type {string} */ (id));

/** Returns the page with updated lines of tests. */
export function requirementsWithTests() {
  const tests = testsByRequirement();
  return readFileSync(requirementsFile, "utf8").replace(ENTRY, (_, entry, id) => {
    const files = [...(tests.get(id) ?? [])]
      .sort(([fileA, countA], [fileB, countB]) => countB - countA || (fileA < fileB ? -1 : 1))
      .slice(0, MAX_LINKS)
      .map(([file]) => `[${file.split("/").at(-1)}](../${file})`);
    return `${entry}${files.join(", ") || "None yet"}.`;
  });
}
