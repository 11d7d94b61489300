import { createServer } from "node:net";
import { Trouble, tell } from "./step.mjs";

/** A run that was killed a moment ago may still be closing. */
const PATIENCE_MS = 8000;

/** @param {number} port @returns {Promise<boolean>} */
function isFree(port) {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code === "EADDRINUSE") resolve(false);
      else if (error.code === "EACCES")
        reject(new Trouble(`Port ${port} is only for root: choose one from 1024 up, as PORT=3000.`));
      else reject(error);
    });
    probe.listen(port, () => probe.close(() => resolve(true)));
  });
}

/**
 * Reads a port from a setting.
 * @param {string | undefined} text
 * @param {number} otherwise
 */
export function parsePort(text, otherwise) {
  if (text === undefined || text === "") return otherwise;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_500) {
    throw new Trouble(`PORT is "${text}", which is not a port: set it to a number from 1024 to 65500, as PORT=3000.`);
  }
  return port;
}

/**
 * Makes sure that nobody listens on the ports we are about to use.
 * @param {{ port: number, use: string }[]} wanted
 * @param {number} [patience] milliseconds to wait for one that is busy
 */
export async function ensurePortsFree(wanted, patience = PATIENCE_MS) {
  const until = performance.now() + patience;
  for (const { port, use } of wanted) {
    let told = false;
    while (!(await isFree(port))) {
      if (performance.now() >= until) {
        throw new Trouble(
          `Port ${port} (${use}) is already in use: stop what listens there, or choose another with PORT, as PORT=${port + 1000} npm start.`,
        );
      }
      if (!told) tell(`- Port ${port} is in use, waiting a moment for it ...`);
      told = true;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}

/**
 * The first port from which on a whole stack finds its ports free.
 * @param {number} from
 * @param {(port: number) => { port: number }[]} portsOf what a stack needs that starts there
 */
export async function findFreeStackPort(from, portsOf) {
  for (let first = from; first < 65_000; first += 50) {
    const free = await Promise.all(portsOf(first).map(({ port }) => isFree(port)));
    if (free.every(Boolean)) return first;
  }
  throw new Trouble(`No free ports from ${from} on.`);
}
