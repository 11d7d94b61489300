import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The checkout's own folder, whatever folder a command is run from. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");

/** A path inside the checkout, absolute. @param {string[]} parts */
export const inRoot = (...parts) => resolve(root, ...parts);
