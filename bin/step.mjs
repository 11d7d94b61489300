/** How often a step that takes long says that it is still going (product.md P5). */
const HEARTBEAT_MS = 5000;

/**
 * Something that went wrong in a way we understand: its message is all a person needs, so no stack trace is printed.
 */
export class Trouble extends Error {}

/** @param {number} from a `performance.now()` */
export const secondsSince = (from) => `${((performance.now() - from) / 1000).toFixed(1)} s`;

/** @param {string} line */
export const tell = (line) => process.stdout.write(`${line}\n`);

/**
 * Runs one step of a command: announces it, says every five seconds that it is still going, and how long it took.
 * @template T
 * @param {string} title what is being done, as "Installing packages"
 * @param {() => Promise<T>} work
 * @param {() => string | undefined} [detail] how far it is, asked for at every heartbeat
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
 * Runs a command's main function; what it did not foresee is printed with its stack, what it did with its message.
 * @param {() => Promise<number>} main gives the exit code
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
  process.exit(code); // also when something that is of no use any more is still going on
}
