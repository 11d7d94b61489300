import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterEach, expect, test } from "vitest";
import { startEmbedded, type EmbeddedServer } from "./embedded.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

function temporaryFolder(mode = 0o755): string {
  const folder = mkdtempSync(path.join(tmpdir(), "farthing-embedded-test-"));
  chmodSync(folder, mode);
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function query(server: EmbeddedServer, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

test("P2 the embedded server is a real PostgreSQL, keeps its data over a restart and listens on no port", async () => {
  const folder = path.join(temporaryFolder(), "postgres");
  const first = await startEmbedded({ folder });
  cleanUps.push(first.stop);
  await query(first, "create table kept (word text); insert into kept values ('farthing')");
  expect(await query(first, "show listen_addresses")).toEqual([{ listen_addresses: "" }]);
  await first.stop();
  await expect(query(first, "select 1")).rejects.toThrow(/ENOENT|ECONNREFUSED/);
  const second = await startEmbedded({ folder });
  cleanUps.push(second.stop);
  expect(await query(second, "select word from kept")).toEqual([{ word: "farthing" }]);
});

test("P2 a server left running by a killed process is taken over, with what was committed", async () => {
  const folder = path.join(temporaryFolder(), "postgres");
  const program = `
    import { startEmbedded } from ${JSON.stringify(new URL("./embedded.ts", import.meta.url).href)};
    import pg from ${JSON.stringify(import.meta.resolve("pg"))};
    const server = await startEmbedded({ folder: ${JSON.stringify(folder)} });
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query("create table kept (word text); insert into kept values ('survived')");
    console.log("written");
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
  const server = await startEmbedded({ folder });
  cleanUps.push(server.stop);
  expect(server.takenOver).toBe(true);
  expect(await query(server, "select word from kept")).toEqual([{ word: "survived" }]);
});

test("P2 a server that was itself killed recovers what was committed", async () => {
  const folder = path.join(temporaryFolder(), "postgres");
  const first = await startEmbedded({ folder });
  await query(first, "create table kept (word text); insert into kept values ('durable')");
  process.kill(first.pid, "SIGKILL");
  await expect
    .poll(() => query(first, "select 1").catch((error: Error) => error.message))
    .toMatch(/ECONNREFUSED|ENOENT|terminating|Connection/);
  // It answers nobody any more a moment before its process is gone, and until then another takes it for alive.
  await expect.poll(() => isAlive(first.pid)).toBe(false);
  const second = await startEmbedded({ folder });
  cleanUps.push(second.stop);
  expect(second.takenOver).toBe(false);
  expect(await query(second, "select word from kept")).toEqual([{ word: "durable" }]);
});

test("P1 a first start that was killed half-way is begun again", async () => {
  const folder = path.join(temporaryFolder(), "postgres");
  mkdirSync(path.join(`${folder}.new`, "base"), { recursive: true });
  const server = await startEmbedded({ folder });
  cleanUps.push(server.stop);
  expect(await query(server, "select 1 as one")).toEqual([{ one: 1 }]);
});

test.runIf(process.getuid?.() === 0)(
  "P1 started by root below a folder that others can't read, it says where the data is kept instead",
  async () => {
    const lines: string[] = [];
    const wanted = path.join(temporaryFolder(0o700), "postgres");
    const server = await startEmbedded({ folder: wanted, log: (line) => lines.push(line) });
    cleanUps.push(server.stop, () => rmSync(path.dirname(server.folder), { recursive: true, force: true }));
    expect(server.folder).not.toBe(wanted);
    expect(lines.join("\n")).toContain("Set DATA_DIR");
    expect(await query(server, "select 1 as one")).toEqual([{ one: 1 }]);
  },
);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
