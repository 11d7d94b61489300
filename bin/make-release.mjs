import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { runNpm } from "./install.mjs";
import { commandList } from "./operator-commands.mjs";
import { packArchive, sha256Of } from "./pack-archive.mjs";
import { pruneRelease } from "./release-files.mjs";
import { root } from "./root.mjs";
import { mustRunTool } from "./run-tool.mjs";
import { step, Trouble } from "./step.mjs";
import { licencesText, thirdPartyPackages } from "./third-party-licences.mjs";

/** The one platform of releases: that of the packages with machine code in them. */
export const PLATFORM = "linux-x64";

/**
 * @typedef {object} Commit
 * @property {string} id 40 digits
 * @property {number} seconds when it was made, since 1970
 * @property {string} version of package.json
 */

/**
 * Returns the commit that is checked out. @throws Trouble where there is none, or where files differ from it
 * @returns {Promise<Commit>}
 */
export async function checkedOutCommit() {
  /** @param {string[]} args */
  const git = (...args) => mustRunTool("A release is made from a git checkout", "git", ["-C", root, ...args]);
  const changed = (await git("status", "--porcelain")).trimEnd();
  if (changed !== "")
    throw new Trouble(
      `A release is made from a commit, and these files differ from it. Commit or remove them first.\n\n${changed}`,
    );
  const [id = "", seconds = ""] = (await git("show", "-s", "--format=%H %ct", "HEAD")).trim().split(" ");
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return { id, seconds: Number(seconds), version };
}

/**
 * Refuses a checkout whose widget is not released: its archive would serve a version whose bytes are not those that partners pin.
 * @param {string} checkout @throws Trouble
 */
export function mustHaveReleasedWidget(checkout) {
  const { version } = JSON.parse(readFileSync(join(checkout, "packages/widget/package.json"), "utf8"));
  if (!existsSync(join(checkout, "packages/widget/releases", version)))
    throw new Trouble(
      `Version ${version} of the widget is not released, so partners could not pin what the archive serves. Run npm run widget:release, commit packages/widget/releases/${version}, and run npm run release again.`,
    );
}

/**
 * Makes the archive of a commit in a folder of its own.
 * @param {Commit} commit
 * @param {{ work: string, out: string }} folders `work` is empty, and keeps the release's folder
 */
export async function makeRelease({ id, seconds, version }, { work, out }) {
  const name = `farthing-${version}`;
  const folder = join(work, name);
  mkdirSync(folder, { recursive: true });
  mkdirSync(out, { recursive: true });
  await step("Taking the files of the commit", async () => {
    const tar = join(work, "commit.tar");
    await mustRunTool("The commit could not be read", "git", [
      ...["-C", root, "archive", "--format=tar", `--output=${tar}`, id],
    ]);
    await mustRunTool("The commit could not be unpacked", "tar", ["-xf", tar, "-C", folder]);
    rmSync(tar);
  });
  const checkout = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  await step("Installing what builds", () => install(folder, ["ci", "--omit=dev"]));
  await step("Building the site, the admin and the widget", () =>
    mustRunTool("The release could not be built", pinnedNode(folder), ["bin/build.mjs"], {
      cwd: folder,
      env: { NODE_ENV: "production", TZ: "UTC", LC_ALL: "C.UTF-8", FARTHING_WIDGET_ENVIRONMENTS: undefined },
    }),
  );
  await step("Installing what runs", async () => {
    removePackages(folder);
    // Without the workspaces that only a checkout has. `npm ci` would ask for a lock file without them; this takes the versions from the one there is.
    writeJson(join(folder, "package.json"), { ...checkout, workspaces: ["apps/*", "packages/*"] });
    await install(folder, ["install", "--no-save", "--omit=dev", "--workspace=apps/server"]);
  });
  await step("Leaving out what a server does not need", async () => {
    pruneRelease(folder);
    writeFileSync(join(folder, "bin/commands"), commandList());
    writeFileSync(join(folder, "THIRD-PARTY-LICENCES.txt"), licencesText(thirdPartyPackages(folder)));
    const committed = new Date(seconds * 1000).toISOString();
    writeJson(join(folder, "RELEASE.json"), { version, commit: id, committed, platform: PLATFORM });
    const { name, private: isPrivate, license, type } = checkout;
    writeJson(join(folder, "package.json"), { name, version, private: isPrivate, license, type });
  });
  const file = join(out, `${name}-${PLATFORM}.tar.gz`);
  await step("Packing", () => packArchive({ parent: work, name, file, seconds }));
  const sha256 = await sha256Of(file);
  writeFileSync(`${file}.sha256`, `${sha256}  ${name}-${PLATFORM}.tar.gz\n`);
  return { file, folder, sha256, bytes: statSync(file).size };
}

/** @param {string} folder */
const pinnedNode = (folder) => join(folder, `node_modules/node-${PLATFORM}/bin/node`);

/** @param {string} file @param {object} content */
const writeJson = (file, content) => writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);

/** @param {string} folder @param {string[]} which npm's command and what it installs */
function install(folder, which) {
  return runNpm(
    "The packages could not be installed",
    [...which, "--os=linux", "--cpu=x64", "--libc=glibc", "--no-audit", "--no-fund", "--loglevel=error"],
    // npm run tells the npm that it starts which folder it is about.
    { cwd: folder, env: { npm_config_local_prefix: undefined, NODE_ENV: undefined } },
  );
}

/** Deletes every node_modules of the root and of the workspaces. @param {string} folder */
function removePackages(folder) {
  const workspaces = ["apps", "packages"].flatMap((parent) =>
    readdirSync(join(folder, parent)).map((name) => join(folder, parent, name)),
  );
  for (const place of [folder, join(folder, "sandbox"), ...workspaces])
    rmSync(join(place, "node_modules"), { recursive: true, force: true });
}

/**
 * Returns the paths at which two release folders differ, sorted.
 * @param {string} one @param {string} other
 */
export function differencesBetween(one, other) {
  const [first, second] = [fingerprints(one), fingerprints(other)];
  return [...new Set([...first.keys(), ...second.keys()])]
    .filter((path) => first.get(path) !== second.get(path))
    .sort();
}

/** @param {string} folder @param {string} [below] @returns {Map<string, string>} what each file and link holds, by path */
function fingerprints(folder, below = "") {
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const name of readdirSync(join(folder, below))) {
    const path = join(below, name);
    const file = join(folder, path);
    const stats = lstatSync(file);
    if (stats.isDirectory()) for (const [of, print] of fingerprints(folder, path)) found.set(of, print);
    else if (stats.isSymbolicLink()) found.set(path, readlinkSync(file));
    else found.set(path, `${stats.mode & 0o100} ${createHash("sha256").update(readFileSync(file)).digest("hex")}`);
  }
  return found;
}
