import { readdirSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { installedPeer } from "../install-peer.ts";
import { budgets, bundle, entryBytes } from "../../packages/widget/build-entries.ts";

export interface EntrySize {
  name: string;
  /** As a page loads it: with everything it imports but React, minified, gzip -9. */
  bytes: number;
}

/** Returns the sizes of the widget's own entries, in the order of their budgets. */
export async function ownSizes(): Promise<(EntrySize & { max: number })[]> {
  const sizes: (EntrySize & { max: number })[] = [];
  for (const { entry, target } of budgets)
    sizes.push({ name: `farthing ${entry}`, bytes: await entryBytes(entry), max: target });
  return sizes;
}

/**
 * Returns the sizes of the peers, one for each file of bench/peers/widget/entries, with the bundler and settings that build the widget. Installs them,
 * without running their scripts, if needed.
 * @throws Error if a bundle is incomplete: an external import that is not React, or a split chunk
 */
export async function peerSizes(): Promise<EntrySize[]> {
  const peers = installedPeer("widget");
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
