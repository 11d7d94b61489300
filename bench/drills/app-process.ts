import { spawn, type ChildProcess } from "node:child_process";
import { get } from "node:http";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { endAtExit } from "./program-process.ts";

const main = fileURLToPath(new URL("../../apps/server/main.ts", import.meta.url));

/** One process of the application; a deployment has several. */
export interface AppProcess {
  readonly port: number;
  readonly pid: number;
  readonly isRunning: boolean;
  /** How often it exited on its own. */
  readonly ends: number;
  /** Its relevant log lines: fatal ones, and those about the embedded database and the clock. */
  readonly said: string[];
  start(): Promise<void>;
  /** Kills it with SIGKILL and waits until it is gone. */
  kill(): Promise<void>;
  /** Stops it gracefully, as a deployment does. */
  stop(): Promise<void>;
  isReady(): Promise<boolean>;
  /** Resolves to the exit code if it exits on its own. */
  ended(): Promise<number | null>;
}

interface AppOptions {
  /** Returns the file that the next start runs: that of another checkout. */
  program?: () => string;
}

/** Starts a process with the given settings. Without a sandbox: networks and mail are unavailable, and the jobs must handle that. */
export function appProcess(
  port: number,
  settings: Record<string, string>,
  { program = () => main }: AppOptions = {},
): AppProcess {
  let child: ChildProcess | null = null;
  let gone: Promise<number | null> = Promise.resolve(null);
  let isRunning = false;
  let isExpected = true;
  let ends = 0;
  const said: string[] = [];

  const status = (path: string) =>
    new Promise<number>((resolve) => {
      const asked = get({ port, path, host: "127.0.0.1", agent: false, timeout: 5_000 }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      asked.on("timeout", () => asked.destroy());
      asked.on("error", () => resolve(0));
    });
  const isReady = async () => (await status("/readyz")) === 200;

  async function start(): Promise<void> {
    isExpected = false;
    const started = spawn(process.execPath, [program()], {
      env: {
        FARTHING_ENV: "dev",
        NODE_ENV: "production",
        LOG_LEVEL: "fatal",
        ...process.env,
        ...settings,
        PORT: String(port),
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child = started;
    isRunning = true;
    const ended = endAtExit(() => void started.kill("SIGKILL"));
    gone = new Promise((resolve) => {
      started.once("close", (code) => {
        isRunning = false;
        ended();
        if (!isExpected) ends += 1;
        resolve(code);
      });
    });
    for (const stream of [started.stdout, started.stderr])
      createInterface({ input: stream }).on("line", (line) => {
        if (/fatal|unexpected|embedded database|wall clock/i.test(line)) said.push(line.slice(0, 400));
      });
    while (isRunning && !(await isReady())) await delay(100);
    if (!isRunning) throw new Error(`The process at port ${port} ended before it was ready: ${said.join(" | ")}`);
  }

  return {
    port,
    get pid() {
      return child?.pid ?? 0;
    },
    get isRunning() {
      return isRunning;
    },
    get ends() {
      return ends;
    },
    said,
    start,
    async kill() {
      isExpected = true;
      child?.kill("SIGKILL");
      await gone;
    },
    async stop() {
      isExpected = true;
      if (isRunning) child?.kill("SIGTERM");
      await Promise.race([gone, delay(20_000, undefined, { ref: false })]);
      if (isRunning) child?.kill("SIGKILL");
      await gone;
    },
    isReady,
    ended: () => gone,
  };
}
