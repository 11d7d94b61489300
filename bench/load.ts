import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { isSmoke } from "./figures.ts";

export interface Load {
  requests: number;
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  failures: number;
}

export interface LoadOptions {
  seconds: number;
  connections?: number;
  cookie?: string;
  /** Posts this on every request. */
  body?: { type: string; text: string };
  headers?: Record<string, string>;
  /** Each request states another visitor's address, as the proxy of many visitors does. */
  variesAddress?: boolean;
}

const UNITS: Record<string, number> = { us: 0.001, ms: 1, s: 1000, m: 60_000 };

/** Exits with one sentence if wrk is missing, before any server is started. */
export function needLoadGenerator(): void {
  if (isSmoke || !spawnSync("wrk", ["--version"], { stdio: "ignore" }).error) return;
  console.error("This benchmark loads its servers with wrk, which is missing (Debian: apt-get install wrk).");
  process.exit(1);
}

/**
 * Sends requests to `url` for `seconds`, on each connection one after the other: with wrk, or in a smoke run from this process, so that nothing has to
 * be installed for it. Call `needLoadGenerator` first.
 */
export async function load(url: string, options: LoadOptions): Promise<Load> {
  return isSmoke ? loadFromHere(url, options) : loadWithWrk(url, options);
}

async function loadWithWrk(url: string, options: LoadOptions): Promise<Load> {
  const { seconds, connections = 16, cookie, body, headers = {} } = options;
  const folder = mkdtempSync(join(tmpdir(), "farthing-load-"));
  const script = join(folder, "post.lua");
  if (body) writeFileSync(script, luaScript(body, options));
  const { stdout } = await promisify(execFile)("wrk", [
    ...["-t1", `-c${connections}`, `-d${seconds}s`, "--latency", "--timeout", "10s"],
    ...(cookie ? ["-H", `Cookie: ${cookie}`] : []),
    ...Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]),
    ...(body ? ["-s", script] : []),
    url,
  ]).finally(() => rmSync(folder, { recursive: true, force: true }));
  const rate = /Requests\/sec:\s+([\d.]+)/.exec(stdout);
  if (!rate) throw new Error(`wrk said something unexpected:\n${stdout}`);
  return {
    requests: Number(/(\d+) requests in/.exec(stdout)?.[1] ?? 0),
    requestsPerSecond: Number(rate[1]),
    p50Ms: percentile(stdout, "50%"),
    p99Ms: percentile(stdout, "99%"),
    failures:
      Number(/Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1] ?? 0) + Number(/timeout (\d+)/.exec(stdout)?.[1] ?? 0),
  };
}

/** Ten thousand requests are made beforehand, so that making them takes wrk no time. */
function luaScript({ type, text }: { type: string; text: string }, { variesAddress = false }: LoadOptions): string {
  return `wrk.method = "POST"
wrk.headers["Content-Type"] = ${JSON.stringify(type)}
wrk.body = [==[${text}]==]
local requests, turn = {}, 0
function init(args)
  for n = 1, ${variesAddress && text.length < 1_000 ? 10_000 : 1} do
    wrk.headers["X-Forwarded-For"] = "10." .. n % 250 .. "." .. math.floor(n / 250) .. ".1"
    requests[n] = wrk.format()
  end
end
function request()
  turn = turn % #requests + 1
  return requests[turn]
end
`;
}

function percentile(output: string, name: string): number {
  const match = new RegExp(`${name}\\s+([\\d.]+)(us|ms|s|m)`).exec(output);
  return match ? Number(match[1]) * (UNITS[match[2] ?? "ms"] ?? 1) : Number.NaN;
}

async function loadFromHere(url: string, options: LoadOptions): Promise<Load> {
  const { seconds, connections = 16, cookie, body } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const headers = {
    ...(cookie ? { Cookie: cookie } : {}),
    ...options.headers,
    ...(body ? { "Content-Type": body.type, "Content-Length": Buffer.byteLength(body.text) } : {}),
  };
  const times: number[] = [];
  let failures = 0;
  const began = performance.now();
  const ask = () =>
    new Promise<void>((resolve, reject) => {
      const asked = request(url, { agent, headers, method: body ? "POST" : "GET" }, (answer) => {
        if ((answer.statusCode ?? 500) >= 400) failures += 1;
        answer.resume().once("end", resolve).once("error", reject);
      }).once("error", reject);
      asked.end(body?.text);
    });
  await Promise.all(
    Array.from({ length: connections }, async () => {
      do {
        const from = performance.now();
        await ask();
        times.push(performance.now() - from);
      } while (performance.now() - began < seconds * 1000);
    }),
  );
  agent.destroy();
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!;
  return {
    requests: times.length,
    requestsPerSecond: times.length / ((performance.now() - began) / 1000),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    failures,
  };
}
