import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { inRoot } from "./root.mjs";

const NAMES = ["/usr/bin/chromium", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The browser that install-browser.mjs installs from the npm registry. */
export const browserFromNpm = inRoot(".cache/browser/chromium");

/**
 * Returns whether a browser starts on this machine. Libraries can be missing, and on some systems a file of that name only prints how to install
 * the browser.
 * @param {string} file
 */
export const starts = (file) =>
  existsSync(file) && spawnSync(file, ["--version"], { stdio: "ignore", timeout: 20_000 }).status === 0;

/**
 * Returns the Chromium that tests use: CHROMIUM_PATH, otherwise an installed one, otherwise the one from the npm registry.
 * @returns {string | null} absolute path
 */
export function findBrowser() {
  const chosen = process.env["CHROMIUM_PATH"];
  if (chosen) return chosen;
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter(Boolean);
  const candidates = NAMES.flatMap((name) => (isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name))));
  return [...candidates, browserFromNpm].find(starts) ?? null;
}
