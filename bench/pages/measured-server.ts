import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** Linux counts processor time in hundredths of a second on every platform Node runs on. */
const CLOCK_TICK_MS = 10;

/** A server of the comparison, in a process of its own, so that its memory is its own too. */
export class MeasuredServer {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #output: string[] = [];

  constructor({
    command,
    args,
    cwd,
    env,
    port,
  }: {
    command: string;
    args: string[];
    cwd: string;
    env: NodeJS.ProcessEnv;
    port: number;
  }) {
    this.url = `http://localhost:${port}`;
    this.#child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on("data", (chunk: Buffer) => this.#output.push(chunk.toString()));
  }

  /** Resolves when `path` answers 200. @throws Error with what the server printed when it ends first or takes five minutes. */
  async ready(path: string): Promise<void> {
    const deadline = Date.now() + 300_000;
    while (Date.now() < deadline && this.#child.exitCode === null) {
      const answer = await fetch(this.url + path).catch(() => null);
      await answer?.arrayBuffer();
      if (answer?.status === 200) return;
      await delay(200);
    }
    throw new Error(`${this.url}${path} did not come up:\n${this.#output.join("").slice(-4000)}`);
  }

  /** Resident memory now, in MB. */
  memoryMb(): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, "utf8");
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  }

  /** Processor time used so far, in ms: unlike requests per second, it does not suffer when the machine is busy with something else. */
  processorMs(): number {
    const fields = readFileSync(`/proc/${this.#child.pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ");
    return (Number(fields[11]) + Number(fields[12])) * CLOCK_TICK_MS;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGTERM");
    await ended;
  }
}
