import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { makeClick, makeClub, reportedSale } from "@farthing/core/cashback/cashback.testing.ts";
import { recordReportedTransaction } from "@farthing/core/cashback/operations.server.ts";
import { foldEverything } from "@farthing/core/ledger/ledger.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";

const { db, pool, url } = await testDatabase();

function check(...args: string[]) {
  const file = fileURLToPath(new URL("./check-ledger.ts", import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], {
    encoding: "utf8",
    env: { ...process.env, NODE_ENV: "development", FARTHING_ENV: "dev", DATABASE_URL: url },
  });
  return { status, stdout, stderr };
}

test("C4 ledger:check checks the books, names every fault, and rebuilds totals", async () => {
  const club = await makeClub(db);
  const now = new Date("2026-11-20T12:00:00Z");
  const record = (reported: ReturnType<typeof reportedSale>) =>
    recordReportedTransaction(db, { networkId: club.networkId, reported, now });
  await record(reportedSale(club, await makeClick(db, club)));
  await record(reportedSale(club, null));
  await foldEverything(db);
  expect(check()).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(
      /1 transfers, 3 entries.*1 purchases credited to nobody \(no_reference\).*The books balance\./s,
    ) as string,
  });

  await pool.query("update ledger_totals set total_pence = total_pence + 1 where total_pence > 0");
  await pool.query("update cashback_entries set cashback_pence = 1, version = version + 1");
  const found = check();
  expect(found.status).toBe(1);
  expect(found.stderr).toMatch(/the total says 601 pence, its entries sum to 600/);
  expect(found.stderr).toMatch(/should have 1 pence in member_tracked, and has 600/);

  await pool.query("update cashback_entries set cashback_pence = 600, version = version + 1");
  expect(check("--rebuild")).toMatchObject({ status: 0 });
  const { rows: kept } = await pool.query(
    "select checked_by, jsonb_array_length(faults) as faults from book_checks order by id",
  );
  expect(
    kept.map(({ faults }) => faults === 0),
    "each check is kept for the admin and the metrics",
  ).toEqual([true, false, true]);
  expect(kept[0].checked_by).toBe("npm run ledger:check");
  expect(check("--unknown")).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("npm run ledger:check") as string,
  });
});
