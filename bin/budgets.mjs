// The byte budgets of every page: at most 135 kB of client script and 30 kB of styles with one theme (both gzip), at most 80 kB for a theme's
// fonts. npm run budgets and npm test measure them on the built site.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { inRoot } from "./root.mjs";
import { Trouble, tell } from "./step.mjs";

const CLIENT = inRoot("apps/site/build/client");
const KILO = 1000;
const MAX_SCRIPT_KB = 135;
const MAX_STYLES_KB = 30;
const MAX_FONTS_KB = 80;

/** @typedef {{ name: string, limit: number, bytes: number, files: [file: string, bytes: number][] }} Budget in bytes */
/** @typedef {{ module: string, parentId?: string, imports?: string[], css?: string[] }} BuiltModule */

/** @type {Map<string, number>} bytes by address, because pages share files */
const weighed = new Map();

/** @param {string} url of the build, such as /assets/root-abc.js @returns {number} bytes on the wire; fonts are already compressed */
function weigh(url) {
  const known = weighed.get(url);
  if (known !== undefined) return known;
  const bytes = readFileSync(join(CLIENT, url));
  const weight = url.endsWith(".woff2") ? bytes.length : gzipSync(bytes, { level: 9 }).length;
  weighed.set(url, weight);
  return weight;
}

/**
 * Reads React Router's manifest of the build. No page loads this file: each page has its own part of it inline (react-router.config.ts).
 * @returns {{ entry: BuiltModule, routes: Record<string, BuiltModule> }}
 */
function readManifest() {
  const file = readdirSync(join(CLIENT, "assets")).find((name) => /^manifest-.*\.js$/.test(name));
  if (!file) throw new Trouble("apps/site/build has no route manifest: run npm run build first.");
  const text = readFileSync(join(CLIENT, "assets", file), "utf8");
  return JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
}

/** @param {string} name @param {number} limit in kB @param {Iterable<string>} urls @returns {Budget} */
function budget(name, limit, urls) {
  /** @type {[string, number][]} */
  const files = [...new Set(urls)].map((url) => [url, weigh(url)]);
  files.sort(([, a], [, b]) => b - a);
  return { name, limit: limit * KILO, bytes: files.reduce((sum, [, bytes]) => sum + bytes, 0), files };
}

/** Returns the address of a stylesheet of the build. @param {string} name without the hash @returns {string} */
function stylesheet(name) {
  const found = readdirSync(join(CLIENT, "assets")).find((file) => file.replace(/-[\w-]{8}\.css$/, "") === name);
  if (!found) throw new Trouble(`The build has no stylesheet ${name}: the budget can't be measured.`);
  return `/assets/${found}`;
}

/** Returns a page and its parent routes, the root first. @param {Record<string, BuiltModule>} routes @param {string} id @returns {BuiltModule[]} */
function around(routes, id) {
  const route = routes[id];
  if (!route) throw new Trouble(`The build has no route ${id}: the budget can't be measured.`);
  return [...(route.parentId ? around(routes, route.parentId) : []), route];
}

/** @param {string} title @param {Budget[]} budgets heaviest first @param {{ rows: number, everyFile: boolean }} options */
function tellHeaviest(title, budgets, { rows, everyFile }) {
  budgets.sort((a, b) => b.bytes - a.bytes);
  const limit = (budgets[0]?.limit ?? 0) / KILO;
  tell(`- ${title}, at most ${limit} kB: ${budgets.length} measured, the heaviest first`);
  for (const [at, { name, bytes, limit: max, files }] of budgets.entries()) {
    const isOver = bytes > max;
    if (at >= rows && !isOver) continue;
    tell(`    ${(bytes / KILO).toFixed(1).padStart(6)} kB  ${name}${isOver ? "  OVER" : ""}`);
    if (!isOver && !(everyFile && at === 0)) continue;
    for (const [file, size] of files) tell(`      ${(size / KILO).toFixed(1).padStart(6)} kB  ${file}`);
  }
}

/**
 * Measures the built site and prints a table of the heaviest pages and themes.
 * @param {{ everyFile: boolean }} options whether every page has a row, and the heaviest page has one per file, even within the budget
 * @returns {Budget[]}
 */
export function measureBudgets({ everyFile }) {
  const { entry, routes } = readManifest();
  const themes = readdirSync(inRoot("apps/site/app/themes"))
    .filter((file) => file.endsWith(".css"))
    .map((file) => ({ name: basename(file, ".css"), sheet: stylesheet(basename(file, ".css")) }));
  // A page loads one theme, its brand's. The heaviest is counted.
  const heaviest = themes.map(({ sheet }) => sheet).sort((a, b) => weigh(b) - weigh(a))[0] ?? "";
  const pages = Object.keys(routes).filter(
    (id) => id !== "root" && !Object.values(routes).some((r) => r.parentId === id),
  );
  const scripts = pages.map((id) =>
    budget(
      id,
      MAX_SCRIPT_KB,
      [entry, ...around(routes, id)].flatMap(({ module, imports = [] }) => [module, ...imports]),
    ),
  );
  const styles = pages.map((id) =>
    budget(id, MAX_STYLES_KB, [
      stylesheet("site"),
      stylesheet("account"),
      ...around(routes, id).flatMap(({ css = [] }) => css),
      heaviest,
    ]),
  );
  const fonts = themes.map(({ name, sheet }) =>
    budget(
      name,
      MAX_FONTS_KB,
      [...readFileSync(join(CLIENT, sheet), "utf8").matchAll(/url\(["']?([^"')]+\.woff2)/g)].map(
        ([, font]) => font ?? "",
      ),
    ),
  );
  const rows = everyFile ? Infinity : 3;
  tellHeaviest("Script per page, gzip", scripts, { rows, everyFile });
  tellHeaviest("Styles per page with the heaviest theme, gzip", styles, { rows: 1, everyFile });
  tellHeaviest("Fonts per theme", fonts, { rows, everyFile });
  return [...scripts, ...styles, ...fonts];
}
