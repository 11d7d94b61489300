import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The checkout's folder, whatever the current folder is. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");

/** Returns the absolute path of a file or folder in the checkout. @param {string[]} parts */
export const inRoot = (...parts) => resolve(root, ...parts);
