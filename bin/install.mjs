import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.mjs";
import { mustRunTool } from "./run-tool.mjs";
import { step } from "./step.mjs";

/**
 * @typedef {{ version?: string, link?: boolean, optional?: boolean, dev?: boolean, devOptional?: boolean, integrity?: string }} LockedPackage
 * @typedef {object} Wanted
 * @property {boolean} [tools] false: only what builds and serves, without what only tests and checks need. Default: true
 */

/** @param {string} file @returns {Record<string, LockedPackage> | null} */
function lockedPackages(file) {
  if (!existsSync(file)) return null;
  return JSON.parse(readFileSync(file, "utf8")).packages;
}

/** @param {string} folder a checkout */
const presentPackages = (folder) => lockedPackages(join(folder, "node_modules/.package-lock.json"));

/**
 * Returns the packages that an install brings to every machine. Optional ones are left out, because each machine has only those of its platform.
 * @param {string} folder a checkout
 * @param {Wanted} wanted
 * @returns {[path: string, entry: LockedPackage][] | null} null: there is no lock file
 */
function wantedPackages(folder, { tools = true }) {
  const locked = lockedPackages(join(folder, "package-lock.json"));
  return (
    locked &&
    Object.entries(locked).filter(
      ([path, { optional, dev, devOptional }]) =>
        path.includes("node_modules/") && !optional && (tools || !(dev || devOptional)),
    )
  );
}

/**
 * Returns whether node_modules has what the lock file names. npm writes its record (node_modules/.package-lock.json) at the end of an install, so an
 * interrupted install has none, and a manual install counts too.
 * @param {string} folder a checkout
 * @param {Wanted} [wanted]
 */
export function isInstalled(folder, wanted = {}) {
  const packages = wantedPackages(folder, wanted);
  const present = presentPackages(folder);
  if (!packages || !present) return false;
  return packages.every(([path, entry]) => {
    const found = present[path];
    if (!found || !existsSync(join(folder, path))) return false;
    return entry.link || (found.version === entry.version && found.integrity === entry.integrity);
  });
}

/** Returns the npm that started this process, otherwise the one on the path. @returns {[file: string, ...args: string[]]} */
function npm() {
  const own = process.env["npm_execpath"];
  return own?.endsWith(".js") ? [process.execPath, own] : ["npm"];
}

/**
 * Runs npm.
 * @param {string} what see mustRunTool
 * @param {string[]} args
 * @param {import("./run-tool.mjs").ToolOptions} [options]
 */
export function runNpm(what, args, options) {
  const [file, ...before] = npm();
  return mustRunTool(what, file, [...before, ...args], options);
}

/** Returns the progress of an install. @param {string} folder a checkout @param {Wanted} wanted */
function progress(folder, wanted) {
  const packages = (wantedPackages(folder, wanted) ?? []).filter(([, { link }]) => !link);
  const present = packages.filter(([path]) => existsSync(join(folder, path, "package.json")));
  return `${present.length} of ${packages.length} packages`;
}

/**
 * Returns npm's arguments that make the install of a checkout match its lock file.
 * @param {string} folder a checkout
 * @param {Wanted} wanted
 * @returns {string[]}
 */
export function installArguments(folder, { tools = true }) {
  // What serves is there, and may be serving: `npm ci` would delete it first.
  if (tools && isInstalled(folder, { tools: false })) return ["install", "--no-save", "--include=dev"];
  const hadTools = Object.values(presentPackages(folder) ?? {}).some(({ dev }) => dev);
  return ["ci", tools || hadTools ? "--include=dev" : "--omit=dev"];
}

/**
 * Installs the packages of the lock file, unless they are installed. Tools that are there stay there.
 * @param {Wanted} [wanted]
 */
export async function ensureInstalled(wanted = {}) {
  if (isInstalled(root, wanted)) return;
  await step(
    "Installing packages",
    // It says which: with NODE_ENV=production in the environment, npm would skip the packages that test the site.
    () =>
      runNpm("The packages could not be installed", [
        ...installArguments(root, wanted),
        ...["--no-audit", "--no-fund", "--loglevel=error"],
      ]),
    () => progress(root, wanted),
  );
}
