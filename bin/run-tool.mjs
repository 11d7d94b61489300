import { spawn } from "node:child_process";
import { root } from "./root.mjs";
import { Trouble } from "./step.mjs";

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();
let stopping = false;

/**
 * @typedef {object} ToolOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env] added to ours
 * @property {"show" | "keep"} [output] shown as it comes, or kept until it is known whether anybody needs it
 */

/** How long a tool may take to tidy up once it is told to stop. */
const GRACE_MS = 10_000;

/**
 * Runs a tool to its end, in a process group of its own: Ctrl-C reaches only us, and we pass it on once. Some tools take a second one,
 * which npm would add, for impatience and leave their own children behind.
 * @param {string} file
 * @param {string[]} args
 * @param {ToolOptions} [options]
 * @returns {Promise<{ code: number, output: string }>} `output` is both streams in the order they came, when kept
 */
export function runTool(file, args, { cwd = root, env = {}, output = "keep" } = {}) {
  if (stopping) return Promise.reject(new Trouble("Stopped."));
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
    child.on("error", (error) => {
      running.delete(child);
      reject(error);
    });
    child.on("close", (code, signal) => {
      running.delete(child);
      resolve({ code: code ?? (signal ? 1 : 0), output: Buffer.concat(kept).toString() });
    });
  });
}

/**
 * Runs a tool that has to succeed.
 * @param {string} what what could not be done if it fails, as "The packages could not be installed"
 * @param {string} file
 * @param {string[]} args
 * @param {ToolOptions} [options]
 */
export async function mustRunTool(what, file, args, options) {
  const { code, output } = await runTool(file, args, options);
  if (code !== 0) throw new Trouble(`${what} (exit code ${code}).\n\n${output.trim()}`);
  return output;
}

/** Ends the tools that are running, with all that they started, and starts no more: a command that is told to stop leaves none behind. */
export function stopTools() {
  stopping = true;
  for (const child of running) {
    signalGroup(child, "SIGINT");
    setTimeout(() => signalGroup(child, "SIGKILL"), GRACE_MS).unref();
  }
}

/** @param {import("node:child_process").ChildProcess} child @param {NodeJS.Signals} signal */
function signalGroup(child, signal) {
  if (!child.pid || !running.has(child)) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "ESRCH") throw error; // it has just ended by itself
  }
}
