import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** Linux counts processor time in hundredths of a second on every platform that Node supports. */
const CLOCK_TICK_MS = 10;

/** A server of the comparison, in a separate process, so that its memory can be measured. */
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

  /** Resolves when `path` returns 200, asked every `everyMs`. @throws Error with the server's output if it exits first or takes five minutes */
  async ready(path: string, { everyMs = 200 } = {}): Promise<void> {
    const deadline = Date.now() + 300_000;
    while (Date.now() < deadline && this.#child.exitCode === null) {
      const answer = await fetch(this.url + path).catch(() => null);
      await answer?.arrayBuffer();
      if (answer?.status === 200) return;
      await delay(everyMs);
    }
    throw new Error(`${this.url}${path} did not come up:\n${this.#output.join("").slice(-4000)}`);
  }

  /** Returns the current resident memory in MB. */
  memoryMb(): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, "utf8");
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  }

  /** Returns the processor time used so far, in ms. Unlike requests per second, it does not depend on other load of the machine. */
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
