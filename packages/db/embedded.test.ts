import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterEach, expect, test, vi } from "vitest";
import { canReach, socketFolder } from "./embedded-location.ts";
import { findRunningServer, startEmbedded, UnreachableServerError, type EmbeddedServer } from "./embedded.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
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

test("P2 the embedded server is a real PostgreSQL, keeps its data across a restart and listens on no port", async () => {
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
  expect(server.isTakenOver).toBe(true);
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
  // It stops answering a moment before its process ends, and until then another start finds it alive.
  await expect.poll(() => isAlive(first.pid)).toBe(false);
  const second = await startEmbedded({ folder });
  cleanUps.push(second.stop);
  expect(second.isTakenOver).toBe(false);
  expect(await query(second, "select word from kept")).toEqual([{ word: "durable" }]);
});

test("P1 a first start that was killed half-way starts over", async () => {
  const folder = path.join(temporaryFolder(), "postgres");
  mkdirSync(path.join(`${folder}.new`, "base"), { recursive: true });
  const server = await startEmbedded({ folder });
  cleanUps.push(server.stop);
  expect(await query(server, "select 1 as one")).toEqual([{ one: 1 }]);
});

test.runIf(process.getuid?.() === 0)(
  "P1 a server that root starts below a private folder logs where its data is kept instead",
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

test.runIf(process.getuid?.() === 0)(
  "P1 R1 a database stays where it is when its folder becomes reachable, and no empty one takes its place when it no longer is",
  async () => {
    const parent = temporaryFolder(0o700);
    const wanted = path.join(parent, "postgres");
    const elsewhere = await startEmbedded({ folder: wanted });
    cleanUps.push(elsewhere.stop, () => rmSync(path.dirname(elsewhere.folder), { recursive: true, force: true }));
    await query(elsewhere, "create table kept (word text); insert into kept values ('elsewhere')");
    await elsewhere.stop();
    chmodSync(parent, 0o755);
    const again = await startEmbedded({ folder: wanted });
    cleanUps.push(again.stop);
    expect(await query(again, "select word from kept")).toEqual([{ word: "elsewhere" }]);

    const open = temporaryFolder();
    const here = await startEmbedded({ folder: path.join(open, "postgres") });
    await here.stop();
    chmodSync(open, 0o700);
    await expect(startEmbedded({ folder: path.join(open, "postgres") })).rejects.toThrow(/can't be used.+chmod o\+x/);
  },
);

test("P1 a test of a folder that can't be run is no answer", () => {
  const nobodyAtAll = { uid: -1, gid: -1 };
  expect(() => canReach("/", nobodyAtAll)).toThrow("could not find out whether");
});

// oxlint-disable-next-line vitest/require-awaited-expect-poll -- the caller awaits it
const soon = <T>(read: () => T) => expect.poll(read, { timeout: 25_000 });
const answersSoon = (server: EmbeddedServer) =>
  soon(() => query(server, "select 1 as one").catch((error: Error) => error.message)).toEqual([{ one: 1 }]);

test("P6 R1 a server that dies is restarted by its watcher with what was committed; two watchers start one server", async () => {
  const folder = path.join(temporaryFolder(), "postgres");
  const lines: string[] = [];
  const first = await startEmbedded({ folder, log: (line) => lines.push(line) });
  cleanUps.push(() => first.stop({ evenIfUsed: true }));
  const second = await startEmbedded({ folder, log: (line) => lines.push(line) });
  cleanUps.push(() => second.stop({ evenIfUsed: true }));
  const givenUp: string[] = [];
  for (const server of [first, second]) server.watch({ onGivenUp: (reason) => givenUp.push(reason) });
  await query(first, "create table kept (word text); insert into kept values ('durable')");
  const { pid } = first;
  process.kill(pid, "SIGKILL");
  await soon(() => isAlive(pid)).toBe(false);
  await soon(() => lines.filter((line) => line.includes("is running again")).length).toBe(2);
  await answersSoon(first);
  expect(await query(second, "select word from kept")).toEqual([{ word: "durable" }]);
  expect(first.pid).not.toBe(pid);
  expect(second.pid).toBe(first.pid);
  expect(givenUp).toEqual([]);
});

test("P6 a server that cannot be restarted is given up with the reason, and stopping it ends the watch", async () => {
  const folder = path.join(temporaryFolder(), "postgres");
  const server = await startEmbedded({ folder, durable: false });
  cleanUps.push(() => server.stop({ evenIfUsed: true }));
  const givenUp: string[] = [];
  server.watch({ onGivenUp: (reason) => givenUp.push(reason), intervalsMs: [0, 10, 10] });
  renameSync(path.join(folder, "global", "pg_control"), path.join(folder, "global", "away"));
  process.kill(server.pid, "SIGKILL");
  await soon(() => givenUp.length).toBe(1);
  expect(givenUp[0]).toMatch(/can't be started again[^]*pg_control/);
  await server.stop();
});

test("P2 a running server that has other clients is shared, and is not stopped", async () => {
  const folder = path.join(temporaryFolder(), "postgres");
  const first = await startEmbedded({ folder, durable: false });
  cleanUps.push(() => first.stop({ evenIfUsed: true }));
  const leftAlone = await startEmbedded({ folder });
  expect(leftAlone).toMatchObject({ isTakenOver: true, isShared: false });
  const client = new pg.Client({ connectionString: first.url });
  await client.connect();
  const beside = await startEmbedded({ folder });
  expect(beside).toMatchObject({ isTakenOver: true, isShared: true });
  await beside.stop();
  expect((await client.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  await client.end();
});

test("P2 a command with another TMPDIR than the running server's finds it where its socket is", async () => {
  const folder = path.join(temporaryFolder(), "postgres");
  const server = await startEmbedded({ folder, durable: false });
  cleanUps.push(() => server.stop({ evenIfUsed: true }));
  vi.stubEnv("TMPDIR", temporaryFolder());
  expect(await findRunningServer({ folder })).toEqual({ url: server.url, folder: server.folder });
  const command = await startEmbedded({ folder, startTimeoutMs: 5_000 });
  expect(command).toMatchObject({ isTakenOver: true, url: server.url, pid: server.pid });
  expect(await query(command, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("P3 a running server whose socket can't be reached is named with its process and folder, without its log", async () => {
  const folder = path.join(temporaryFolder(), "postgres");
  const server = await startEmbedded({ folder, durable: false });
  cleanUps.push(() => server.stop({ evenIfUsed: true }));
  const sockets = socketFolder(server.folder);
  renameSync(sockets, `${sockets}.away`);
  const start = startEmbedded({ folder, startTimeoutMs: 5_000 }).then(
    () => null,
    (error: unknown) => error as Error,
  );
  const told = [await start, await findRunningServer({ folder }).catch((error: unknown) => error as Error)];
  expect(existsSync(sockets), "nothing is made in its place").toBe(false);
  renameSync(`${sockets}.away`, sockets);
  for (const error of told) {
    expect(error).toBeInstanceOf(UnreachableServerError);
    const { message } = error as Error;
    expect(message).toContain(`runs as process ${server.pid}, but its socket in ${sockets} can’t be reached`);
    expect(message).not.toMatch(/\n|LOG:|The end of/);
  }
});

test("S1 the server's log holds nothing that members typed, and a large one is moved aside at the start", async () => {
  const folder = path.join(temporaryFolder(), "postgres");
  const server = await startEmbedded({ folder, durable: false });
  cleanUps.push(() => server.stop({ evenIfUsed: true }));
  await query(server, "create table people (email text primary key)");
  await query(server, "insert into people values ('ada@club.example')");
  await expect(query(server, "insert into people values ('ada@club.example')")).rejects.toThrow(/duplicate key/);
  const log = `${server.folder}.log`;
  const logged = readFileSync(log, "utf8");
  expect(logged).toContain('duplicate key value violates unique constraint "people_pkey"');
  expect(logged).not.toMatch(/ada@|DETAIL|STATEMENT/);

  await server.stop({ evenIfUsed: true });
  truncateSync(log, 6 * 1024 ** 2);
  const again = await startEmbedded({ folder, durable: false });
  cleanUps.push(() => again.stop({ evenIfUsed: true }));
  expect(statSync(`${log}.1`).size).toBe(6 * 1024 ** 2);
  expect(statSync(log).size).toBeLessThan(1024 ** 2);
  await again.stop({ evenIfUsed: true });
  const third = await startEmbedded({ folder, durable: false });
  cleanUps.push(() => third.stop({ evenIfUsed: true }));
  expect(readFileSync(log, "utf8")).toMatch(/shut down[^]+ready to accept/);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
