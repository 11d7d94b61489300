import { execFile } from "node:child_process";
import { promisify } from "node:util";

export interface Load {
  requests: number;
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  failures: number;
}

const UNITS: Record<string, number> = { us: 0.001, ms: 1, s: 1000, m: 60_000 };

/** Sixteen connections from one thread of wrk for `seconds`. @throws Error saying how to install wrk where it is missing. */
export async function wrk(url: string, { seconds, cookie }: { seconds: number; cookie?: string }): Promise<Load> {
  const headers = cookie ? ["-H", `Cookie: ${cookie}`] : [];
  const { stdout } = await promisify(execFile)("wrk", [
    "-t1",
    "-c16",
    `-d${seconds}s`,
    "--latency",
    "--timeout",
    "10s",
    ...headers,
    url,
  ]).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT"
      ? new Error("This benchmark loads its servers with wrk: install it first (Debian: apt-get install wrk).")
      : error;
  });
  const rate = /Requests\/sec:\s+([\d.]+)/.exec(stdout);
  const failures =
    Number(/Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1] ?? 0) + Number(/timeout (\d+)/.exec(stdout)?.[1] ?? 0);
  if (!rate) throw new Error(`wrk said something unexpected:\n${stdout}`);
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1] ?? 0);
  return {
    requests,
    requestsPerSecond: Number(rate[1]),
    p50Ms: percentile(stdout, "50%"),
    p99Ms: percentile(stdout, "99%"),
    failures,
  };
}

function percentile(output: string, name: string): number {
  const match = new RegExp(`${name}\\s+([\\d.]+)(us|ms|s|m)`).exec(output);
  return match ? Number(match[1]) * (UNITS[match[2] ?? "ms"] ?? 1) : Number.NaN;
}
