import { otherVersions } from "@farthing/db/testing/another-version.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { compareMigrations } from "@farthing/db/migrate.ts";
import { describe, expect, test } from "vitest";
import { readConfig } from "../env.ts";
import type { DoctorParts, FoundDatabase } from "./finding.ts";
import {
  clockFinding,
  type DatabaseSettings,
  databaseSettingsFindings,
  lookAtClock,
  lookAtDatabaseSettings,
  lookAtMigrations,
  lookAtReach,
  lookAtReplication,
  MAX_SKEW_MS,
  REFUSING_SKEW_MS,
  replicationFindings,
} from "./look-at-database.ts";

const { db, pool, url } = await testDatabase();
const anotherVersion = otherVersions();
const database: FoundDatabase = { db, url, embeddedFolder: null };
const now = new Date("2026-11-20T12:00:00Z");
const levels = (findings: readonly { level: string }[]) => findings.map(({ level }) => level);

describe("reach", () => {
  const parts = (given: Partial<DoctorParts>): DoctorParts => ({
    variables: {},
    config: readConfig({}),
    database,
    now: () => now,
    ...given,
  });

  test("P2 a database that answers is in order; the embedded one is advice in production", () => {
    expect(levels(lookAtReach(parts({})))).toEqual(["ok"]);
    const embedded = { ...database, embeddedFolder: "/srv/data" };
    expect(levels(lookAtReach(parts({ database: embedded })))).toEqual(["ok"]);
    const config = { ...readConfig({}), environment: "production" as const };
    expect(levels(lookAtReach(parts({ database: embedded, config })))).toEqual(["look"]);
  });

  test("P2 without an answer it says which database, without its password", () => {
    const config = { ...readConfig({}), databaseUrl: "postgres://farthing:Kd92hcp1@db.club.example:5433/farthing" };
    const [found] = lookAtReach(parts({ database: null, config }));
    expect(found).toMatchObject({ level: "wrong", says: expect.stringContaining("db.club.example:5433") as string });
    expect(JSON.stringify(found)).not.toContain("Kd92hcp1");
    expect(lookAtReach(parts({ database: null }))[0]?.says).toContain("embedded");
    const unreachable = { says: "It runs as process 7, out of reach.", remedy: "Look there." };
    expect(lookAtReach(parts({ database: null, unreachable }))).toEqual([{ level: "wrong", ...unreachable }]);
  });
});

describe("clock", () => {
  test("R1 clocks that agree are in order, an hour apart is a fault", async () => {
    const { rows } = await pool.query<{ at: Date }>("select clock_timestamp() as at");
    const anHourOn = new Date(rows[0]!.at.getTime() + 3_600_000);
    expect(levels(await lookAtClock(database, () => anHourOn))).toEqual(["wrong"]);
  });

  test("R1 more than two seconds is advice, half a minute refuses codes; a slow answer proves nothing", () => {
    const level = (skewMs: number, waitedMs = 0) => clockFinding({ skewMs, waitedMs }).level;
    expect([0, MAX_SKEW_MS, MAX_SKEW_MS + 1].map((skew) => level(skew))).toEqual(["ok", "ok", "look"]);
    expect([REFUSING_SKEW_MS - 1, REFUSING_SKEW_MS].map((skew) => level(skew))).toEqual(["look", "wrong"]);
    expect(level(MAX_SKEW_MS + 1, 2)).toBe("ok");
  });
});

describe("database settings", () => {
  const sound: DatabaseSettings = {
    versionNumber: 170_002,
    fsync: "on",
    fullPageWrites: "on",
    synchronousCommit: "on",
    maxConnections: 100,
    reservedConnections: 3,
    usedConnections: 20,
    encoding: "UTF8",
    timeZone: "UTC",
    isSuperuser: false,
    statementTimeout: 0,
    idleTimeout: 0,
  };
  const look = (changed: Partial<DatabaseSettings>, { poolSize = 16, isEmbedded = false } = {}) =>
    databaseSettingsFindings({ ...sound, ...changed }, { poolSize, isEmbedded });

  test("P2 settings as Farthing needs them are in order", () => {
    expect(levels(look({}))).toEqual(["ok"]);
    for (const fine of [
      { versionNumber: 150_000 },
      { versionNumber: 180_099 },
      { synchronousCommit: "local" },
      { timeZone: "Etc/UTC" },
      { timeZone: "Europe/London" },
      { statementTimeout: 600_000 },
      { idleTimeout: 60_000 },
      { usedConnections: 77 },
      { maxConnections: 43 }, // two pools of 16, four that listen for each, and the reserved ones
    ])
      expect(levels(look(fine, { poolSize: 16 })), JSON.stringify(fine)).toEqual(["ok"]);
    expect(levels(look({ isSuperuser: true }, { isEmbedded: true }))).toEqual(["ok"]);
  });

  const faults: [what: string, changed: Partial<DatabaseSettings>, level: string, says: string][] = [
    ["an old server", { versionNumber: 140_011 }, "wrong", "PostgreSQL 14"],
    ["an untested server", { versionNumber: 190_000 }, "look", "PostgreSQL 19"],
    ["no fsync", { fsync: "off" }, "wrong", "fsync"],
    ["torn pages", { fullPageWrites: "off" }, "wrong", "full_page_writes"],
    ["commits that are lost", { synchronousCommit: "off" }, "wrong", "synchronous_commit"],
    ["too few connections for two processes", { maxConnections: 42 }, "wrong", "39 connections"],
    ["connections running out", { usedConnections: 78 }, "look", "78 of"],
    ["another encoding", { encoding: "LATIN1" }, "wrong", "LATIN1"],
    ["another time zone", { timeZone: "America/New_York" }, "look", "America/New_York"],
    ["a superuser", { isSuperuser: true }, "look", "superuser"],
    ["short statements", { statementTimeout: 599_999 }, "look", "600 seconds"],
    ["short transactions", { idleTimeout: 1_000 }, "look", "1 second."],
  ];
  test.each(faults)("P2 %s is found", (_what, changed, level, says) => {
    expect(look(changed)).toEqual([
      { level, says: expect.stringContaining(says) as string, remedy: expect.stringMatching(/\w/) as string },
    ]);
  });

  test("P2 a real server's settings are read: those of tests flush nothing to disk", async () => {
    const found = await lookAtDatabaseSettings(database, 1);
    expect(found.filter(({ says }) => says.includes("fsync")).map(({ level }) => level)).toEqual(["wrong"]);
    expect(found.filter(({ says }) => /encoding|too old|superuser/.test(says)).map(({ says }) => says)).toEqual([
      "The role in DATABASE_URL is a superuser.",
    ]);
  });
});

describe("replication", () => {
  const primary = { isStandby: false, lagSeconds: [0, 3], idleSlots: 0 };

  test("R3 standbys that keep up are in order", () => {
    expect(levels(replicationFindings(primary))).toEqual(["ok"]);
    expect(levels(replicationFindings({ ...primary, lagSeconds: [29] }))).toEqual(["ok"]);
  });

  test("R3 a standby that falls behind, a slot for nobody, and a standby instead of the primary are found", () => {
    expect(levels(replicationFindings({ ...primary, lagSeconds: [0, 30] }))).toEqual(["look"]);
    expect(levels(replicationFindings({ ...primary, lagSeconds: [300, 0] }))).toEqual(["wrong"]);
    expect(levels(replicationFindings({ ...primary, lagSeconds: [null] }))).toEqual(["look"]);
    expect(levels(replicationFindings({ ...primary, idleSlots: 1 }))).toEqual(["look", "ok"]);
    expect(levels(replicationFindings({ ...primary, isStandby: true }))).toEqual(["wrong"]);
  });

  test("R3 a real server without a standby gets the advice, an embedded one does not", async () => {
    expect(await lookAtReplication(database)).toEqual([
      { level: "look", says: "The database has no standby.", remedy: expect.any(String) as string },
    ]);
    expect(levels(await lookAtReplication({ ...database, embeddedFolder: "/srv/data" }))).toEqual(["ok"]);
  });
});

describe("migrations", () => {
  test("P2 a database of this version is in order", async () => {
    expect(levels(await lookAtMigrations(database))).toEqual(["ok"]);
  });

  test("P2 what this version adds and what a later one has applied are named, and nothing is applied", async () => {
    const next = await anotherVersion();
    await next.write("migrations/9998_next.sql", "create table next_table (id integer)");
    await pool.query("insert into schema_migrations (name, checksum) values ('9999_later.sql', 'x')");
    try {
      const found = await lookAtMigrations(database, (address) => compareMigrations(address, next.source));
      expect(found).toMatchObject([
        { level: "look", says: expect.stringContaining("9998_next.sql") as string },
        { level: "look", says: expect.stringContaining("9999_later.sql") as string },
      ]);
      expect((await pool.query("select to_regclass('next_table') as made")).rows).toEqual([{ made: null }]);
    } finally {
      await pool.query("delete from schema_migrations where name = '9999_later.sql'");
    }
  });

  test("R2 a backfill that goes on is named with how far it is, until it is finished", async () => {
    const next = await anotherVersion();
    await next.write("backfills/9998_next.sql", "select null as next, 0 as seen");
    const find = () => lookAtMigrations(database, (address) => compareMigrations(address, next.source));
    expect((await find())[0]?.says).toBe("The backfill 9998_next.sql is not finished: 0 rows so far.");
    await pool.query("insert into backfills (name, rows_seen) values ('9998_next.sql', 2000)");
    expect((await find())[0]?.says).toContain("2000 rows so far");
    await pool.query("update backfills set finished_at = now()");
    expect(levels(await find())).toEqual(["ok"]);
    await pool.query("delete from backfills");
  });

  test("P2 an edited migration and one that needs later code are faults", async () => {
    await pool.query("update schema_migrations set checksum = 'edited' || checksum where name like '0001%'");
    expect(await lookAtMigrations(database)).toMatchObject([
      { level: "wrong", says: expect.stringMatching(/^Migration 0001\S+ was edited/) as string },
    ]);
    await pool.query("update schema_migrations set checksum = replace(checksum, 'edited', '')");
    await pool.query("insert into schema_migrations values ('9999_later.sql', 'x', now(), '9998_next.sql')");
    expect(await lookAtMigrations(database)).toMatchObject([
      { level: "wrong", says: expect.stringContaining("9998_next.sql") as string },
    ]);
    await pool.query("delete from schema_migrations where name = '9999_later.sql'");
  });

  test("P2 an empty database lacks every migration, and stays empty", async () => {
    const empty = new URL(url);
    empty.searchParams.set("options", "-csearch_path=pg_temp");
    const found = await lookAtMigrations({ ...database, url: empty.href });
    expect(found).toMatchObject([
      { level: "look", says: expect.stringMatching(/0001_brands\.sql.* and \d+ more/) as string },
    ]);
  });

  test("P2 a database that goes away meanwhile is no fault of a migration", async () => {
    const away = { ...database, url: "postgres://127.0.0.1:1/farthing" };
    await expect(lookAtMigrations(away)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });
});
