import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../../", import.meta.url));
const run = promisify(execFile);

/**
 * Returns a folder with another revision of Farthing, built for production. It is made once and kept in .cache/drills: with its
 * own packages where its lock file differs from this checkout's, else with this checkout's.
 * @throws Error where there is no such revision, or where it can't be installed or built
 */
export async function earlierVersion(revision: string, tell: (line: string) => void): Promise<string> {
  const commit = await commitOf(revision);
  const folder = join(root, ".cache/drills", commit.slice(0, 12));
  const mark = join(folder, ".cache/built-for-drills");
  if (existsSync(mark)) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, ".cache"), { recursive: true });
  tell(`Unpacking ${commit.slice(0, 12)}`);
  const archive = join(folder, ".cache/archive.tar");
  await run("git", ["archive", "--output", archive, commit], { cwd: root });
  await run("tar", ["-xf", archive, "-C", folder]);
  rmSync(archive);
  if (isSameFile("package-lock.json", folder)) linkPackages(folder);
  else {
    tell("Installing its packages, once");
    await run("npm", ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: folder });
  }
  tell("Building it, once");
  await run(process.execPath, ["bin/build.mjs"], { cwd: folder, maxBuffer: 50_000_000 });
  writeFileSync(mark, commit);
  return folder;
}

async function commitOf(revision: string): Promise<string> {
  const wanted = `${revision}^{commit}`;
  try {
    return (await run("git", ["rev-parse", "--verify", "--quiet", wanted], { cwd: root })).stdout.trim();
  } catch (error) {
    throw new Error(`This checkout has no revision ${revision}. Name one with --from, or fetch the whole history.`, {
      cause: error,
    });
  }
}

function isSameFile(name: string, folder: string): boolean {
  return readFileSync(join(root, name), "utf8") === readFileSync(join(folder, name), "utf8");
}

/** Links every installed package, and the workspaces to the folder's own. */
function linkPackages(folder: string): void {
  const [from, to] = [join(root, "node_modules"), join(folder, "node_modules")];
  mkdirSync(to);
  for (const name of readdirSync(from).filter((entry) => entry !== "@farthing"))
    symlinkSync(join(from, name), join(to, name));
  // Relative links, which lead to the folder's workspaces.
  cpSync(join(from, "@farthing"), join(to, "@farthing"), { recursive: true, verbatimSymlinks: true });
  for (const workspace of nestedPackages())
    cpSync(join(root, workspace), join(folder, workspace), { recursive: true, verbatimSymlinks: true });
}

/** Returns the workspaces' own node_modules, from the checkout's root. */
function nestedPackages(): string[] {
  return ["apps", "packages"]
    .flatMap((kind) => readdirSync(join(root, kind)).map((name) => join(kind, name, "node_modules")))
    .concat("sandbox/node_modules")
    .filter((path) => existsSync(join(root, path)));
}
