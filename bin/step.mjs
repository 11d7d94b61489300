import { endTools } from "./run-tool.mjs";
import { Trouble } from "./trouble.mjs";

export { Trouble };

/** The interval at which a long step reports that it is still running (P5). */
const HEARTBEAT_MS = 5000;

/** @param {number} from a `performance.now()` */
export const secondsSince = (from) => `${((performance.now() - from) / 1000).toFixed(1)} s`;

/** @param {string} line */
export const tell = (line) => process.stdout.write(`${line}\n`);

/**
 * Runs one step of a command. Prints its start, a line every five seconds, and its duration.
 * @template T
 * @param {string} title such as "Installing packages"
 * @param {() => Promise<T>} work
 * @param {() => string | undefined} [detail] returns the progress, for each line
 * @returns {Promise<T>}
 */
export async function step(title, work, detail) {
  const from = performance.now();
  tell(`- ${title} ...`);
  const heartbeat = setInterval(() => {
    const far = detail?.();
    tell(`    ${title}: ${secondsSince(from)}${far ? `, ${far}` : ""}`);
  }, HEARTBEAT_MS);
  try {
    const result = await work();
    tell(`  ${title}: done in ${secondsSince(from)}`);
    return result;
  } finally {
    clearInterval(heartbeat);
  }
}

/**
 * Runs a command's main function, ends the tools that still run, and exits. Prints the message of an expected error (Trouble), and the stack of any other.
 * @param {() => Promise<number>} main returns the exit code
 */
export async function command(main) {
  let code = 1;
  try {
    code = await main();
  } catch (error) {
    process.stderr.write(
      `\n${error instanceof Trouble ? error.message : (error instanceof Error && error.stack) || String(error)}\n`,
    );
  }
  await endTools();
  process.exit(code); // even if timers or sockets are still open
}
