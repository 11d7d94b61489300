import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { budgets, bundle, entryBytes } from "../../packages/widget/build-entries.ts";

const peers = path.resolve(import.meta.dirname, "../peers/widget");

export interface EntrySize {
  name: string;
  /** As a page loads it: everything it imports, minified, gzip -9, React outside. */
  bytes: number;
}

/** The widget's own entries, in the order of their budgets. */
export async function ownSizes(): Promise<EntrySize[]> {
  const sizes: EntrySize[] = [];
  for (const { entry } of budgets) sizes.push({ name: `farthing ${entry}`, bytes: await entryBytes(entry) });
  return sizes;
}

/**
 * The peers, one for each file of bench/peers/widget/entries, through the very bundler and settings that build the widget. Installs them,
 * without running their scripts, when they are not there.
 * @throws Error when a bundle is not whole: an import left outside that is not React, or code split off the entry
 */
export async function peerSizes(): Promise<EntrySize[]> {
  if (!existsSync(path.join(peers, "node_modules/.package-lock.json"))) {
    execFileSync("npm", ["ci", "--ignore-scripts"], { cwd: peers, stdio: ["ignore", "ignore", "inherit"] });
  }
  const sizes: EntrySize[] = [];
  for (const file of readdirSync(path.join(peers, "entries")).sort()) {
    const name = path.basename(file, ".js");
    const [chunk, ...rest] = await bundle(
      { [name]: path.join(peers, "entries", file) },
      { format: "es", minify: true },
    );
    const outside = chunk.imports.filter((module) => module !== "react" && module !== "react-dom");
    if (rest.length > 0 || outside.length > 0) throw new Error(`${name} is more than one file: ${outside.join(", ")}`);
    sizes.push({ name, bytes: gzipSync(chunk.code, { level: 9 }).length });
  }
  return sizes;
}
