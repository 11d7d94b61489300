import { stopTools } from "./run-tool.mjs";
import { tell } from "./step.mjs";

/**
 * Whether npm started us and has gone since. A killed npm can't pass anything on, and nobody would be left to stop us.
 * @param {number} parent our parent's process id at the start
 */
const isAbandonedByNpm = (parent) => process.env["npm_lifecycle_event"] !== undefined && process.ppid !== parent;

/** One Ctrl-C arrives twice, from the terminal and passed on by npm: only a later one means "at once". */
const SAME_REQUEST_MS = 1000;

/**
 * Resolves when somebody wants this command to end: Ctrl-C, SIGTERM, a closed terminal, or a killed npm. Asked twice, it ends at once.
 * @param {() => void} atOnce what must be killed in that case
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
      tell("\nStopping (once more to stop at once) ...");
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
