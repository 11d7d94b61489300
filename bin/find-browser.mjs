import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { inRoot } from "./root.mjs";

const NAMES = ["/usr/bin/chromium", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Where install-browser.mjs puts the one from npm's registry. */
export const browserFromNpm = inRoot(".cache/browser/chromium");

/**
 * Whether a browser starts here, shared libraries and all. Some systems have a file of that name that only tells how to install one.
 * @param {string} file
 */
export const starts = (file) =>
  existsSync(file) && spawnSync(file, ["--version"], { stdio: "ignore", timeout: 20_000 }).status === 0;

/**
 * The Chromium that tests use: CHROMIUM_PATH, else one installed on this machine, else the one that npm's registry gave us.
 * @returns {string | null} absolute path
 */
export function findBrowser() {
  const chosen = process.env["CHROMIUM_PATH"];
  if (chosen) return chosen;
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter(Boolean);
  const candidates = NAMES.flatMap((name) => (isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name))));
  return [...candidates, browserFromNpm].find(starts) ?? null;
}
