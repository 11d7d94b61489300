import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inRoot, root } from "./root.mjs";
import { mustRunTool, throwIfStopped } from "./run-tool.mjs";
import { step, tell } from "./step.mjs";

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
  const install = () =>
    step(
      "Installing packages",
      // It says which: with NODE_ENV=production in the environment, npm would skip the packages that test the site.
      () =>
        runNpm("The packages could not be installed", [
          ...installArguments(root, wanted),
          ...["--no-audit", "--no-fund", "--loglevel=error"],
        ]),
      () => progress(root, wanted),
    );
  await inTurn(inRoot(".cache", "installing"), async () => {
    if (!isInstalled(root, wanted)) await install();
  });
}

const TURN_MS = 250;

/**
 * Does `work` while no other process does work of the same file: two installs at once delete each other's files. The file names the
 * process that works (see nameOf); one that was killed does not hold up the next.
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function inTurn(file, work) {
  mkdirSync(dirname(file), { recursive: true });
  for (let waited = false; !take(file); waited = true) {
    if (!waited) tell("Another process installs the packages; waiting for it ...");
    await sleep(TURN_MS);
    throwIfStopped();
  }
  try {
    return await work();
  } finally {
    own.delete(file);
    rmSync(file, { force: true });
  }
}

/** The files whose turn this process has. @type {Set<string>} */
const own = new Set();

/** Returns whether this process has the turn now. @param {string} file */
function take(file) {
  try {
    writeFileSync(file, nameOf(process.pid), { flag: "wx" });
    own.add(file);
    return true;
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    if (!isHeld(file)) rmSync(file, { force: true });
    return false;
  }
}

/**
 * Returns what tells a process from every other: its id and, on Linux, when it was started (proc(5), field 22 of stat) and the id of the machine's
 * boot. Ids repeat: in a container the next start, or a part of it, often has the id of the one before.
 * @param {number} id
 */
function nameOf(id) {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, "utf8");
    // The second field is the program's name in parentheses, which may have spaces.
    const startedAt = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    return `${id} ${startedAt} ${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}`;
  } catch {
    return `${id}`;
  }
}

/** Returns whether the process that the file names is running and has its turn. @param {string} file */
export function isHeld(file) {
  try {
    const name = readFileSync(file, "utf8");
    if (name === "") return true; // it is being written
    const id = Number.parseInt(name, 10);
    if (id === process.pid) return own.has(file);
    // Where only the id can be told, the id counts.
    return [name, `${id}`].includes(nameOf(id)) && process.kill(id, 0);
  } catch (error) {
    return codeOf(error) === "EPERM"; // it runs, under another account
  }
}

/** @param {unknown} error */
const codeOf = (error) => (error instanceof Error && "code" in error ? error.code : undefined);
