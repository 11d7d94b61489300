import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { findNode } from "./find-node.mjs";
import { inRoot, root } from "./root.mjs";
import { mustRunTool, together } from "./run-tool.mjs";
import { step } from "./step.mjs";

/** What both apps are built from, besides their own folder. */
const SHARED_SOURCES = ["packages/core", "packages/ui", "package-lock.json", "tsconfig.base.json"];
const NOT_SOURCES = new Set(["node_modules", "build", "dist", ".react-router", "browser-tests"]);

/** @param {string} path @returns {string[]} every source file in it, in a fixed order */
function sourceFiles(path) {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => !NOT_SOURCES.has(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? sourceFiles(join(path, entry.name)) : [join(path, entry.name)]));
}

/**
 * Returns one hash of the names and contents of a build's sources.
 * @param {string[]} sources folders and .json files, from the checkout's root
 */
export function hashSources(sources) {
  const hash = createHash("sha256");
  for (const source of sources.map((path) => inRoot(path)).filter((path) => existsSync(path))) {
    for (const file of source.endsWith(".json") ? [source] : sourceFiles(source)) {
      hash
        .update(`${relative(root, file)}\0`)
        .update(readFileSync(file))
        .update("\0");
    }
  }
  return hash.digest("hex");
}

/**
 * Compresses assets with Brotli's best quality, 10 % smaller than a server could afford per request (U2). The server sends these files.
 * @param {string} app
 */
async function compressAssets(app) {
  const folder = join(app, "build/client/assets");
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  const files = readdirSync(folder).filter((file) => /\.(js|css|svg)$/.test(file));
  await Promise.all(
    files.map(async (file) => {
      const packed = await promisify(brotliCompress)(readFileSync(join(folder, file)), { params });
      writeFileSync(join(folder, `${file}.br`), packed);
    }),
  );
}

/** @param {"site" | "admin"} name builds the app for production, unless the build matches the sources */
async function ensureAppBuilt(name) {
  const app = inRoot("apps", name);
  // Inside the build, so that deleting the build deletes the stamp too.
  const stamp = join(app, "build/.sources");
  const wanted = hashSources([`apps/${name}`, ...SHARED_SOURCES]);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  await step(`Building the ${name}`, async () => {
    rmSync(stamp, { force: true });
    await mustRunTool(
      `The ${name} could not be built`,
      findNode(),
      [inRoot("node_modules/@react-router/dev/bin.cjs"), "build"],
      { cwd: app, env: { NODE_ENV: "production" } },
    );
    await compressAssets(app);
    writeFileSync(stamp, wanted);
  });
}

/** Builds the members' site for production, unless the build matches the sources. */
export const ensureSiteBuilt = () => ensureAppBuilt("site");

/** Builds the operators' admin for production, unless the build matches the sources. */
export const ensureAdminBuilt = () => ensureAppBuilt("admin");

/** Builds both apps that the server mounts. */
export async function ensureAppsBuilt() {
  await together([ensureSiteBuilt(), ensureAdminBuilt()]);
}
