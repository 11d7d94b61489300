import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { typeByName, type UploadProblem } from "@farthing/core/attachments/rules.ts";
import { z } from "zod";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const script = fileURLToPath(new URL("./inspect-process.ts", import.meta.url));

/** Limits of the process, several times what honest files need. The operating system enforces the processor time. */
const MAX_CPU_SECONDS = 10;
const MAX_MS = 30_000;
const MAX_RESIDENT_BYTES = 512 * 1024 * 1024;
const WATCH_INTERVAL_MS = 50;

const answerSchema = z.union([
  z.strictObject({ mediaType: z.enum(["image/jpeg", "application/pdf"]) }),
  z.strictObject({ problem: z.string() }),
]);

export type Inspection =
  | { outcome: "clean"; mediaType: "image/jpeg" | "application/pdf" }
  | { outcome: "refused"; problem: UploadProblem };

/** What a check has too much of. */
type KilledFor = "time" | "memory" | "cpu";
type StartProcess = (program: string, args: string[], options: SpawnOptions) => ChildProcess;

/**
 * Decodes an uploaded file and writes a new one to `to`, in a process of its own. A file that exploits a decoder gains
 * only that process: it has no secrets and no environment, reads our code and this folder, writes this folder, starts
 * nothing, and is killed when it exceeds its time, processor time or memory.
 */
export async function inspectUpload(
  { from, to, folder, originalName }: { from: string; to: string; folder: string; originalName: string },
  {
    onKilled,
    cpuSeconds = MAX_CPU_SECONDS,
    maxMs = MAX_MS,
    start = spawn,
  }: { onKilled(why: KilledFor): void; cpuSeconds?: number; maxMs?: number; start?: StartProcess },
): Promise<Inspection> {
  const child = start(
    "/bin/sh",
    [
      ...["-c", 'ulimit -t "$1" && shift && exec "$@"', "sh", String(cpuSeconds), process.execPath],
      ...["--permission", "--allow-addons", `--allow-fs-read=${root}*`, `--allow-fs-read=${folder}/*`],
      ...[`--allow-fs-write=${folder}/*`, "--max-old-space-size=256", "--disable-warning=PERM0001"],
      ...[script, from, to, typeByName(originalName) ?? ""],
    ],
    { cwd: root, env: {}, stdio: ["ignore", "pipe", "ignore"] },
  );
  // Before anything else: what can't be started says so a moment later, and has no output where there were no file handles left.
  const ended = new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode, endedBy) => resolve([exitCode, endedBy]));
  });
  let said = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    if (said.length < 1_000) said += chunk.toString();
  });
  let killedFor: KilledFor | null = null;
  const kill = (why: KilledFor) => {
    if (child.exitCode === null && child.kill("SIGKILL")) killedFor ??= why;
  };
  const timer = setTimeout(() => kill("time"), maxMs);
  const watch = setInterval(() => {
    void residentBytes(child.pid).then((bytes) => bytes > MAX_RESIDENT_BYTES && kill("memory"));
  }, WATCH_INTERVAL_MS);
  try {
    const [code, signal] = await ended;
    // Not where it is killed: in a timer, nobody would hear that noting it fails.
    if (signal !== null) onKilled(killedFor ?? "cpu");
    return code === 0 ? read(said) : { outcome: "refused", problem: "unreadable" };
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
  }
}

function read(said: string): Inspection {
  const answer = answerSchema.parse(JSON.parse(said));
  if ("mediaType" in answer) return { outcome: "clean", mediaType: answer.mediaType };
  return { outcome: "refused", problem: answer.problem as UploadProblem };
}

/** Returns the resident memory on Linux. Elsewhere only the limits on time and heap apply. */
async function residentBytes(pid: number | undefined): Promise<number> {
  try {
    const [, pages = "0"] = (await readFile(`/proc/${pid}/statm`, "utf8")).split(" ");
    return Number(pages) * 4096;
  } catch {
    return 0;
  }
}
