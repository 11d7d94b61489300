import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { compileCache } from "./compile-cache.mjs";
import { inRoot, root } from "./root.mjs";

/** How long a part may take to shut down before it is killed. */
const GRACE_MS = 15_000;

/**
 * @typedef {object} StackPart one process of the stack
 * @property {string} name
 * @property {Promise<string>} ended resolves to how it ended, in words
 * @property {() => boolean} isRunning
 * @property {() => Promise<void>} stop sends SIGTERM, waits, and kills the part if it does not end
 * @property {() => void} kill
 */

/**
 * Starts one process of the stack. It has its own process group, so that Ctrl-C in a terminal reaches only this process, which stops the parts in
 * order. It has an IPC channel, so that it notices when this process is killed (end-with-parent.mjs).
 * @param {object} options
 * @param {string} options.name for messages, such as "server"
 * @param {string} options.node the Node that runs it
 * @param {string} options.file the TypeScript entry, relative to the checkout's root
 * @param {NodeJS.ProcessEnv} options.env
 * @param {(line: string) => void} options.onLine called with every line it prints
 * @param {(message: unknown) => void} [options.onMessage] called with every message that it sends
 * @param {number} [options.graceMs]
 * @returns {StackPart}
 */
export function startPart({ name, node, file, env, onLine, onMessage = () => {}, graceMs = GRACE_MS }) {
  const preload = pathToFileURL(inRoot("bin/end-with-parent.mjs")).href;
  const child = spawn(node, ["--import", preload, inRoot(file)], {
    cwd: root,
    env: { ...compileCache, ...env },
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let running = true;
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream, crlfDelay: Infinity }).on("line", onLine);
  }
  child.on("message", onMessage);
  /** @type {Promise<string>} */
  const ended = new Promise((resolve) => {
    child.on("error", (error) => {
      running = false;
      resolve(`could not be started: ${error.message}`);
    });
    // "close" instead of "exit", because by then its last lines have been read.
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
