// npm run release [-- --out <folder>] [-- --check]: makes the archive of the commit that is checked out, with all that a server needs. --check makes
// it twice, in two folders, and compares the bytes.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import {
  checkedOutCommit,
  differencesBetween,
  makeRelease,
  mustHaveReleasedWidget,
  PLATFORM,
} from "./make-release.mjs";
import { inRoot, root } from "./root.mjs";
import { command, tell, Trouble } from "./step.mjs";
import { untilToldToStop } from "./until-told-to-stop.mjs";

const MAX_NAMED = 20;

/** @param {number} bytes */
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

function readOptions() {
  try {
    return parseArgs({ options: { out: { type: "string" }, check: { type: "boolean", default: false } } }).values;
  } catch (error) {
    throw new Trouble(`${/** @type {Error} */ (error).message}\nUse npm run release -- [--out <folder>] [--check]`);
  }
}

await command(async () => {
  void untilToldToStop(() => {});
  const { out = inRoot("dist"), check } = readOptions();
  if (`${process.platform}-${process.arch}` !== PLATFORM)
    throw new Trouble(`A release is made on ${PLATFORM}, because packages with machine code install for the machine.`);
  mustHaveReleasedWidget(root);
  const commit = await checkedOutCommit();
  // Not below the checkout, whose packages would stand in for missing ones; two lengths, because a path may be in a build.
  const works = (check ? ["farthing-release-", "farthing-release-again-"] : ["farthing-release-"]).map((name) =>
    mkdtempSync(join(tmpdir(), name)),
  );
  try {
    const made = [];
    for (const [index, work] of works.entries())
      made.push(await makeRelease(commit, { work, out: index === 0 ? resolve(out) : work }));
    const [first, second] = made;
    if (!first) return 1;
    tell(`\n${first.file}\n  ${megabytes(first.bytes)}\n  SHA-256 ${first.sha256}\n  commit ${commit.id}`);
    if (!second) return 0;
    if (first.sha256 === second.sha256) {
      tell("The second archive has the same bytes.");
      return 0;
    }
    const paths = differencesBetween(first.folder, second.folder);
    throw new Trouble(
      `The second archive differs, at ${paths.length} paths.\n${paths.slice(0, MAX_NAMED).join("\n") || "Only the packing differs."}`,
    );
  } finally {
    for (const work of works) rmSync(work, { recursive: true, force: true });
  }
});
