// Byte budgets of every page: client script at most 135 kB, styles with one theme at most 30 kB (both gzip), a theme's fonts at most 80 kB.
// Measured on the built site by npm run budgets and as a part of npm test.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { inRoot } from "./root.mjs";
import { Trouble, tell } from "./step.mjs";

const CLIENT = inRoot("apps/site/build/client");
const KILO = 1000;
const SCRIPT = 135;
const STYLES = 30;
const FONTS = 80;

/** @typedef {{ name: string, limit: number, bytes: number, files: [file: string, bytes: number][] }} Budget in bytes */
/** @typedef {{ module: string, parentId?: string, imports?: string[], css?: string[] }} BuiltModule */

/** @type {Map<string, number>} what most pages share is weighed once */
const weighed = new Map();

/** @param {string} url of the build, as /assets/root-abc.js @returns {number} bytes on the wire: a font is packed already */
function weigh(url) {
  const known = weighed.get(url);
  if (known !== undefined) return known;
  const bytes = readFileSync(join(CLIENT, url));
  const weight = url.endsWith(".woff2") ? bytes.length : gzipSync(bytes, { level: 9 }).length;
  weighed.set(url, weight);
  return weight;
}

/**
 * What React Router knows about the build. No page loads this file: each brings its own part of it inline (react-router.config.ts).
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

/** A stylesheet of the build by its name before the hash. @param {string} name @returns {string} */
function stylesheet(name) {
  const found = readdirSync(join(CLIENT, "assets")).find((file) => file.replace(/-[\w-]{8}\.css$/, "") === name);
  if (!found) throw new Trouble(`The build has no stylesheet ${name}: the budget can't be measured.`);
  return `/assets/${found}`;
}

/** A page and the routes around it, the root first. @param {Record<string, BuiltModule>} routes @param {string} id @returns {BuiltModule[]} */
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
  for (const [at, { name, bytes, limit: most, files }] of budgets.entries()) {
    const isOver = bytes > most;
    if (at >= rows && !isOver) continue;
    tell(`    ${(bytes / KILO).toFixed(1).padStart(6)} kB  ${name}${isOver ? "  OVER" : ""}`);
    if (!isOver && !(everyFile && at === 0)) continue;
    for (const [file, size] of files) tell(`      ${(size / KILO).toFixed(1).padStart(6)} kB  ${file}`);
  }
}

/**
 * Measures the built site and prints a table of the heaviest.
 * @param {{ everyFile: boolean }} options whether every page has a row, and the heaviest one per file, also where the budget is kept
 * @returns {Budget[]}
 */
export function measureBudgets({ everyFile }) {
  const { entry, routes } = readManifest();
  const themes = readdirSync(inRoot("apps/site/app/themes"))
    .filter((file) => file.endsWith(".css"))
    .map((file) => ({ name: basename(file, ".css"), sheet: stylesheet(basename(file, ".css")) }));
  // A page loads its own brand's theme and no other: the heaviest one is counted.
  const heaviest = themes.map(({ sheet }) => sheet).sort((a, b) => weigh(b) - weigh(a))[0] ?? "";
  const pages = Object.keys(routes).filter(
    (id) => id !== "root" && !Object.values(routes).some((r) => r.parentId === id),
  );
  const scripts = pages.map((id) =>
    budget(
      id,
      SCRIPT,
      [entry, ...around(routes, id)].flatMap(({ module, imports = [] }) => [module, ...imports]),
    ),
  );
  const styles = pages.map((id) =>
    budget(id, STYLES, [
      stylesheet("site"),
      stylesheet("account"),
      ...around(routes, id).flatMap(({ css = [] }) => css),
      heaviest,
    ]),
  );
  const fonts = themes.map(({ name, sheet }) =>
    budget(
      name,
      FONTS,
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
