// Byte budgets of the offer page, the page most people land on (issue: client script at most 130 kB, styles with one theme at most 25 kB, gzip).
// Measured by npm run budgets and as a part of npm test.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { inRoot } from "./root.mjs";
import { Trouble, tell } from "./step.mjs";

const CLIENT = inRoot("apps/site/build/client");
const KILO = 1000;

/** @typedef {{ name: string, limit: number, bytes: number, files: [file: string, bytes: number][] }} Budget */
/** @typedef {{ module: string, imports?: string[], css?: string[] }} BuiltModule */

/** @param {string} url of the build, as /assets/root-abc.js */
const gzipped = (url) => gzipSync(readFileSync(join(CLIENT, url)), { level: 9 }).length;

/** What React Router tells the browser about the build. @returns {{ url: string, entry: BuiltModule, routes: Record<string, BuiltModule> }} */
function readManifest() {
  const file = readdirSync(join(CLIENT, "assets")).find((name) => /^manifest-.*\.js$/.test(name));
  if (!file) throw new Trouble("apps/site/build has no route manifest: run npm run build first.");
  const text = readFileSync(join(CLIENT, "assets", file), "utf8");
  return { url: `/assets/${file}`, ...JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)) };
}

/** @param {string} name @param {number} limit @param {Iterable<string>} urls @returns {Budget} */
function budget(name, limit, urls) {
  /** @type {[string, number][]} */
  const files = [...new Set(urls)].map((url) => [url, gzipped(url)]);
  files.sort(([, a], [, b]) => b - a);
  return { name, limit: limit * KILO, bytes: files.reduce((sum, [, bytes]) => sum + bytes, 0), files };
}

/** The stylesheets of the build that bear one of these names (before their hash). @param {string[]} names */
const stylesheets = (names) =>
  readdirSync(join(CLIENT, "assets"))
    .filter((file) => file.endsWith(".css") && names.some((name) => file.replace(/-[\w-]{8}\.css$/, "") === name))
    .map((file) => `/assets/${file}`);

/** A page loads its own brand's theme and no other: the heaviest one is counted. @returns {string} */
function heaviestTheme() {
  const names = readdirSync(inRoot("apps/site/app/themes"))
    .filter((file) => file.endsWith(".css"))
    .map((file) => basename(file, ".css"));
  const [heaviest] = stylesheets(names).sort((a, b) => gzipped(b) - gzipped(a));
  if (!heaviest) throw new Trouble("The build has no stylesheet of any theme: the budget can't be measured.");
  return heaviest;
}

/**
 * Measures the built site and prints a table.
 * @param {{ everyFile: boolean }} options whether the table has a row per file also where the budget is kept
 * @returns {Budget[]} in bytes, gzip
 */
export function measureBudgets({ everyFile }) {
  const manifest = readManifest();
  const { entry, routes } = manifest;
  const page = Object.entries(routes).find(([id]) => id.includes("offers/offer-page"))?.[1];
  const root = routes["root"];
  if (!root || !page) throw new Trouble("The build has no offer page: the budget can't be measured.");
  const modules = [entry, root, page];
  const site = stylesheets(["site"]);
  if (site.length === 0) throw new Trouble("The build has no stylesheet of the site: the budget can't be measured.");
  const budgets = [
    budget("Offer page, client script", 130, [
      manifest.url,
      ...modules.flatMap(({ module, imports = [] }) => [module, ...imports]),
    ]),
    budget("Offer page, styles with the heaviest theme", 25, [
      ...site,
      ...modules.flatMap(({ css = [] }) => css),
      heaviestTheme(),
    ]),
  ];
  for (const { name, limit, bytes, files } of budgets) {
    const verdict = bytes <= limit ? "within" : "OVER";
    tell(`- ${name}: ${(bytes / KILO).toFixed(1)} kB gzip, ${verdict} its budget of ${limit / KILO} kB`);
    if (bytes <= limit && !everyFile) continue;
    for (const [file, size] of files) tell(`    ${(size / KILO).toFixed(1).padStart(6)} kB  ${file}`);
  }
  return budgets;
}
