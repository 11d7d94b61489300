import { countReads } from "@farthing/db/testing/count-reads.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { findListPage } from "../lists/find-list-page.server.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertVerifiedMember } from "../testing/insert-member.testing.ts";
import { batchList, type BatchSort, type ListedBatch } from "./list-batches.server.ts";

const { db, pool } = await testDatabase();
const BATCHES = 400;
const PAYOUTS = 20;

test("A3 C6 batches in a state that most are in are listed without summing the payouts of all of them", async () => {
  const { id: brandId } = await insertBrand(db);
  const { id: memberId } = await insertVerifiedMember(db, { brandId });
  await pool.query(
    `insert into payout_batches (id, method, made_at, made_by, processing_day, entry_day, approved_at, approved_by, confirmed_at, confirmed_by)
     select gen_random_uuid(), 'bank', now(), 'one', '2026-11-01', '2026-11-02', now(), 'two', case when n % 100 > 0 then now() end, case when n % 100 > 0 then 'two' end
     from generate_series(1, $1::int) n`,
    [BATCHES],
  );
  await pool.query(
    `insert into payouts (id, brand_id, member_id, method, state, amount_pence, bank_reference, batch_id, requested_at, processing_at, paid_at)
     select gen_random_uuid(), $1, $2, 'bank', 'paid', 100 + n, 'FP' || upper(lpad(to_hex(batch_number * 100 + n), 10, '0')), batch.id, now(), now(), now()
     from payout_batches batch, generate_series(1, $3::int) n`,
    [brandId, memberId, PAYOUTS],
  );
  await pool.query("vacuum analyze payouts, payout_batches");
  const state = { sort: "number", isDescending: true, after: null, before: null, size: 50 } as const;
  let rows: ListedBatch[] = [];
  const read = await countReads(db, async (trx) => {
    ({ rows } = await findListPage<ListedBatch, BatchSort>(trx, batchList({ state: "confirmed" }), state));
  });
  expect(rows).toHaveLength(50);
  for (const row of rows) expect(row).toMatchObject({ state: "confirmed", payouts: PAYOUTS, totalPence: 2_210 });
  expect(read.rows).toBeLessThan((BATCHES * PAYOUTS) / 2);
  const { rows: waiting } = await findListPage<ListedBatch, BatchSort>(db, batchList({ state: "approved" }), state);
  expect(waiting).toHaveLength(BATCHES / 100);
});
