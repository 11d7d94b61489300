import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sealPayee } from "@farthing/core/closures/payee-seal.ts";
import { postTransfer } from "@farthing/core/ledger/operations.server.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertVerifiedMember } from "@farthing/core/testing/insert-member.testing.ts";
import { openDatabase, type Db } from "@farthing/db/client.ts";
import { startEmbedded } from "@farthing/db/embedded.ts";
import { migrate } from "@farthing/db/migrate.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { example } from "../../../docs/examples/fenced-blocks.ts";
import { runShell } from "../../../docs/examples/run-example.testing.ts";
import { readConfig } from "../env.ts";
import { keyFingerprint } from "../secrets/key-fingerprint.ts";
import { keysOf } from "../secrets/keys-of.ts";
import { BACKUP_USAGE, BackupActionError, type BackupActionParts, runBackupAction } from "./backup-actions.ts";
import { readRestoreWords, RESTORE_USAGE, runRestore } from "./restore-actions.ts";

const home = mkdtempSync(join(tmpdir(), "farthing-restore-"));
chmodSync(home, 0o755);
afterAll(() => rmSync(home, { recursive: true, force: true }));
const backupDir = join(home, "backups");
const secret = "a secret of the club that nobody else has";
const environment = { BACKUP_DIR: backupDir, FARTHING_SECRET: secret, STRIPE_API_URL: "http://127.0.0.1:1" };
const config = readConfig(environment);

/** What the commands printed at each step of a club that lost its machine. */
let fresh: string;
let printed: string;
let empty: string[];
let parts: BackupActionParts;

async function plant(db: Db): Promise<void> {
  const { id: brandId } = await insertBrand(db);
  const { id: memberId } = await insertVerifiedMember(db, { brandId });
  const payee = sealPayee(
    { name: "Ada", sortCode: "200000", accountNumber: "55779911" },
    memberId,
    keysOf(config, "payee"),
  );
  const now = new Date();
  const choices = { pending_choice: "wait", payable_choice: "give-up", pending_pence: 0, payable_pence: 0 };
  const closure = { id: newId(), brand_id: brandId, member_id: memberId, state: "cancelled", ...choices, payee };
  await db
    .insertInto("closures")
    .values({ ...closure, requested_at: now, cancellable_until: now, cancelled_at: now })
    .execute();
  await postTransfer(db, {
    ...{
      key: "issuer_float:x:y",
      kind: "issuer_float_paid",
      cause: { kind: "issuer_float", id: newId() },
      happenedAt: now,
    },
    legs: [
      { account: { kind: "issuer_float" }, amountPence: -500 },
      { account: { kind: "club_float_paid" }, amountPence: 500 },
    ],
  });
}

beforeAll(async () => {
  const dataDir = join(home, "lost");
  mkdirSync(dataDir, { mode: 0o755 });
  const server = await startEmbedded({ folder: join(dataDir, "postgres"), durable: false, backupDir });
  await migrate(server.url);
  // Like a running Farthing, it keeps a connection: the commands leave the server running.
  const { db, close } = openDatabase({ url: server.url, min: 1 });
  parts = {
    ...{ db, url: server.url, dataFolder: server.folder, backupDir, backupsKept: 2 },
    ...{ keyFingerprint: keyFingerprint(secret), now: () => new Date() },
  };
  fresh = await runBackupAction(parts, ["check"]).then(String, (error: Error) => error.message);
  empty = await runBackupAction(parts, ["list"]);
  await plant(db);
  const env = { ...environment, DATA_DIR: dataDir };
  printed = await runShell(example("docs/operations/backup.md", "npm run backup -- list"), { cwd: home, env });
  // The last file of the log is archived as it would be within a minute. One in which nothing is written stays.
  await sql`select pg_logical_emit_message(true, 'test', 'something')`.execute(db);
  const { rows } = await sql<{ name: string }>`select pg_walfile_name(pg_switch_wal()) as name`.execute(db);
  const isArchived = async () =>
    (await sql<{ is: boolean }>`select last_archived_wal >= ${rows[0]?.name} as is from pg_stat_archiver`.execute(db))
      .rows[0]?.is;
  await vi.waitFor(async () => expect(await isArchived()).toBe(true), { timeout: 30_000, interval: 20 });
  await close();
  await server.stop({ evenIfUsed: true });
  rmSync(dataDir, { recursive: true });
}, 180_000);

describe("npm run backup", () => {
  test("R1 the documented commands say what is copied, that it is the same, and which secret it needs, without the secret", () => {
    expect(printed).toMatch(/^Base backup \d{4}-.+: \d+ files, [\d.]+ MB, .+read back and the same\.$/m);
    expect(printed).toContain(`the fingerprint ${keyFingerprint(secret)}`);
    expect(printed).not.toContain(secret);
    expect(keyFingerprint(secret)).not.toBe(keyFingerprint(`${secret}.`));
  });

  test("R1 a database without a base backup is no backup; with one the check says from when and until when", () => {
    expect(fresh).toMatch(/^wrong {2}There is no base backup/m);
    expect(empty).toEqual([expect.stringContaining("npm run backup makes one")]);
    expect(printed).toMatch(/restores to \d{4}-.+ or later, secret [0-9a-f]{16}$/m);
    expect(printed).toMatch(/^ok {2}1 base backup, the last of .+; the log is archived until .+UTC\.$/m);
  });

  test("P3 a server of DATABASE_URL, no BACKUP_DIR and a wrong word are answered with what to do", async () => {
    const run = (other: Partial<BackupActionParts>, ...words: string[]) =>
      runBackupAction({ ...parts, ...other }, words);
    await expect(run({ dataFolder: null })).rejects.toThrow(/by its own server.+pgBackRest/);
    await expect(run({ backupDir: null })).rejects.toThrow(/Set BACKUP_DIR/);
    await expect(run({}, "now")).rejects.toThrow(new BackupActionError(BACKUP_USAGE));
  });
});

describe("npm run restore", () => {
  test("R1 on another machine the documented command has the data, proves the books, and says until when they go", async () => {
    const words = example("docs/operations/backup.md", "npm run restore -- --from")
      .replace("/mnt/backups", backupDir)
      .replace("/var/lib/farthing", join(home, "another"));
    const said = await runShell(words, { cwd: home, env: environment });
    expect(said).toMatch(/The data go until \d{4}-\d{2}-\d{2}T.+Z, the last commit/);
    expect(said).toMatch(/The books balance: 1 transfers, 2 entries\./);
    expect(said).toContain("FARTHING_SECRET reads everything that is encrypted.");
    await expect(runShell(words, { cwd: home, env: environment })).rejects.toThrow(/not empty \(it has postgres/);
  }, 180_000);

  test("R1 S1 with another secret the data are there, and it says in words what can't be read, but not the secret", async () => {
    const other = readConfig({ ...environment, FARTHING_SECRET: "another secret that somebody made up later" });
    const { lines, isWell } = await runRestore(
      { config: other, report: () => {}, now: () => new Date() },
      { from: backupDir, to: join(home, "stranger"), at: undefined },
    );
    expect(isWell).toBe(false);
    const said = lines.join("\n");
    expect(said).toContain(`not the one of this backup, whose fingerprint is ${keyFingerprint(secret)}`);
    expect(said).toMatch(/bank details of members who leave \(closures\.payee\): .+1 can't be read/);
    expect(said).not.toContain(secret);
  }, 180_000);

  test("R1 with the settings of a club on a server of its own, what it restores is what it brings up to date", async () => {
    const elsewhere = "postgres://farthing:farthing@127.0.0.1:1/farthing";
    const addresses = { DATABASE_URL: elsewhere, DATABASE_DIRECT_URL: elsewhere, DATABASE_READ_URL: elsewhere };
    const { isWell } = await runRestore(
      { config: readConfig({ ...environment, ...addresses }), report: () => {}, now: () => new Date() },
      { from: backupDir, to: join(home, "beside-a-server"), at: undefined },
    );
    expect(isWell).toBe(true);
  }, 180_000);

  test("R1 a moment needs a zone, and both folders are needed", () => {
    const words = (...more: string[]) => readRestoreWords(["--from", "a", "--to", "b", ...more]);
    expect(words("--at", "2026-11-26T14:30:00Z").at).toEqual(new Date("2026-11-26T14:30:00Z"));
    expect(words("--at", "2026-11-26T14:30+01:00").at).toEqual(new Date("2026-11-26T13:30:00Z"));
    expect(words()).toEqual({ from: "a", to: "b", at: undefined });
    for (const at of ["2026-11-26T14:30:00", "2026-11-26", "yesterday", "2026-13-26T14:30:00Z", "1764000000"])
      expect(() => words("--at", at), at).toThrow(/is not a moment with a zone/);
    for (const wrong of [[], ["--from", "a"], ["--to", "b"], ["--from", "a", "--to", "b", "--force"]])
      expect(() => readRestoreWords(wrong)).toThrow(RESTORE_USAGE);
  });
});
