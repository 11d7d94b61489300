import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkLedger } from "@farthing/core/ledger/check.server.ts";
import { foldEverything } from "@farthing/core/ledger/ledger.testing.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertVerifiedMember } from "@farthing/core/testing/insert-member.testing.ts";
import { findBalance } from "@farthing/core/ledger/balances.server.ts";
import { postTransfer } from "@farthing/core/ledger/operations.server.ts";
import { rebuildTotals } from "@farthing/core/ledger/totals.server.ts";
import { openDatabase, type Db } from "@farthing/db/client.ts";
import { migrate } from "@farthing/db/migrate.ts";
import { installedPostgres } from "@farthing/db/testing/installed-servers.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, describe, expect, test } from "vitest";
import { databaseFitness } from "./process/database-fitness.ts";
import { readConfig } from "./env.ts";
import { requestLogger } from "./monitoring/logger.ts";
import { closeAll, type Closing } from "./process/shutdown.ts";
import { startServer } from "./start-server.ts";
import { StartError } from "./process/start-error.ts";

const postPence = (db: Db, memberId: string, key: string) =>
  postTransfer(db, {
    key,
    kind: "cashback_tracked",
    cause: { kind: "cashback_entry", id: memberId },
    happenedAt: new Date("2026-11-20T10:00:00Z"),
    legs: [
      { account: { kind: "member_tracked", memberId }, amountPence: 70 },
      { account: { kind: "club_expected" }, amountPence: -70 },
    ],
  });

interface Health {
  status: number;
  notes: string[] | undefined;
}

/** Starts a server on the database as main.ts does, requests /readyz and closes it. `during` may send more requests. */
async function start(
  url: string,
  during: (ask: () => Promise<Health>) => Promise<void> = async () => {},
): Promise<Health & { warnings: string[] }> {
  const closing: Closing[] = [];
  const warnings: string[] = [];
  const logger = pino(
    { level: "warn" },
    { write: (line: string) => void warnings.push(JSON.parse(line).msg as string) },
  );
  const dataDir = await mkdtemp(join(tmpdir(), "farthing-restore-"));
  try {
    const config = readConfig({ DATABASE_URL: url, ROLES: "collector", DATA_DIR: dataDir });
    const { server, app } = await startServer({
      config: { ...config, environment: "staging", port: 0 },
      logger,
      logRequest: requestLogger(logger),
      tell: () => {},
      closing,
    });
    const ask = async () => {
      const answer = await app.request("/readyz");
      return { status: answer.status, notes: ((await answer.json()) as { notes?: string[] }).notes };
    };
    const health = await ask();
    await during(ask);
    server.close();
    return { ...health, warnings };
  } finally {
    await closeAll(closing, logger);
    await rm(dataDir, { recursive: true, force: true });
  }
}

describe("R1 a database restored from a dump", () => {
  const programs = installedPostgres();
  afterAll(() => programs?.stop());

  test("R1 after pg_dump and pg_restore into a new server the start names the command that repairs the database", async (context) => {
    if (!programs) return context.skip("no PostgreSQL with pg_dump is installed here");
    const [from, to] = [await programs.start(), await programs.start()];
    await migrate(from.url);
    const old = openDatabase({ url: from.url });
    const memberId = (await insertVerifiedMember(old.db, { brandId: (await insertBrand(old.db)).id })).id;
    // A server that has been in use for a while.
    await sql`do $$ begin for number in 1..5000 loop perform pg_current_xact_id(); commit; end loop; end $$`.execute(
      old.db,
    );
    await postPence(old.db, memberId, "folded");
    await foldEverything(old.db);
    await postPence(old.db, memberId, "not folded yet");
    await old.close();

    const dump = join(from.sockets, "..", "club.dump");
    programs.run("pg_dump", ["-h", from.sockets, "-U", "farthing", "-Fc", "-f", dump, "club"]);
    programs.run("pg_restore", ["-h", to.sockets, "-U", "farthing", "--exit-on-error", "-d", "club", dump]);

    const restored = openDatabase({ url: to.url });
    try {
      const { db } = restored;
      await expect(postPence(db, memberId, "refused")).rejects.toThrow(/--rebuild/);
      const refusal: unknown = await start(to.url).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(StartError);
      expect((refusal as Error).message).toMatch(/restored .+ once with: npm run ledger:check -- --rebuild$/);

      await rebuildTotals(db); // what the command does
      expect(await start(to.url)).toEqual({ status: 200, notes: undefined, warnings: [] });
      await postPence(db, memberId, "after");
      expect(await findBalance(db, { account: { kind: "member_tracked", memberId } })).toBe(210);
      expect((await checkLedger(db)).faults).toEqual([]);
    } finally {
      await restored.close();
    }
  }, 120_000);
});

describe("R1 /readyz and the database", () => {
  test("R1 a restore under a running process makes /readyz 503 with the command, and 200 once it has run", async () => {
    const { db, url } = await testDatabase();
    await insertBrand(db);
    const refused = { status: 503, notes: [expect.stringMatching(/npm run ledger:check -- --rebuild/)] };
    const well = { status: 200, notes: undefined };
    const { status } = await start(url, async (ask) => {
      await sql`update ledger_watermark set folded_below = '9000000000'`.execute(db);
      expect(await ask()).toEqual(refused);
      await rebuildTotals(db);
      expect(await ask()).toEqual(well);
      await sql`delete from ledger_watermark`.execute(db);
      expect(await ask(), "the row was lost").toEqual(refused);
      await rebuildTotals(db);
      expect(await ask()).toEqual(well);
    });
    expect(status).toBe(200);
    await postPence(db, (await insertVerifiedMember(db, { brandId: (await insertBrand(db)).id })).id, "after");
  });

  test("R1 a watermark at the next transaction number is not ahead, and one beyond it is", async () => {
    const { db } = await testDatabase();
    await insertBrand(db);
    // In one snapshot, because other databases of this server use transaction numbers too.
    const trx = await db.startTransaction().setIsolationLevel("repeatable read").execute();
    try {
      const next = sql`pg_snapshot_xmax(pg_current_snapshot())::text::bigint`;
      await sql`update ledger_watermark set folded_below = (${next})::text::xid8`.execute(trx);
      expect(await databaseFitness(trx)).toEqual([]);
      await sql`update ledger_watermark set folded_below = (${next} + 1)::text::xid8`.execute(trx);
      await expect(databaseFitness(trx)).rejects.toThrow(/--rebuild/);
    } finally {
      await trx.rollback().execute();
    }
  });

  test("R1 triggers that a restore left disabled stop the start, with the SQL that enables them", async () => {
    const { db, url } = await testDatabase();
    await insertBrand(db);
    await sql`alter table ledger_entries disable trigger all`.execute(db);
    await sql`alter table members disable trigger all`.execute(db);
    const refusal = await start(url).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StartError);
    const commands = /In psql: (.+;) Then:/.exec((refusal as Error).message)?.[1] ?? "";
    await sql.raw(commands).execute(db);
    expect((await start(url)).status).toBe(200);
  });

  test("B5 without a brand the process is ready and names the command that creates one", async () => {
    const { url } = await testDatabase();
    const { status, notes, warnings } = await start(url);
    expect(status).toBe(200);
    expect(notes).toEqual([expect.stringMatching(/There is no brand yet.+npm run brands -- create/)]);
    expect(warnings).toEqual(notes);
  });
});
