import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll } from "vitest";
import { root } from "./fenced-blocks.ts";

/** A temporary folder that goes when the test file ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "farthing-example-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What shifts the clock of a test run (bin/clock-shifts.mjs): an example's process has the same time as its test. */
const clock = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => /^(LD_PRELOAD|FAKETIME|FARTHING_CLOCK|NODE_OPTIONS$|TZ$)/.test(name)),
);

/**
 * Runs a shell example as it is written, from a folder that is not the checkout: `npm run` is told where the checkout is. Returns what it printed.
 * @throws Error with its output when a command of it fails
 */
export async function runShell(
  text: string,
  { cwd, env = {} }: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<string> {
  const { stdout } = await promisify(execFile)("sh", ["-ec", text.replaceAll("npm run", `npm --prefix ${root} run`)], {
    cwd,
    // Processes that share an embedded database find it below the same temporary folder.
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], TMPDIR: process.env["TMPDIR"], ...clock, ...env },
    encoding: "utf8",
  });
  return stdout;
}

/** Runs a JavaScript example as a module of its own process, with the names that it takes for granted in `before`. Returns what it printed. */
export async function runModule(
  text: string,
  { folder, before = "", after, env = {} }: { folder: string; before?: string; after: string; env?: NodeJS.ProcessEnv },
): Promise<string> {
  const file = join(folder, "example.mjs");
  writeFileSync(file, [before, text, after].join("\n"));
  const { stdout } = await promisify(execFile)(process.execPath, [file], {
    cwd: folder,
    env: { PATH: process.env["PATH"], ...clock, ...env },
    encoding: "utf8",
  });
  return stdout;
}
