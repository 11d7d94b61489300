import { stopTools } from "./run-tool.mjs";
import { tell } from "./step.mjs";

/**
 * Returns whether npm started this process and has ended since. A killed npm passes no signal on, so nothing else would stop this process.
 * @param {number} parent the parent's process id at the start
 */
const isAbandonedByNpm = (parent) => process.env["npm_lifecycle_event"] !== undefined && process.ppid !== parent;

/** One Ctrl-C arrives twice, from the terminal and from npm. Only a second one after this time means "stop at once". */
const SAME_REQUEST_MS = 1000;

/**
 * Resolves when this command has to stop: on Ctrl-C, SIGTERM, a closed terminal, or a killed npm. A second request exits at once.
 * @param {() => void} atOnce called before exiting at once
 * @returns {Promise<"told to stop">}
 */
export function untilToldToStop(atOnce) {
  return new Promise((resolve) => {
    /** @type {number | null} */
    let askedAt = null;
    const ask = () => {
      if (askedAt !== null) {
        if (performance.now() - askedAt < SAME_REQUEST_MS) return;
        atOnce();
        process.exit(130);
      }
      askedAt = performance.now();
      tell("\nStopping (press Ctrl-C again to stop at once) ...");
      stopTools();
      resolve("told to stop");
    };
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, ask);
    const parent = process.ppid;
    setInterval(() => {
      if (askedAt === null && isAbandonedByNpm(parent)) ask();
    }, 1000).unref();
  });
}
