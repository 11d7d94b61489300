import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { inRoot, root } from "./root.mjs";

/** How long a part may take to finish what it is doing before it is killed. */
const GRACE_MS = 15_000;

/**
 * @typedef {object} StackPart one process of the stack
 * @property {string} name
 * @property {Promise<string>} ended says in words how it ended
 * @property {() => boolean} isRunning
 * @property {() => Promise<void>} stop asks it to end, waits, and kills it when it does not
 * @property {() => void} kill
 */

/**
 * Starts one process of the stack. It gets a process group of its own, so that Ctrl-C in a terminal reaches only us and we stop the parts
 * in order; and a channel to us, so that it notices when we are killed (end-with-parent.mjs).
 * @param {object} options
 * @param {string} options.name as a person knows it: "server"
 * @param {string} options.node the Node that runs it
 * @param {string} options.file our TypeScript entry, from the checkout's root
 * @param {NodeJS.ProcessEnv} options.env
 * @param {(line: string) => void} options.onLine every line it prints
 * @param {number} [options.graceMs]
 * @returns {StackPart}
 */
export function startPart({ name, node, file, env, onLine, graceMs = GRACE_MS }) {
  const preload = pathToFileURL(inRoot("bin/end-with-parent.mjs")).href;
  const child = spawn(node, ["--import", preload, inRoot(file)], {
    cwd: root,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let running = true;
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream, crlfDelay: Infinity }).on("line", onLine);
  }
  /** @type {Promise<string>} */
  const ended = new Promise((resolve) => {
    child.on("error", (error) => {
      running = false;
      resolve(`could not be started: ${error.message}`);
    });
    // "close" and not "exit": what it said last has been read by then.
    child.on("close", (code, signal) => {
      running = false;
      resolve(signal ? `was ended by ${signal}` : `ended with exit code ${code}`);
    });
  });
  const kill = () => {
    if (running) child.kill("SIGKILL");
  };
  const stop = async () => {
    if (running) child.kill("SIGTERM");
    const timer = setTimeout(kill, graceMs);
    await ended;
    clearTimeout(timer);
  };
  return { name, ended, isRunning: () => running, stop, kill };
}
