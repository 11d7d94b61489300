// The byte budgets of every page, on the wire: at most 75 kB of script where a page has an island (React is 58 of them) and 10 kB where it has none,
// 20 kB for each part that is loaded when it is needed; 26 kB of styles with one theme; 80 kB for a theme's fonts. The operators' admin: 3.6 kB of script,
// 5 kB of styles and 36 kB of font on every page. npm run budgets and npm test measure them on the built site. What a page sends twice, as markup and as its
// islands' props, is measured in apps/site/app/islands/page-props.test.ts.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { inRoot } from "./root.mjs";
import { Trouble, tell } from "./step.mjs";

const BUILD = inRoot("apps/site/build");
const CLIENT = join(BUILD, "client");
const KILO = 1000;
const MAX_ISLAND_PAGE_KB = 75;
const MAX_STILL_PAGE_KB = 10;
const MAX_LAZY_KB = 20;
/** By source: other limits. A password is compared with the list only where one is chosen. */
const MAX_LAZY_KB_OF = new Map([
  // docs/telemetry-client.md promises it.
  ["../../../packages/telemetry/start-telemetry.ts", 3],
  ["ui/forms/common-passwords.ts", 110],
  ["ui/search/mount-suggestions.ts", 65],
  ["routes/verification-requests/pond.ts", 40],
]);
const MAX_STYLES_KB = 26;
const MAX_FONTS_KB = 80;

const ADMIN_CLIENT = inRoot("apps/admin/build/client");
/** Every page of the admin loads the same. Its routes have no script at all: what one would send to browsers is counted. */
const ADMIN_KB = { script: 3.6, styles: 5, font: 36 };

/** @typedef {{ name: string, limit: number, bytes: number, files: [file: string, bytes: number][] }} Budget in bytes */
/** @typedef {{ parentId?: string, css?: string[] }} BuiltRoute */
/** @typedef {import("../apps/site/page-scripts-plugin.ts").PageScripts} PageScripts */
/** @typedef {import("../apps/site/page-scripts-plugin.ts").PageIslands} PageIslands */

/** As the build compresses what the server sends (bin/site-build.mjs). */
const BEST = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };

/** @type {Map<string, number>} bytes by address, because pages share files */
const weighed = new Map();

/** @param {string} url of the build, such as /assets/root-abc.js @returns {number} bytes on the wire; fonts are already compressed */
function weigh(url) {
  const known = weighed.get(url);
  if (known !== undefined) return known;
  const weight = weighFile(join(CLIENT, url));
  weighed.set(url, weight);
  return weight;
}

/** @param {string} file @returns {number} bytes on the wire */
function weighFile(file) {
  const bytes = readFileSync(file);
  return file.endsWith(".woff2") || bytes.length === 0
    ? bytes.length
    : brotliCompressSync(bytes, { params: BEST }).length;
}

/** Returns the budgets of the operators' admin. The manifest is no page's. @returns {Budget[]} */
function adminBudgets() {
  const folder = join(ADMIN_CLIENT, "assets");
  if (!existsSync(folder)) throw new Trouble("apps/admin/build has no client: run npm run build first.");
  const names = readdirSync(folder).filter((name) => !name.startsWith("manifest-"));
  return /** @type {const} */ ([
    ["script", ".js"],
    ["styles", ".css"],
    ["font", ".woff2"],
  ]).map(([what, ending]) => {
    const files = names
      .filter((name) => name.endsWith(ending))
      .map((name) => /** @type {[string, number]} */ ([`/admin/assets/${name}`, weighFile(join(folder, name))]))
      .filter(([, size]) => size > 0);
    if (files.length === 0) throw new Trouble(`The admin's build has no ${what}: the budget can't be measured.`);
    const bytes = files.reduce((sum, [, size]) => sum + size, 0);
    return { name: `the admin's ${what}`, limit: ADMIN_KB[what] * KILO, bytes, files };
  });
}

/**
 * Reads React Router's manifest of the build, which no page loads.
 * @returns {Record<string, BuiltRoute>}
 */
function readRoutes() {
  const file = readdirSync(join(CLIENT, "assets")).find((name) => /^manifest-.*\.js$/.test(name));
  if (!file) throw new Trouble("apps/site/build has no route manifest: run npm run build first.");
  const text = readFileSync(join(CLIENT, "assets", file), "utf8");
  return JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)).routes;
}

/** Reads what page-scripts-plugin.ts has written down. @param {string} name */
function readBuilt(name) {
  const file = join(BUILD, name);
  if (!existsSync(file)) throw new Trouble(`apps/site/build has no ${name}: run npm run build first.`);
  return JSON.parse(readFileSync(file, "utf8"));
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

/** Returns the ids of a page and its parent routes, the root first. @param {Record<string, BuiltRoute>} routes @param {string} id @returns {string[]} */
function around(routes, id) {
  const parent = routes[id]?.parentId;
  return [...(parent ? around(routes, parent) : []), id];
}

/**
 * Returns the budget of a page's script: the entry and, with islands, what wakes them.
 * @param {string} id @param {string[]} routeIds the page's and those around it @param {PageScripts} scripts @param {PageIslands} islands @returns {Budget}
 */
function scriptBudget(id, routeIds, { entry, hydration, islands: files }, islands) {
  const names = routeIds.flatMap((routeId) => {
    const found = islands[routeId];
    if (!found) throw new Trouble(`The build does not say which islands ${routeId} has: the budget can't be measured.`);
    return found;
  });
  if (names.length === 0) return budget(id, MAX_STILL_PAGE_KB, entry);
  return budget(id, MAX_ISLAND_PAGE_KB, [...entry, ...hydration, ...names.flatMap((name) => files[name] ?? [])]);
}

/** @param {string} title @param {Budget[]} budgets heaviest first @param {{ rows: number, everyFile: boolean }} options */
function tellHeaviest(title, budgets, { rows, everyFile }) {
  budgets.sort((a, b) => b.bytes - a.bytes);
  const limit = Math.min(...budgets.map((each) => each.limit)) / KILO;
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
  const routes = readRoutes();
  /** @type {PageScripts} */
  const scripts = readBuilt("scripts.json");
  /** @type {PageIslands} */
  const islands = readBuilt("islands.json");
  const themes = readdirSync(inRoot("apps/site/app/themes"))
    .filter((file) => file.endsWith(".css"))
    .map((file) => ({ name: basename(file, ".css"), sheet: stylesheet(basename(file, ".css")) }));
  // A page loads one theme, its brand's. The heaviest is counted.
  const heaviest = themes.map(({ sheet }) => sheet).sort((a, b) => weigh(b) - weigh(a))[0] ?? "";
  const pages = Object.keys(routes).filter(
    (id) => id !== "root" && !Object.values(routes).some((r) => r.parentId === id),
  );
  const pageBudgets = pages.map((id) => scriptBudget(id, around(routes, id), scripts, islands));
  const withIslands = pageBudgets.filter(({ limit }) => limit === MAX_ISLAND_PAGE_KB * KILO);
  const without = pageBudgets.filter(({ limit }) => limit === MAX_STILL_PAGE_KB * KILO);
  const lazy = Object.entries(scripts.lazy).map(([source, { files, isForIslands }]) => {
    const isThere = new Set(isForIslands ? [...scripts.entry, ...scripts.hydration] : scripts.entry);
    const limit = MAX_LAZY_KB_OF.get(source) ?? MAX_LAZY_KB;
    return budget(
      source,
      limit,
      files.filter((file) => !isThere.has(file)),
    );
  });
  const styles = pages.map((id) =>
    budget(id, MAX_STYLES_KB, [
      stylesheet("site"),
      stylesheet("account"),
      ...around(routes, id).flatMap((routeId) => routes[routeId]?.css ?? []),
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
  tellHeaviest("Script per page with islands", withIslands, { rows, everyFile });
  tellHeaviest("Script per page without", without, { rows, everyFile });
  tellHeaviest("Script loaded when it is needed", lazy, { rows, everyFile });
  tellHeaviest("Styles per page with the heaviest theme", styles, { rows: 1, everyFile });
  tellHeaviest("Fonts per theme", fonts, { rows, everyFile });
  const admin = adminBudgets();
  for (const each of admin) tellHeaviest(`Every page: ${each.name}`, [each], { rows, everyFile });
  return [...pageBudgets, ...lazy, ...styles, ...fonts, ...admin];
}
