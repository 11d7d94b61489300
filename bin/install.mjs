import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.mjs";
import { mustRunTool } from "./run-tool.mjs";
import { step } from "./step.mjs";

/** @typedef {{ version?: string, link?: boolean, optional?: boolean, integrity?: string }} LockedPackage */

/** @param {string} file @returns {Record<string, LockedPackage> | null} */
function lockedPackages(file) {
  if (!existsSync(file)) return null;
  return JSON.parse(readFileSync(file, "utf8")).packages;
}

/**
 * Returns whether node_modules matches the lock file. npm writes its record (node_modules/.package-lock.json) at the end of an install, so an
 * interrupted install has none, and a manual install counts too. Optional packages are ignored, because each machine has only those of its
 * platform.
 * @param {string} folder a checkout
 */
export function isInstalled(folder) {
  const wanted = lockedPackages(join(folder, "package-lock.json"));
  const present = lockedPackages(join(folder, "node_modules/.package-lock.json"));
  if (!wanted || !present) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes("node_modules/") || entry.optional) return true;
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

/** Returns the progress of an install. @param {string} folder a checkout */
function progress(folder) {
  const wanted = Object.entries(lockedPackages(join(folder, "package-lock.json")) ?? {})
    .filter(([path, { optional, link }]) => path.includes("node_modules/") && !optional && !link)
    .map(([path]) => path);
  const present = wanted.filter((path) => existsSync(join(folder, path, "package.json")));
  return `${present.length} of ${wanted.length} packages`;
}

/** Installs the packages of the lock file, unless they are installed. */
export async function ensureInstalled() {
  if (isInstalled(root)) return;
  await step(
    "Installing packages",
    // With NODE_ENV=production in the environment, npm would skip the packages that build and test the site.
    () =>
      runNpm("The packages could not be installed", [
        "ci",
        "--include=dev",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
      ]),
    () => progress(root),
  );
}
