import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { serverAccount } from "@farthing/db/embedded-location.ts";
import { migrate } from "@farthing/db/migrate.ts";
import { installedPostgres } from "@farthing/db/testing/installed-servers.ts";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { example, fencedBlocks } from "./fenced-blocks.ts";
import { runShell, temporaryFolder } from "./run-example.testing.ts";

// docs/operations/backup.md: a server is backed up by pgBackRest with the documented configuration, and restored to a moment.

const document = "docs/operations/backup.md";
const folder = temporaryFolder();
chmodSync(folder, 0o755);
const programs = installedPostgres();
afterAll(() => programs?.stop());

async function query<Row extends object>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

test("R1 the documented pgBackRest restores a server to a moment, with books that balance", async (context) => {
  if (!programs || !existsSync("/usr/bin/pgbackrest"))
    return context.skip(
      "PostgreSQL or pgbackrest is not installed here (Debian: apt-get install postgresql pgbackrest)",
    );
  const account = serverAccount();
  const own = (name: string) => {
    const made = join(folder, name);
    mkdirSync(made, { mode: 0o700 });
    if (account) chownSync(made, account.uid, account.gid);
    return made;
  };
  const [repository, log, lock, spool] = [own("repository"), own("log"), own("lock"), own("spool")];
  const conf = join(folder, "pgbackrest.conf");
  const env = {
    ...{
      PGBACKREST_CONFIG: conf,
      PGBACKREST_LOG_PATH: log,
      PGBACKREST_LOCK_PATH: lock,
      PGBACKREST_SPOOL_PATH: spool,
      PGBACKREST_PG1_USER: "farthing",
    },
  };
  // What stands in postgresql.conf.
  const settings = Object.fromEntries(
    [...example(document, "archive_command").matchAll(/^(\w+) = '?(.+?)'?$/gm)].map(([, name = "", value = ""]) => [
      name,
      value,
    ]),
  );
  expect(Object.keys(settings)).toEqual(["archive_mode", "archive_command", "archive_timeout"]);
  const server = await programs.start({ settings, env });
  const { url, data, sockets } = server;
  const text = example(document, "repo1-path")
    .replace("/var/lib/pgbackrest", repository)
    .replace("<passphrase>", "a passphrase of this test")
    .replace("/var/lib/postgresql/15/main", data);
  writeFileSync(conf, `${text}pg1-socket-path=${sockets}\npg1-database=club\n`);
  const asServer = (shell: string) =>
    execFileSync("sh", ["-ec", shell], {
      ...account,
      cwd: "/",
      env: { ...process.env, ...env },
      encoding: "utf8",
      stdio: "pipe",
    });

  await migrate(url);
  await query(url, "create table words (word text, at timestamptz not null default clock_timestamp())");
  const write = (word: string) => query(url, "insert into words (word) values ($1)", [word]);
  await write("before");
  const printed = asServer(example(document, "stanza-create"));
  expect(printed).toMatch(/full backup: [\s\S]+diff backup: /);
  expect(printed).toContain("cipher: aes-256-cbc");
  await write("after");
  const [moment] = await query<{ at: string }>(url, "select clock_timestamp()::text as at");
  await write("later");
  const [last] = await query<{ name: string }>(url, "select pg_walfile_name(pg_switch_wal()) as name");
  const isArchived = async () =>
    (await query<{ is: boolean }>(url, "select last_archived_wal >= $1 as is from pg_stat_archiver", [last?.name]))[0]
      ?.is;
  await expect.poll(isArchived, { timeout: 20_000 }).toBe(true);

  await server.kill();
  for (const name of readdirSync(data)) rmSync(join(data, name), { recursive: true });
  asServer(example(document, "--type=time").replace("2026-11-26 14:30:00+00", moment?.at ?? ""));
  await server.startAgain();
  const isOver = async () => (await query<{ is: boolean }>(url, "select not pg_is_in_recovery() as is"))[0]?.is;
  await expect.poll(isOver, { timeout: 20_000 }).toBe(true);
  const words = await query<{ word: string }>(url, "select word from words order by at");
  expect(words.map(({ word }) => word)).toEqual(["before", "after"]);
  const proved = await runShell(example(document, "npm run secrets -- status"), {
    cwd: folder,
    env: { DATABASE_URL: url, DATA_DIR: folder, STRIPE_API_URL: "http://127.0.0.1:1" },
  });
  expect(proved).toMatch(/The books balance\.[\s\S]+Nothing is encrypted with an old secret\./);
  // Blocks that name this test and are not looked at here would be run by nobody.
  expect(fencedBlocks(document).filter(({ runBy }) => runBy === "docs/examples/pgbackrest.test.ts")).toHaveLength(5);
}, 300_000);
