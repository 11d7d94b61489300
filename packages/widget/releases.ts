import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The folder of the package's releases. Each holds the files that the server keeps serving at /widget/<version>/. */
export const RELEASES = "packages/widget/releases";
const NAME = "@farthing/widget";

/** What partners' pages load: the server serves the same names. */
const SERVED = /^([\w-]+\.(js|css)|integrity\.json)$/;

/** Sorts versions without pre-releases, oldest first. */
export function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, "en", { numeric: true });
}

/** Returns the version at the top of the package's changelog. @throws Error if there is none */
export function newestInChangelog(changelog: string): string {
  const version = /^## (\d+\.\d+\.\d+)$/m.exec(changelog)?.[1];
  if (!version) throw new Error('packages/widget/CHANGELOG.md needs a heading such as "## 1.0.0" for the release');
  return version;
}

/** Returns the bytes of a folder's served files by name. */
export function servedFiles(folder: string): Map<string, Buffer> {
  const names = readdirSync(folder).filter((name) => SERVED.test(name));
  return new Map(names.toSorted().map((name) => [name, readFileSync(join(folder, name))]));
}

/** Returns the names of the files that differ between two folders, or exist in one only. */
export function differingFiles(one: string, other: string): string[] {
  const [first, second] = [servedFiles(one), servedFiles(other)];
  const names = [...new Set([...first.keys(), ...second.keys()])];
  return names.filter((name) => !(first.has(name) && second.get(name)?.equals(first.get(name)!)));
}

/** Returns the released versions of a checkout, oldest first. */
export function releasedVersions(root: string): string[] {
  const folder = join(root, RELEASES);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^\d+\.\d+\.\d+$/.test(name))
    .toSorted(compareVersions);
}

/**
 * Writes a version into the package, into every workspace that depends on it, and into the lock file, so that `npm ci` accepts the checkout.
 * `workspaces` are the folders of the workspaces.
 */
export function writeVersion(root: string, version: string, workspaces: readonly string[]): void {
  for (const workspace of workspaces) {
    const path = join(root, workspace, "package.json");
    // As text, which keeps the file's format.
    const text = readFileSync(path, "utf8").replace(DEPENDENCY, `$1"${version}"`);
    const { name } = JSON.parse(text) as Manifest;
    writeFileSync(path, name === NAME ? text.replace(/("version": ?)"[^"]*"/, `$1"${version}"`) : text);
  }
  const path = join(root, "package-lock.json");
  const lock = JSON.parse(readFileSync(path, "utf8")) as { packages: Record<string, Manifest> };
  for (const manifest of workspaces.map((workspace) => lock.packages[workspace]!)) {
    if (manifest.name === NAME) manifest.version = version;
    for (const dependencies of [manifest.dependencies, manifest.devDependencies]) {
      if (dependencies && NAME in dependencies) dependencies[NAME] = version;
    }
  }
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
}

type Dependencies = Record<string, string>;
type Manifest = { name?: string; version?: string; dependencies?: Dependencies; devDependencies?: Dependencies };
/** Another package's dependency on this one. */
const DEPENDENCY = /("@farthing\/widget": ?)"[^"]*"/g;

/**
 * Keeps a build as a release. A release that exists is never changed.
 * @throws Error if the version was released with other bytes
 */
export function keepRelease(root: string, { version, build }: { version: string; build: string }): "kept" | "the same" {
  const folder = join(root, RELEASES, version);
  if (existsSync(folder)) {
    const differing = differingFiles(folder, build);
    if (differing.length === 0) return "the same";
    throw new Error(
      `${version} was released with other files (${differing.join(", ")}): add a heading with the next version to packages/widget/CHANGELOG.md`,
    );
  }
  const files = servedFiles(build);
  try {
    for (const name of files.keys()) cpSync(join(build, name), join(folder, name));
  } catch (error) {
    rmSync(folder, { recursive: true, force: true }); // half a release would be served
    throw error;
  }
  return "kept";
}
