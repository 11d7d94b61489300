import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setUpArchive } from "@farthing/db/backups/archive.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { describe, expect, test } from "vitest";
import { type EmbeddedBackup, archiveFindings, embeddedFindings, lookAtBackup } from "./look-at-backup.ts";
import type { FoundDatabase } from "./finding.ts";

const { db, url } = await testDatabase();
const database: FoundDatabase = { db, url, embeddedFolder: null };
const now = new Date("2026-11-20T12:00:00Z");
const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
const levels = (findings: readonly { level: string }[]) => findings.map(({ level }) => level);
const archive = { mode: "on", archivedAt: ago(1), failedAt: ago(40), endsWithBackup: false };

describe("the archive of a server", () => {
  test("R1 an archive that grows is in order", () => {
    expect(levels(archiveFindings(archive, now))).toEqual(["ok"]);
    expect(levels(archiveFindings({ ...archive, failedAt: null, archivedAt: ago(24) }, now))).toEqual(["ok"]);
    expect(archiveFindings({ ...archive, endsWithBackup: true }, now)[0]?.says).toContain("base backup");
  });

  test("R1 no archive, one that fails, and one that stands still are found", () => {
    expect(levels(archiveFindings({ ...archive, mode: "off" }, now))).toEqual(["look"]);
    expect(levels(archiveFindings({ ...archive, failedAt: ago(0.5) }, now))).toEqual(["wrong"]);
    expect(levels(archiveFindings({ ...archive, archivedAt: null }, now))).toEqual(["wrong"]);
    expect(levels(archiveFindings({ ...archive, archivedAt: null, failedAt: null }, now))).toEqual(["look"]);
    expect(levels(archiveFindings({ ...archive, archivedAt: ago(25) }, now))).toEqual(["look"]);
  });

  test("R1 a real server that archives nothing gets the advice, as does the embedded one without BACKUP_DIR", async () => {
    expect((await lookAtBackup(database, { backupDir: null, now }))[0]).toMatchObject({
      level: "look",
      says: expect.stringMatching(/no write-ahead log/) as string,
    });
    const embedded = { ...database, embeddedFolder: "/srv/data" };
    expect((await lookAtBackup(embedded, { backupDir: null, now }))[0]).toMatchObject({
      level: "look",
      remedy: expect.stringContaining("Set BACKUP_DIR") as string,
    });
  });
});

describe("the backups of the embedded database", () => {
  test("R1 a disk of backups that is away is a fault, with where it was", async () => {
    const home = mkdtempSync(path.join(tmpdir(), "farthing-away-"));
    const [embeddedFolder, backupDir] = [path.join(home, "postgres"), path.join(home, "backups")];
    mkdirSync(path.join(embeddedFolder, "global"), { recursive: true });
    writeFileSync(path.join(embeddedFolder, "global", "pg_control"), Buffer.alloc(8, 1));
    try {
      const { root } = setUpArchive(backupDir, embeddedFolder, null);
      rmSync(root, { recursive: true });
      const found = await lookAtBackup({ ...database, embeddedFolder }, { backupDir, now });
      expect(levels(found)).toEqual(["wrong"]);
      expect(found[0]?.says).toContain(`The disk of BACKUP_DIR is away: ${root}/wal is missing`);
    } finally {
      rmSync(home, { recursive: true });
    }
  });

  const backup = {
    ...{ format: 1 as const, id: "2026-11-20T02-00-00Z", systemId: "7", postgres: "18.4", keyFingerprint: "ab" },
    ...{ startedAt: ago(10).toISOString(), finishedAt: ago(10).toISOString(), bytes: 1, folders: [], files: [] },
    ...{ startSegment: "000000010000000000000003", stopSegment: "000000010000000000000003" },
  };
  const lastSegment = { name: "000000010000000000000009", timeline: 1, position: 9, archivedAt: ago(0.1) };
  const sound: EmbeddedBackup = {
    archive,
    state: { backups: [backup], leftBehind: [], faults: [], lastSegment, missing: [] },
    ...{ writes: "00000001000000000000000A", isOnSameDisk: false, now },
  };
  const find = (other: Partial<EmbeddedBackup>) => embeddedFindings({ ...sound, ...other });
  const withState = (other: Partial<EmbeddedBackup["state"]>) => find({ state: { ...sound.state, ...other } });

  test("R1 a base backup of last night and a log that is archived are in order, with both times", () => {
    const [found, ...others] = find({});
    expect(others).toEqual([]);
    expect(found).toMatchObject({ level: "ok", remedy: null });
    expect(found?.says).toMatch(/^1 base backup, the last of 2026-11-20 02:00 UTC; .+ until 2026-11-20 11:54 UTC\.$/);
  });

  test("R1 what makes a restore fail is wrong: no base backup, a gap, a torn manifest, an archive that is off or fails", () => {
    expect(levels(withState({ backups: [] }))).toEqual(["wrong"]);
    const [gap] = withState({ missing: ["000000010000000000000005", "000000010000000000000006"] });
    expect(gap).toMatchObject({ level: "wrong" });
    expect(gap?.says).toContain(
      "lacks 2 files of the write-ahead log: 000000010000000000000005, 000000010000000000000006",
    );
    expect(levels(withState({ faults: ["/b/manifest.json is torn."] }))).toEqual(["wrong"]);
    expect(levels(find({ archive: { ...archive, mode: "off" } }))).toEqual(["wrong"]);
    expect(levels(find({ archive: { ...archive, failedAt: ago(0.5) } }))).toEqual(["wrong"]);
  });

  test("R1 an old base backup, a slow archive and a backup on the same disk are to be looked at", () => {
    const old = { ...backup, finishedAt: ago(49).toISOString() };
    expect(levels(withState({ backups: [old] }))).toEqual(["look", "ok"]);
    expect(levels(withState({ backups: [{ ...backup, finishedAt: ago(48).toISOString() }] }))).toEqual(["ok"]);
    expect(levels(find({ writes: "00000001000000000000000D" }))).toEqual(["ok"]);
    expect(levels(find({ writes: "00000001000000000000000E" }))).toEqual(["look", "ok"]);
    expect(levels(find({ isOnSameDisk: true }))).toEqual(["look", "ok"]);
  });
});
