import { lstatSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** What of the checkout's root a release holds. */
const AT_ROOT = new Set([
  "apps",
  "bin",
  "CHANGELOG.md",
  "deploy",
  "docs",
  "LICENSE",
  "node_modules",
  "packages",
  "SECURITY.md",
]);

/** Folders of ours that no server needs, wherever they are. */
const FOLDERS = new Set([".react-router", "browser-tests", "testing"]);
/** What only tests, builds and checks read. */
const FILES = /\.(test|testing|e2e)\.tsx?$|\.config\.(ts|mjs)$|(^|\/)tsconfig[\w.-]*\.json$|(^|\/)\.sources$/;
const DOCUMENTS = /^docs\/(examples|images)(\/|$)/;

/**
 * Of packages: what compilers and debuggers read, the compiler itself (an optional peer that npm installs), npm's own records, and what comes with Node
 * besides Node.
 */
const OF_PACKAGES =
  /^node_modules\/@?typescript(\/|$)|\.d\.[cm]?ts$|\.map$|(^|\/)node_modules\/\.(bin|package-lock\.json)(\/|$)|^node_modules\/@farthing\/sandbox$|^node_modules\/node-linux-\w+\/(include|share|(CHANGELOG|README)\.md)/;

/**
 * Returns whether a release holds a file or folder of a built checkout with production packages.
 * @param {string} path from the root, with slashes
 */
export function isReleased(path) {
  const [first = "", ...rest] = path.split("/");
  if (!AT_ROOT.has(first)) return false;
  if (path.split("/").includes("node_modules")) return !OF_PACKAGES.test(path);
  if (first === "bin") return rest.length === 0 || path === "bin/farthing" || path === "bin/commands";
  return !rest.some((name) => FOLDERS.has(name)) && !FILES.test(path) && !DOCUMENTS.test(path);
}

/**
 * Deletes what a release does not hold, and folders that are empty then.
 * @param {string} root a built checkout of its own, never one that somebody works in
 * @param {string} [folder] from the root
 * @returns {number} the files that are left
 */
export function pruneRelease(root, folder = "") {
  let left = 0;
  for (const name of readdirSync(join(root, folder))) {
    const path = folder === "" ? name : `${folder}/${name}`;
    const file = join(root, path);
    const isFolder = lstatSync(file).isDirectory();
    if (!isReleased(path)) rmSync(file, { recursive: true });
    else if (isFolder) left += pruneRelease(root, path);
    else left += 1;
  }
  if (folder !== "" && readdirSync(join(root, folder)).length === 0) rmdirSync(join(root, folder));
  return left;
}
