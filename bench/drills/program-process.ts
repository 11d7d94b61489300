import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { chownSync, mkdirSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { serverAccount } from "@farthing/db/embedded-location.ts";

/** A program that runs beside the applications, such as a proxy. */
export interface ProgramProcess {
  readonly pid: number;
  readonly isRunning: boolean;
  /** Its last lines. */
  readonly lines: readonly string[];
  /** Kills it with SIGKILL, with what it has started, and waits until it is gone. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

const atExit = new Set<() => void>();
process.on("exit", () => {
  for (const end of atExit) end();
});

/** Calls `end` if this process exits before the returned function was called: nothing that a drill has started outlives it. */
export function endAtExit(end: () => void): () => void {
  atExit.add(end);
  return () => void atExit.delete(end);
}

/** Sends a signal to a process, or to a group where the id is negative, unless it has ended. */
export function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** What refuses to run as root runs as this account: none where this process is not root. */
export const unprivileged = serverAccount() ?? {};

/** Makes a folder that only the unprivileged account can enter. */
export function privateFolder(folder: string): string {
  mkdirSync(folder, { mode: 0o700 });
  const account = serverAccount();
  if (account) chownSync(folder, account.uid, account.gid);
  return folder;
}

/** Starts a program and resolves when `isUp` does to true. @throws Error with its last lines where it ends before */
export async function startProgram(
  file: string,
  args: readonly string[],
  { isUp, ...options }: SpawnOptions & { isUp(): Promise<boolean> },
): Promise<ProgramProcess> {
  const lines: string[] = [];
  // A process group of its own, so that what it starts is stopped with it.
  const child = spawn(file, args, { cwd: "/", ...options, stdio: ["ignore", "pipe", "pipe"], detached: true });
  let failure: Error | null = null;
  const gone = new Promise<void>((resolve) => {
    child.once("error", (error) => {
      failure = error;
      resolve();
    });
    // Not "close": what it has started may keep its output open.
    child.once("exit", () => resolve());
  });
  const isRunning = () => failure === null && child.exitCode === null && child.signalCode === null;
  for (const stream of [child.stdout, child.stderr])
    if (stream)
      createInterface({ input: stream }).on("line", (line) => {
        lines.push(line.slice(0, 400));
        if (lines.length > 20) lines.shift();
      });
  const deadline = performance.now() + 60_000;
  while (isRunning() && performance.now() < deadline && !(await isUp())) await delay(100);
  const process = programProcess(child, gone, isRunning, lines);
  if (isRunning() && performance.now() < deadline) return process;
  await process.kill();
  throw new Error(`${file} did not start: ${[...(failure ? [String(failure)] : []), ...lines].join(" | ")}`);
}

function programProcess(
  child: ChildProcess,
  gone: Promise<void>,
  isRunning: () => boolean,
  lines: string[],
): ProgramProcess {
  const signal = (name: NodeJS.Signals) => {
    if (isRunning() && child.pid !== undefined) signalIfThere(-child.pid, name);
  };
  const ended = endAtExit(() => signal("SIGKILL"));
  void gone.then(ended);
  return {
    pid: child.pid ?? 0,
    get isRunning() {
      return isRunning();
    },
    lines,
    async kill() {
      signal("SIGKILL");
      await gone;
    },
    async stop() {
      signal("SIGTERM");
      await Promise.race([gone, delay(5_000, undefined, { ref: false })]);
      signal("SIGKILL");
      await gone;
    },
  };
}
