import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@farthing/db/client.ts";
import { startEmbedded } from "@farthing/db/embedded.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { MAX_LISTENERS, openServerDatabase } from "./open-database.ts";
import type { Closing } from "./shutdown.ts";
import { StartError } from "./start-error.ts";

const { url, pool } = await testDatabase();
const open = (databaseUrl: string, closing: Closing[] = []) =>
  openServerDatabase(
    { dataDir: "/nowhere", databaseUrl, databaseDirectUrl: null, databasePoolSize: 2, backupDir: null },
    () => {},
    closing,
  );

describe("P2 DATABASE_URL", () => {
  test("P2 a database of DATABASE_URL is used as it is, and closed with the process", async () => {
    const closing: Closing[] = [];
    const { db } = await open(url, closing);
    expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
    for (const part of closing) await part.close();
    await expect(sql`select 1`.execute(db)).rejects.toThrow(/destroyed/);
  });

  test("R2 the previous version starts on a database that a newer one has migrated, and says so", async () => {
    const told: string[] = [];
    const closing: Closing[] = [];
    try {
      await pool.query("insert into schema_migrations (name, checksum) values ('9001_newer.sql', 'x')");
      const config = {
        dataDir: "/nowhere",
        databaseUrl: url,
        databaseDirectUrl: null,
        databasePoolSize: 2,
        backupDir: null,
      };
      const { db } = await openServerDatabase(config, (line) => told.push(line), closing);
      expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
      expect(told).toEqual([expect.stringMatching(/newer version .+9001_newer\.sql.+ finish the upgrade/)]);
      await pool.query("update schema_migrations set needs_code_of = name where name = '9001_newer.sql'");
      const refused: unknown = await open(url).catch((failure: unknown) => failure);
      expect(refused).toBeInstanceOf(StartError);
      expect((refused as Error).message).toMatch(/needs a version that knows 9001_newer\.sql\. Run the newer version/);
    } finally {
      for (const part of closing) await part.close();
      await pool.query("delete from schema_migrations where name = '9001_newer.sql'");
    }
  });

  test("P3 a database from before the first release is refused with what to do", async () => {
    await pool.query("alter table schema_functions rename to set_aside");
    try {
      const refused: unknown = await open(url).catch((failure: unknown) => failure);
      expect(refused).toBeInstanceOf(StartError);
      expect((refused as Error).message).toMatch(/cannot be upgraded\. Give DATABASE_URL an empty database\.$/);
    } finally {
      await pool.query("alter table set_aside rename to schema_functions");
    }
  });

  test("P3 an error names what is wrong, without the password", async () => {
    const missing = new URL(url);
    missing.pathname = "/no_such_database";
    const faults: [string, RegExp][] = [
      [
        "postgres://farthing:hunter2@127.0.0.1:4449/club",
        /the database club at 127\.0\.0\.1:4449\. Nothing listens there\. Start/,
      ],
      ["postgres://farthing:hunter2@nowhere.invalid/club", /There is no such host\. Correct DATABASE_URL|EAI_AGAIN/],
      [missing.href, /The server has no such database\. Create it/],
    ];
    for (const [address, told] of faults) {
      const error: unknown = await open(address).catch((failure: unknown) => failure);
      expect(error).toBeInstanceOf(StartError);
      expect((error as Error).message).toMatch(told);
      expect((error as Error).message).not.toContain("hunter2");
    }
  });
});

describe("R1 a pooler before the database", () => {
  const named = (application: string, address = url) => {
    const changed = new URL(address);
    changed.searchParams.set("application_name", application);
    return changed.href;
  };
  const settings = {
    dataDir: "/nowhere",
    backupDir: null,
    databaseUrl: named("through-the-pooler"),
    databasePoolSize: 2,
  };

  test("R1 notifications are heard on the database itself, and statements go through the pooler", async () => {
    const closing: Closing[] = [];
    try {
      const config = { ...settings, databaseDirectUrl: named("direct") };
      const { db, sessionPool } = await openServerDatabase(config, () => {}, closing);
      const { rows } = await sql<{ name: string }>`select current_setting('application_name') as name`.execute(db);
      expect(rows).toEqual([{ name: "through-the-pooler" }]);
      const client = await sessionPool.connect();
      try {
        const heard = new Promise((resolve) => client.on("notification", ({ channel }) => resolve(channel)));
        await client.query("listen of_the_test");
        await sql`select pg_notify('of_the_test', '')`.execute(db);
        expect(await heard).toBe("of_the_test");
        expect((await client.query("select current_setting('application_name') as name")).rows).toEqual([
          { name: "direct" },
        ]);
      } finally {
        client.release(true);
      }
    } finally {
      for (const part of closing.toReversed()) await part.close();
    }
  });

  test("R1 without an address of its own, listeners have connections beside the pool, which takes none of theirs", async () => {
    const closing: Closing[] = [];
    try {
      const config = { ...settings, databasePoolSize: 1, databaseDirectUrl: null };
      const { db, sessionPool } = await openServerDatabase(config, () => {}, closing);
      const clients = await Promise.all(Array.from({ length: MAX_LISTENERS }, () => sessionPool.connect()));
      try {
        const { rows } = await sql<{ name: string }>`select current_setting('application_name') as name`.execute(db);
        expect(rows).toEqual([{ name: "through-the-pooler" }]);
      } finally {
        for (const client of clients) client.release(true);
      }
    } finally {
      for (const part of closing.toReversed()) await part.close();
    }
  });

  test("R1 P3 migrations go to the database itself: the start ends where nothing is, and names the setting", async () => {
    const databaseDirectUrl = "postgres://farthing:hunter2@127.0.0.1:1/club";
    const error: unknown = await openServerDatabase({ ...settings, databaseDirectUrl }, () => {}, []).catch(
      (failure: unknown) => failure,
    );
    expect(error).toBeInstanceOf(StartError);
    expect((error as Error).message).toMatch(/the database club at 127\.0\.0\.1:1\. .+ correct DATABASE_DIRECT_URL/);
    expect((error as Error).message).not.toContain("hunter2");
  });
});

describe("P2 the embedded database", () => {
  test("P3 one from before the first release is refused with the folder to delete, and is created again without it", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "farthing-open-test-"));
    await chmod(dataDir, 0o755);
    const folder = join(dataDir, "postgres");
    const earlier = await startEmbedded({ folder, durable: false });
    const client = openDatabase({ url: earlier.url });
    await sql`create table schema_migrations (name text primary key, checksum text, applied_at timestamptz)`.execute(
      client.db,
    );
    await client.close();
    await earlier.stop();
    const start = async () => {
      const closing: Closing[] = [];
      const config = { dataDir, databaseUrl: null, databaseDirectUrl: null, databasePoolSize: 2, backupDir: null };
      const outcome: unknown = await openServerDatabase(config, () => {}, closing).catch((failure: unknown) => failure);
      for (const part of closing.toReversed()) await part.close();
      return outcome;
    };
    try {
      const refused = await start();
      expect(refused).toBeInstanceOf(StartError);
      expect((refused as Error).message).toMatch(
        /made before the first release.+ cannot be upgraded\. Delete its folder, /,
      );
      expect((refused as Error).message).toContain(`${folder}, and start again.`);
      await rm(folder, { recursive: true });
      expect(await start()).not.toBeInstanceOf(Error);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  test("P2 P5 a command beside a running server uses the same database, says so, and leaves it running", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "farthing-open-test-"));
    await chmod(dataDir, 0o755);
    const openOwn = async (lines: string[], closing: Closing[]) =>
      await openServerDatabase(
        { dataDir, databaseUrl: null, databaseDirectUrl: null, databasePoolSize: 2, backupDir: null },
        (line) => lines.push(line),
        closing,
      );
    const close = async (closing: Closing[]) => {
      for (const part of closing.toReversed()) await part.close();
    };
    const [server, command, ended] = [[], [], []] as Closing[][];
    const said: Record<string, string[]> = { server: [], command: [], ended: [] };
    const running = await openOwn(said["server"]!, server!);
    await sql`select 1`.execute(running.db);
    await openOwn(said["command"]!, command!);
    await close(command!);
    expect(said["server"]!.join()).not.toMatch(/Took over|Using/);
    expect(said["command"]).toEqual(["Using the database that a running Farthing has open"]);
    expect((await sql`select 1 as one`.execute(running.db)).rows).toEqual([{ one: 1 }]);
    await close(server!);
    await openOwn(said["ended"]!, ended!);
    await close(ended!);
    expect(said["ended"]!.join()).not.toMatch(/Took over|Using/);
    await rm(dataDir, { recursive: true, force: true });
  });
});
