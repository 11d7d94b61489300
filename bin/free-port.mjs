import { createServer } from "node:net";
import { Trouble, tell } from "./step.mjs";

/** How long to wait for a busy port: a run that was just killed may still be closing. */
const PATIENCE_MS = 8000;

/** @param {number} port @returns {Promise<boolean>} */
function isFree(port) {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code === "EADDRINUSE") resolve(false);
      else if (error.code === "EACCES")
        reject(new Trouble(`Port ${port} is reserved for root: choose a port from 1024 on, such as PORT=3000.`));
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
    throw new Trouble(
      `PORT is "${text}", which is not a port: set it to a number from 1024 to 65500, such as PORT=3000.`,
    );
  }
  return port;
}

/**
 * Waits until the given ports are free. @throws Trouble if one stays busy
 * @param {{ port: number, use: string }[]} wanted
 * @param {number} [patience] milliseconds to wait for a busy port
 */
export async function ensurePortsFree(wanted, patience = PATIENCE_MS) {
  const until = performance.now() + patience;
  for (const { port, use } of wanted) {
    let told = false;
    while (!(await isFree(port))) {
      if (performance.now() >= until) {
        throw new Trouble(
          `Port ${port} (${use}) is already in use: stop the process that listens on it, or choose another with PORT, such as PORT=${port + 1000} npm start.`,
        );
      }
      if (!told) tell(`- Port ${port} is in use, waiting a moment for it ...`);
      told = true;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}

/**
 * Returns the first port at which all ports of a stack are free.
 * @param {number} from
 * @param {(port: number) => { port: number }[]} portsOf returns the ports of a stack that starts at a port
 */
export async function findFreeStackPort(from, portsOf) {
  for (let first = from; first < 65_000; first += 50) {
    const free = await Promise.all(portsOf(first).map(({ port }) => isFree(port)));
    if (free.every(Boolean)) return first;
  }
  throw new Trouble(`No free ports from ${from} on.`);
}
