import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { root } from "./root.mjs";
import { Trouble } from "./trouble.mjs";

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();
let stopping = false;

/**
 * @typedef {object} ToolOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env] added to this process's environment
 * @property {"show" | "keep"} [output] "show" prints the output, "keep" returns it
 * @property {string} [result] file that the tool writes at its end. Node can stand still while it exits (nodejs/node#54918): a tool that has not
 *   exited `exitMs` after this file was there is killed, and has not failed
 * @property {number} [exitMs]
 */

/** How long a tool may take to stop before it is killed. */
const GRACE_MS = 10_000;
/** How long a tool may take to exit after it has written its result. Playwright and Vitest stop servers and databases meanwhile. */
const EXIT_MS = 180_000;
const LOOK_MS = 1000;

/**
 * Runs a tool until it exits, in its own process group, so that Ctrl-C reaches only this process, which passes it on once. npm would pass on a
 * second one, which makes some tools exit at once and leave their own children running.
 * @param {string} file
 * @param {string[]} args
 * @param {ToolOptions} [options]
 * @returns {Promise<{ code: number, output: string, stoodStill: boolean }>} with "keep", `output` has both streams in order
 */
export async function runTool(file, args, { cwd = root, env = {}, output = "keep", result, exitMs = EXIT_MS } = {}) {
  throwIfStopped();
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd,
      env: { ...process.env, ...env },
      detached: true,
      stdio: output === "show" ? ["ignore", "inherit", "inherit"] : ["ignore", "pipe", "pipe"],
    });
    running.add(child);
    /** @type {Buffer[]} */
    const kept = [];
    child.stdout?.on("data", (chunk) => kept.push(chunk));
    child.stderr?.on("data", (chunk) => kept.push(chunk));
    let stoodStill = false;
    const endLooking = whenStandingStill(result, exitMs, () => {
      stoodStill = true;
      signalGroup(child, "SIGKILL");
    });
    child.on("error", (error) => {
      endLooking();
      running.delete(child);
      reject(error);
    });
    child.on("close", (code, signal) => {
      endLooking();
      running.delete(child);
      const failed = signal && !stoodStill;
      resolve({ code: code ?? (failed ? 1 : 0), output: Buffer.concat(kept).toString(), stoodStill });
    });
  });
}

/**
 * Calls `act` once `file` has been there for `ms`. Returns what ends the looking.
 * @param {string | undefined} file
 * @param {number} ms
 * @param {() => void} act
 */
function whenStandingStill(file, ms, act) {
  if (file === undefined) return () => {};
  /** @type {number | null} */
  let since = null;
  const timer = setInterval(
    () => {
      if (since === null && existsSync(file)) since = performance.now();
      if (since === null || performance.now() - since < ms) return;
      clearInterval(timer);
      act();
    },
    Math.min(ms, LOOK_MS),
  );
  return () => clearInterval(timer);
}

/**
 * Runs a tool that must succeed. @throws Trouble if it fails
 * @param {string} what the error message, such as "The packages could not be installed"
 * @param {string} file
 * @param {string[]} args
 * @param {ToolOptions} [options]
 */
export async function mustRunTool(what, file, args, options) {
  const { code, output } = await runTool(file, args, options);
  if (code !== 0) throwIfStopped();
  if (code !== 0) throw new Trouble(`${what} (exit code ${code}).\n\n${output.trim()}`);
  return output;
}

/**
 * Stops the running tools with their children, and starts no more: a stopped command leaves no processes behind. A second call changes nothing, because
 * some tools exit at once on a second signal and leave their own children running.
 */
export function stopTools() {
  if (stopping) return;
  stopping = true;
  for (const child of running) {
    signalGroup(child, "SIGINT");
    setTimeout(() => signalGroup(child, "SIGKILL"), GRACE_MS).unref();
  }
}

/** @throws Trouble after stopTools: the command begins nothing more */
export function throwIfStopped() {
  if (stopping) throw new Trouble("Stopped.");
}

/** Stops the running tools, and resolves when they have ended and what awaited them has gone on. */
export async function endTools() {
  if (running.size === 0) return;
  stopTools();
  await Promise.all([...running].map((child) => new Promise((resolve) => child.once("close", resolve))));
  await nextTurn();
}

/** Waits for works that run side by side. If one fails, the tools of the others are stopped. @param {Promise<void>[]} works */
export async function together(works) {
  try {
    await Promise.all(works);
  } catch (error) {
    stopTools();
    throw error;
  }
}

/** @param {import("node:child_process").ChildProcess} child @param {NodeJS.Signals} signal */
function signalGroup(child, signal) {
  if (!child.pid || !running.has(child)) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "ESRCH") throw error; // it has just exited
  }
}
