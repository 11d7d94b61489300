import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openDatabase } from "@farthing/db/client.ts";
import { startEmbedded } from "@farthing/db/embedded.ts";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";

// The commands as processes, where the database can't be used.

const folder = mkdtempSync(join(tmpdir(), "farthing-command-test-"));
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(command: string, words: string[], env: NodeJS.ProcessEnv) {
  const file = fileURLToPath(new URL(`../commands/${command}.ts`, import.meta.url));
  return new Promise<{ code: number; stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      [file, ...words],
      {
        cwd: folder,
        encoding: "utf8",
        env: { PATH: process.env["PATH"], TMPDIR: tmpdir(), FARTHING_ENV: "dev", ...env },
      },
      (error, _, stderr) => resolve({ code: Number(error?.code ?? 0), stderr }),
    );
  });
}

test.each([["check-ledger"], ["list-due-work"], ["manage-payouts", "list"], ["manage-secrets", "status"]])(
  "P3 %s says in one sentence that nothing listens at DATABASE_URL",
  async (command, ...words) => {
    const { code, stderr } = await run(command, words, {
      DATABASE_URL: "postgres://farthing:hunter2@127.0.0.1:1/club",
    });
    expect(stderr).toBe(
      "Farthing cannot use the database club at 127.0.0.1:1. Nothing listens there. Start the server, or correct DATABASE_URL.\n",
    );
    expect(code).toBe(1);
  },
);

/** Returns the server that runs in the folder; null: none does. */
function serverIn(data: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(join(data, "postmaster.pid"), "utf8"), 10);
    process.kill(pid, 0);
    return pid;
  } catch {
    return null;
  }
}

test("P2 P3 a command that can't bring the embedded database up to date says why, and leaves no server running", async () => {
  const dataDir = join(folder, "data");
  const earlier = await startEmbedded({ folder: join(dataDir, "postgres"), durable: false });
  const client = openDatabase({ url: earlier.url });
  const [first] = readdirSync(new URL("../../../packages/db/migrations/", import.meta.url)).toSorted();
  await sql`create table schema_migrations (name text primary key, checksum text not null, needs_code_of text)`.execute(
    client.db,
  );
  await sql`create table schema_functions (name text primary key, revision integer not null, checksum text not null)`.execute(
    client.db,
  );
  await sql`insert into schema_migrations (name, checksum) values (${first}, 'of an edited file')`.execute(client.db);
  await client.close();
  await earlier.stop();
  expect(serverIn(earlier.folder)).toBeNull();
  try {
    const { code, stderr } = await run("manage-payouts", ["list"], { DATA_DIR: dataDir });
    expect(stderr).toMatch(/^The embedded database could not be brought up to date\. .+$/m);
    expect(stderr).toContain(first);
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect(code).toBe(1);
    expect(serverIn(earlier.folder)).toBeNull();
  } finally {
    const left = serverIn(earlier.folder);
    if (left !== null) process.kill(left, "SIGQUIT");
  }
}, 60_000);
