import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { serverAccount } from "../embedded-location.ts";
import { startEmbedded } from "../embedded.ts";
import {
  archiveFolders,
  BackupError,
  prepareArchive,
  readSystemId,
  setUpArchive,
  type ArchiveFolders,
} from "./archive.ts";
import { readArchiveState } from "./archive-state.ts";
import { type BackupDisk, expireBackups, makeBaseBackup } from "./base-backup.ts";
import { type BackupManifest, copyHashed, newestBackupAt } from "./manifest.ts";
import { restoreBackup } from "./restore-backup.ts";

const home = mkdtempSync(path.join(tmpdir(), "farthing-backups-"));
chmodSync(home, 0o755);
afterAll(() => rmSync(home, { recursive: true, force: true }));
const backupDir = path.join(home, "backups");
const keyFingerprint = "0123456789abcdef";

async function query<Row extends object>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Waits until something holds; a timeout ends a test that hangs. */
const until = (holds: () => unknown) =>
  vi.waitFor(async () => expect(await holds()).toBe(true), { timeout: 30_000, interval: 20 });

let folders: ArchiveFolders;
let backup: BackupManifest;
/** After the base backup and before the last word. */
let middle: Date;

/** A server with words from before, during and after a base backup, which is lost with its machine. */
beforeAll(async () => {
  const folder = path.join(home, "lost", "postgres");
  mkdirSync(path.dirname(folder), { mode: 0o755 });
  const server = await startEmbedded({ folder, durable: false, backupDir });
  const { url } = server;
  folders = archiveFolders(backupDir, readSystemId(server.folder));
  const write = (word: string) => query(url, "insert into words (word) values ($1)", [word]);
  await query(url, "create table words (word text, at timestamptz not null default clock_timestamp())");
  await write("before");
  backup = await makeBaseBackup({ url, dataFolder: server.folder, backupDir, keyFingerprint, now: () => new Date() });
  await write("after");
  const [now] = await query<{ at: Date }>(url, "select clock_timestamp() as at");
  middle = now?.at ?? new Date(Number.NaN);
  // A moment has milliseconds here, and a commit microseconds.
  await until(async () => {
    const [row] = await query<{ is: boolean }>(
      url,
      "select clock_timestamp() > $1::timestamptz + interval '2 ms' as is",
      [middle],
    );
    return row?.is;
  });
  await write("later");
  const [switched] = await query<{ name: string }>(url, "select pg_walfile_name(pg_switch_wal()) as name");
  await until(() => existsSync(path.join(folders.wal, `${switched?.name}.gz`)));
  await write("never archived");
  process.kill(server.pid, "SIGKILL");
  rmSync(path.dirname(folder), { recursive: true });
}, 180_000);

function fail(): never {
  throw new Error("it was not refused");
}

let machines = 0;
function newMachine(): string {
  machines += 1;
  return path.join(home, `machine-${machines}`, "postgres");
}

async function restoredWords(options: { at?: Date; from?: string; log?(line: string): void } = {}) {
  const restored = await restoreBackup({ from: backupDir, folder: newMachine(), log: () => {}, ...options });
  const server = await startEmbedded({ folder: restored.folder, durable: false });
  try {
    const rows = await query<{ word: string }>(server.url, "select word from words order by at");
    return { ...restored, words: rows.map(({ word }) => word) };
  } finally {
    await server.stop({ evenIfUsed: true });
  }
}

/** A copy of the backups in which something is wrong. */
function damaged(damage: (copy: ArchiveFolders) => void): string {
  const from = mkdtempSync(path.join(home, "damaged-"));
  cpSync(backupDir, from, { recursive: true });
  chmodSync(from, 0o755);
  damage(archiveFolders(from, path.basename(folders.root)));
  return from;
}

/** Returns the message of the refusal, which has to come before anything is written. */
async function refusal(options: { from?: string; at?: Date }): Promise<string> {
  const folder = newMachine();
  const outcome: unknown = await restoreBackup({ from: backupDir, folder, log: () => {}, ...options }).catch(
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(BackupError);
  expect(existsSync(folder)).toBe(false);
  expect(existsSync(`${folder}.restoring`)).toBe(false);
  return (outcome as BackupError).message;
}

describe("R1 a restore on another machine", () => {
  test("R1 without a moment it has everything that was archived, and says until when", async () => {
    const { words, lastCommitAt, backup: used } = await restoredWords();
    expect(words).toEqual(["before", "after", "later"]);
    expect(lastCommitAt?.getTime()).toBeGreaterThanOrEqual(middle.getTime());
    expect(used.keyFingerprint).toBe(keyFingerprint);
  });

  test("R1 to a moment in the middle it has what was committed before, and nothing after", async () => {
    const { words, lastCommitAt } = await restoredWords({ at: middle });
    expect(words).toEqual(["before", "after"]);
    expect(lastCommitAt?.getTime()).toBeLessThanOrEqual(middle.getTime());
  });

  test("R1 after a restore to a moment the club goes on from there, and so does the next restore", async () => {
    const copy = damaged(() => {});
    const archive = archiveFolders(copy, path.basename(folders.root));
    // A base backup that was made after the moment, as far as the archive knows.
    const [last] = readArchiveState(archive).backups;
    const id = "2199-01-01T00-00-00Z";
    const lastSegment = readArchiveState(archive).lastSegment?.name ?? "";
    cpSync(path.join(archive.base, last!.id), path.join(archive.base, id), { recursive: true });
    const abandoned = {
      ...last!,
      id,
      startSegment: lastSegment,
      stopSegment: lastSegment,
      finishedAt: "2199-01-01T00:00:00Z",
    };
    writeFileSync(path.join(archive.base, id, "manifest.json"), JSON.stringify(abandoned));

    const restored = await restoreBackup({ from: copy, folder: newMachine(), at: middle, log: () => {} });
    const server = await startEmbedded({ folder: restored.folder, durable: false, backupDir: copy });
    await query(server.url, "insert into words (word) values ('of the new line')");
    const [switched] = await query<{ name: string }>(server.url, "select pg_walfile_name(pg_switch_wal()) as name");
    await until(() => existsSync(path.join(archive.wal, `${switched?.name}.gz`)));
    await server.stop({ evenIfUsed: true });

    const state = readArchiveState(archive);
    expect(state.backups.map((each) => each.id)).toEqual([last!.id]);
    expect(state.leftBehind.map((each) => each.id)).toEqual([id]);
    const lines: string[] = [];
    const { words } = await restoredWords({ from: copy, log: (line) => lines.push(line) });
    expect(words).toEqual(["before", "after", "of the new line"]);
    expect(lines.join()).toContain("Left out 1 of a time that an earlier restore has left behind");
    expireBackups(archive, 1);
    expect(readArchiveState(archive).backups.map((each) => each.id)).toEqual([last!.id]);
  }, 180_000);

  test("R1 a moment before the base backup, or after the archive's end, is refused with what there is", async () => {
    expect(await refusal({ at: new Date(Date.parse(backup.startedAt) - 1) })).toMatch(/oldest base backup ended at/);
    const folder = newMachine();
    const late = restoreBackup({ from: backupDir, folder, log: () => {}, at: new Date("2199-01-01T00:00:00Z") });
    await expect(late).rejects.toThrow(/The archive ends before 2199-01-01.+last commit is of \d{4}-/);
    expect(existsSync(folder)).toBe(false);
  });

  test("R1 a folder that is not empty is refused, and what a killed restore left is not in the way", async () => {
    const folder = newMachine();
    mkdirSync(`${folder}.restoring/base`, { recursive: true });
    mkdirSync(`${folder}.restoring-wal`);
    writeFileSync(path.join(path.dirname(folder), "catalogue.csv"), "kept");
    const restore = () => restoreBackup({ from: backupDir, folder, log: () => {} });
    await expect(restore()).rejects.toThrow(/not empty \(it has catalogue\.csv\)/);
    rmSync(path.join(path.dirname(folder), "catalogue.csv"));
    await restore();
    expect(readdirSync(path.dirname(folder))).toEqual(["postgres"]);
    await expect(restore()).rejects.toThrow(/not empty \(it has postgres\)/);
  });
});

describe("R1 what is missing or damaged is named before anything is written", () => {
  const firstOf = (copy: ArchiveFolders) => path.join(copy.base, backup.id, "files", "PG_VERSION");
  const segmentOf = (copy: ArchiveFolders, name = backup.stopSegment) => path.join(copy.wal, `${name}.gz`);

  test.each<[string, RegExp, (copy: ArchiveFolders) => void]>([
    ["a missing file", /files\/PG_VERSION is missing/, (copy) => rmSync(firstOf(copy))],
    ["a torn file", /files\/PG_VERSION is torn: it has 1 bytes and had 3/, (copy) => truncateSync(firstOf(copy), 1)],
    ["a changed file", /files\/PG_VERSION was changed/, (copy) => writeFileSync(firstOf(copy), "17\n")],
    [
      "a missing manifest",
      /manifest\.json is missing/,
      (copy) => rmSync(path.join(copy.base, backup.id, "manifest.json")),
    ],
    [
      "a torn manifest",
      /manifest\.json is torn/,
      (copy) => truncateSync(path.join(copy.base, backup.id, "manifest.json"), 100),
    ],
    [
      "a missing segment of the copy",
      /\.gz is missing.+can't be restored without it/,
      (copy) => rmSync(segmentOf(copy)),
    ],
    ["a torn segment", /\.gz is torn/, (copy) => truncateSync(segmentOf(copy), 1000)],
    [
      "no base backup",
      /There is no whole base backup/,
      (copy) => renameSync(path.join(copy.base, backup.id), path.join(copy.base, `${backup.id}.partial`)),
    ],
    ["no backup at all", /There is no backup in/, (copy) => rmSync(copy.root, { recursive: true })],
  ])("R1 %s", async (_what, says, damage) => {
    expect(await refusal({ from: damaged(damage) })).toMatch(says);
  });

  test("R1 base backups that are broken are named, and the newest whole one is restored with the log since", async () => {
    const from = damaged((copy) => {
      for (const [id, manifest] of [
        ["2198-01-01T00-00-00Z", JSON.stringify({ ...backup, id: "2198-01-01T00-00-00Z" })],
        ["2199-01-01T00-00-00Z", "{"],
      ] as const) {
        mkdirSync(path.join(copy.base, id));
        writeFileSync(path.join(copy.base, id, "manifest.json"), manifest);
      }
      expect(expireBackups(copy, 2)).toMatchObject({ backups: 0 });
    });
    const folder = newMachine();
    const told: string[] = [];
    const { backup: chosen } = await restoreBackup({ from, folder, log: (line) => told.push(line) });
    expect(chosen.id).toBe(backup.id);
    expect(told.join("\n")).toMatch(/2199.+manifest\.json is torn[^]+2198.+ is missing/);
  });

  test("R1 a manifest that names a file outside of its folder is refused", async () => {
    const from = damaged((copy) => {
      const file = path.join(copy.base, backup.id, "manifest.json");
      writeFileSync(file, readFileSync(file, "utf8").replace('"path":"PG_VERSION"', '"path":"../../PG_VERSION"'));
    });
    expect(await refusal({ from })).toMatch(/is not a manifest/);
  });

  test("R1 a gap in the log is refused, unless the moment is before it", async () => {
    const last = readArchiveState(folders).lastSegment?.name ?? "";
    const from = damaged((copy) => {
      const after =
        last.slice(0, -2) + (Number.parseInt(last.slice(-2), 16) + 2).toString(16).toUpperCase().padStart(2, "0");
      cpSync(segmentOf(copy, last), segmentOf(copy, after));
    });
    expect(await refusal({ from })).toMatch(
      /\.gz is missing: what was committed after it can't be restored\. Name a moment/,
    );
    expect((await restoredWords({ from, at: middle })).words).toEqual(["before", "after"]);
  });
});

describe("R1 the folder of the backups", () => {
  test("P6 R1 a server whose backup disk is away starts, says so, and archives when the disk is back", async () => {
    const disk = path.join(home, "disk");
    writeFileSync(disk, "not a folder");
    const folder = newMachine();
    mkdirSync(path.dirname(folder), { mode: 0o755 });
    const lines: string[] = [];
    const server = await startEmbedded({ folder, durable: false, backupDir: disk, log: (line) => lines.push(line) });
    expect(lines.join("\n")).toMatch(/BACKUP_DIR can't be used: .+ The log is kept/);
    const [row] = await query<{ name: string }>(server.url, "select pg_walfile_name(pg_switch_wal()) as name");
    rmSync(disk);
    // As it is on a disk that was used before.
    prepareArchive(disk, readSystemId(server.folder), serverAccount());
    const { wal } = archiveFolders(disk, readSystemId(server.folder));
    // The next file wakes the archiver, which else looks once a minute.
    await query(server.url, "select pg_logical_emit_message(true, 'test', 'something'), pg_switch_wal()");
    await vi.waitFor(() => expect(existsSync(path.join(wal, `${row?.name}.gz`))).toBe(true), 90_000);
    await server.stop({ evenIfUsed: true });
  }, 120_000);

  test("P6 R1 while a disk that was used is away nothing is made in its place, and afterwards the log has no gap", async () => {
    const disk = path.join(home, "mounted");
    const folder = newMachine();
    mkdirSync(path.dirname(folder), { mode: 0o755 });
    const first = await startEmbedded({ folder, durable: false, backupDir: disk });
    const { wal } = archiveFolders(disk, readSystemId(first.folder));
    const archiveNext = async (url: string) => {
      const [row] = await query<{ name: string }>(
        url,
        "select pg_walfile_name(pg_switch_wal()) as name from pg_logical_emit_message(true, 'test', 'something')",
      );
      return path.join(wal, `${row?.name}.gz`);
    };
    const archived = await archiveNext(first.url);
    await until(() => existsSync(archived));
    await first.stop({ evenIfUsed: true });
    renameSync(disk, `${disk}.away`);
    mkdirSync(disk, { mode: 0o711 });

    const lines: string[] = [];
    const server = await startEmbedded({ folder, durable: false, backupDir: disk, log: (line) => lines.push(line) });
    try {
      expect(lines.join("\n")).toMatch(/can't be used: The disk of BACKUP_DIR is away: .+ The log is kept/);
      await archiveNext(server.url);
      const failed = async () =>
        (await query(server.url, "select from pg_stat_archiver where failed_count > 0")).length > 0;
      await until(failed);
      const options = { url: server.url, dataFolder: server.folder, backupDir: disk, keyFingerprint };
      await expect(makeBaseBackup({ ...options, now: () => new Date() })).rejects.toThrow(
        /^The disk of BACKUP_DIR is away: .+ Mount it\./,
      );
      expect(readdirSync(disk)).toEqual([]);
      rmSync(disk, { recursive: true });
      renameSync(`${disk}.away`, disk);
      const last = await archiveNext(server.url);
      await vi.waitFor(() => expect(existsSync(last)).toBe(true), 90_000);
      expect(readArchiveState(archiveFolders(disk, readSystemId(server.folder))).missing).toEqual([]);
    } finally {
      await server.stop({ evenIfUsed: true });
    }
  }, 180_000);

  test("R1 another BACKUP_DIR, and one whose record was deleted, are set up anew", () => {
    const dataFolder = path.join(home, "recorded", "postgres");
    mkdirSync(path.join(dataFolder, "global"), { recursive: true });
    writeFileSync(path.join(dataFolder, "global", "pg_control"), Buffer.alloc(8, 1));
    const disk = path.join(home, "recorded", "disk");
    const { root, wal } = setUpArchive(disk, dataFolder, null);
    expect(setUpArchive(disk, dataFolder, null).root).toBe(root);
    rmSync(root, { recursive: true });
    expect(() => setUpArchive(disk, dataFolder, null)).toThrow(BackupError);
    expect(readdirSync(disk)).toEqual([]);
    const other = setUpArchive(`${disk}-2`, dataFolder, null);
    expect(existsSync(other.wal)).toBe(true);
    rmSync(other.root, { recursive: true });
    rmSync(`${dataFolder}.archive`);
    expect(setUpArchive(disk, dataFolder, null).wal).toBe(wal);
    expect(existsSync(wal)).toBe(true);
  });

  test("P6 R1 a backup on a full disk says which disk, removes its own copy, and the next one is made", async () => {
    const disk = path.join(home, "small-disk");
    const folder = newMachine();
    mkdirSync(path.dirname(folder), { mode: 0o755 });
    const server = await startEmbedded({ folder, durable: false, backupDir: disk });
    const { base } = archiveFolders(disk, readSystemId(server.folder));
    const options = { url: server.url, dataFolder: server.folder, backupDir: disk, keyFingerprint };
    const make = (changed: Partial<BackupDisk>) => {
      const full = { freeBytes: () => Number.MAX_SAFE_INTEGER, copy: copyHashed, ...changed };
      return makeBaseBackup({ ...options, now: () => new Date("2026-11-20T12:00:00Z"), disk: full });
    };
    const refusalOf = (made: Promise<unknown>) => made.then(fail, (error: unknown) => error as Error);
    try {
      const small = await refusalOf(make({ freeBytes: () => 5_000_000 }));
      expect(small).toBeInstanceOf(BackupError);
      expect(small.message).toMatch(/small-disk\) has 5 MB free, and the database takes \d\d MB: nothing was copied/);
      let files = 0;
      const copy: typeof copyHashed = (from, to) => {
        files += 1;
        if (files > 20) throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
        return copyHashed(from, to);
      };
      const full = await refusalOf(make({ copy }));
      expect(full).toBeInstanceOf(BackupError);
      expect(full.message).toMatch(/^The disk of BACKUP_DIR \(.+small-disk\) is full: [^.\n]+\.$/);
      expect(readdirSync(base)).toEqual([]);
      expect((await make({})).id).toBe("2026-11-20T12-00-00Z");
    } finally {
      await server.stop({ evenIfUsed: true });
    }
  }, 60_000);

  test("P6 R1 metrics learn the time of the newest base backup from its name", () => {
    expect(newestBackupAt(folders.base)?.getTime()).toBe(Math.floor(Date.parse(backup.startedAt) / 1000) * 1000);
    expect(newestBackupAt(path.join(home, "nowhere"))).toBeNull();
  });

  test("S1 nobody but its owner reads a file of it", () => {
    const open = readdirSync(backupDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .filter((file) => (statSync(file).mode & 0o077) !== 0);
    expect(open).toEqual([]);
    expect(statSync(folders.base).mode & 0o077).toBe(0);
    expect(statSync(folders.wal).mode & 0o077).toBe(0);
  });

  test("R1 the newest base backups are kept, with the log that they need", () => {
    const from = damaged((copy) => {
      const later = { ...backup, id: "2198-01-01T00-00-00Z", startSegment: "000000010000000000000007" };
      mkdirSync(path.join(copy.base, later.id));
      writeFileSync(path.join(copy.base, later.id, "manifest.json"), JSON.stringify(later));
      for (const number of [6, 7]) writeFileSync(path.join(copy.wal, `00000001000000000000000${number}.gz`), "");
    });
    const copy = archiveFolders(from, path.basename(folders.root));
    expect(expireBackups(copy, 2)).toMatchObject({ backups: 0 });
    expect(expireBackups(copy, 1)).toMatchObject({ backups: 1 });
    expect(readdirSync(copy.base)).toEqual(["2198-01-01T00-00-00Z"]);
    expect(readdirSync(copy.wal).filter((name) => name.length === 27)).toEqual(["000000010000000000000007.gz"]);
    expect(expireBackups(copy, 1)).toEqual({ backups: 0, segments: 0 });
  });

  test("R1 a server that does not archive there is not backed up, and the archive of another cluster is left alone", async () => {
    const folder = path.join(newMachine());
    mkdirSync(path.dirname(folder), { mode: 0o755 });
    const before = readdirSync(folders.wal);
    const server = await startEmbedded({ folder, durable: false });
    try {
      const options = { url: server.url, dataFolder: server.folder, backupDir, keyFingerprint, now: () => new Date() };
      await expect(makeBaseBackup(options)).rejects.toThrow(/does not archive to BACKUP_DIR/);
    } finally {
      await server.stop({ evenIfUsed: true });
    }
    expect(readdirSync(folders.wal)).toEqual(before);
  });
});
