import { tmpdir } from "node:os";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { readConfig } from "../env.ts";
import type { DoctorParts } from "./finding.ts";
import { freeSpaceFinding, lookAtDisk, MIN_FREE_BYTES } from "./look-at-disk.ts";

const { db, url } = await testDatabase();
const now = () => new Date("2026-11-20T12:00:00Z");
const level = (freeBytes: number, totalBytes: number) => freeSpaceFinding("DATA_DIR", { freeBytes, totalBytes }).level;

test("R1 a disk with less than 2 GB is a fault, one with less than a tenth is advice", () => {
  expect([MIN_FREE_BYTES - 1, MIN_FREE_BYTES].map((free) => level(free, free * 5))).toEqual(["wrong", "ok"]);
  expect([9.9, 10].map((percent) => level(percent * 1e10, 1e12))).toEqual(["look", "ok"]);
  expect(level(0, 0)).toBe("wrong");
});

test("R1 DATA_DIR is measured, and the database’s folder where it is on this machine", async () => {
  const look = async (changed: Partial<DoctorParts>, dataDir = tmpdir()) => {
    const config = { ...readConfig({}), dataDir };
    return (
      await lookAtDisk({ variables: {}, config, database: { db, url, embeddedFolder: null }, now, ...changed })
    ).map(({ says }) => says);
  };
  expect(await look({})).toEqual([
    expect.stringMatching(/^DATA_DIR is on a disk with \d+ GB free \(\d+ %\)/),
    expect.stringMatching(/^The database’s folder is on a disk with/),
  ]);
  const elsewhere = new URL(url);
  elsewhere.searchParams.delete("host");
  elsewhere.hostname = "db.club.example";
  expect(await look({ database: { db, url: elsewhere.href, embeddedFolder: null } })).toEqual([
    expect.stringMatching(/^DATA_DIR/),
    expect.stringMatching(/^The database is on another machine/),
  ]);
  expect(await look({ database: null }, `${tmpdir()}/no-such-folder`)).toEqual(["DATA_DIR does not exist yet."]);
});

test("R1 BACKUP_DIR is measured where the embedded database archives there", async () => {
  const look = async (variables: Record<string, string>) => {
    const config = readConfig({ DATA_DIR: tmpdir(), ...variables });
    return (await lookAtDisk({ variables, config, database: null, now })).map(({ says }) => says.split(" ")[0]);
  };
  expect(await look({ BACKUP_DIR: tmpdir() })).toEqual(["DATA_DIR", "BACKUP_DIR"]);
  expect(await look({ BACKUP_DIR: tmpdir(), DATABASE_URL: url })).toEqual(["DATA_DIR"]);
  const full = freeSpaceFinding("BACKUP_DIR", { freeBytes: 0, totalBytes: 1 }, "no log is archived.");
  expect(full.remedy).toBe("Free some space now: no log is archived.");
});
