import { markOfAccount, sealBankAccount } from "@farthing/core/bank-details/bank-seal.ts";
import { checkLedger } from "@farthing/core/ledger/check.server.ts";
import type { ReportedTransaction } from "@farthing/core/networks/network-transaction.ts";
import { rejectBatch } from "@farthing/core/payouts/approve.server.ts";
import { makeBatch } from "@farthing/core/payouts/batch.server.ts";
import { account, bankKeys, method, payeeKeys } from "@farthing/core/payouts/payouts.testing.ts";
import type { Db } from "@farthing/db/client.ts";
import type pg from "pg";
import { takeInAnswer } from "../../apps/server/networks/report-answer.ts";
import type { Reference } from "./reference.ts";
import { sample } from "./samples.ts";
import type { Measured } from "./verdicts.ts";

export interface BooksProbe {
  db: Db;
  pool: pg.Pool;
  reference: Reference;
  now: Date;
  /** Rows of a network's report. */
  rows: number;
  repeats: number;
}

/** What the worker and operators do: nobody's page waits for it. */
export async function* measureBooks(probe: BooksProbe): AsyncGenerator<Measured> {
  yield await measureReports(probe);
  yield await measureBatches(probe);
  yield await measureChecks(probe);
}

interface Click {
  reference: string;
  networkId: string;
  networkProgrammeId: string;
  createdAt: Date;
}

/** Reports of new sales about clicks that led to nothing so far, stored and booked. The work is of a fixed size, so it may not grow with the club. */
async function measureReports({ db, pool, reference, now, rows, repeats }: BooksProbe): Promise<Measured> {
  const clicks = await findClicks(pool, { count: rows * repeats });
  const each = Math.floor(clicks.length / repeats);
  let held = 0;
  const logger = { info: () => {}, warn: () => void (held += 1), error: fail };
  const samples = await sample(reference, { count: repeats }, async (turn) => {
    const transactions = clicks.slice(turn * each, (turn + 1) * each).map(saleOf);
    const answer = { transactions, unreadable: [] };
    const { failed } = await takeInAnswer(db, { networkId: clicks[0]!.networkId, answer, now, logger });
    if (failed > 0) throw new Error(`${failed} rows of a report could not be stored.`);
  });
  if (held * 10 > clicks.length) throw new Error(`${held} of ${clicks.length} reported sales were not credited.`);
  const name = `a network's report of ${each.toLocaleString("en-GB")} new sales, stored and booked`;
  return { group: "work", name, unit: "ms", allowed: "logarithm", samples };
}

/** The newest clicks of members at Awin's retailers without a sale or a claim. */
async function findClicks(pool: pg.Pool, { count }: { count: number }): Promise<Click[]> {
  const { rows } = await pool.query<Click>(
    `select click.reference, click.network_id as "networkId", programme.network_programme_id as "networkProgrammeId", click.created_at as "createdAt"
     from clicks click join programmes programme on programme.id = click.programme_id join members member on member.id = click.member_id
     where click.network_id = (select id from networks where slug = 'awin') and member.suspended_at is null and member.closed_at is null
       and not exists (select from network_transactions sale where sale.click_id = click.id)
       and not exists (select from claims claim where claim.click_id = click.id)
     order by click.id desc limit $1`,
    [count],
  );
  if (rows.length === 0) throw new Error("The club has no clicks without a sale.");
  return rows;
}

function saleOf({ reference, networkProgrammeId, createdAt }: Click, index: number): ReportedTransaction {
  const sale = { saleMinor: 5_000 + (index % 977), commissionMinor: 400 };
  const at = new Date(createdAt.getTime() + 60_000);
  return {
    networkTransactionId: `growth-${reference}`,
    networkProgrammeId,
    clickReference: reference,
    status: "pending",
    currency: "GBP",
    ...sale,
    parts: [{ groupId: "101", groupCode: null, ...sale }],
    paidToPublisher: false,
    reason: null,
    orderReference: `ORDER-${reference}`,
    purchasedAt: at,
    clickedAt: createdAt,
    validatedAt: null,
    modifiedAt: at,
    observedAt: at,
    raw: { clickRef: reference, saleAmount: { amount: 50, currency: "GBP" } },
  };
}

/** A batch of everything that was asked for, which is a five-hundredth of the members; rejected again, so that the next one takes the same. */
async function measureBatches({ db, pool, reference, now, repeats }: BooksProbe): Promise<Measured> {
  await giveBankDetails(pool, now);
  const made: number[] = [];
  const samples = await sample(
    reference,
    {
      count: repeats,
      async before() {
        const batchNumber = made.at(-1);
        if (batchNumber !== undefined) await rejectBatch(db, { batchNumber, by: "ada", because: "measured", now });
      },
    },
    async () => {
      const batch = await makeBatch(db, { method, bankKeys, payeeKeys, by: "joan", now });
      if (batch.batchNumber === null) throw new Error("Nobody could be paid.");
      made.push(batch.batchNumber);
    },
  );
  return { group: "work", name: "a batch of all payouts that wait", unit: "ms", allowed: "proportion", samples };
}

/** Gives everybody who asked for a payout an account, which was there for long. */
async function giveBankDetails(pool: pg.Pool, now: Date): Promise<void> {
  const { rows } = await pool.query<{ memberId: string; brandId: string }>(
    `select distinct member_id as "memberId", brand_id as "brandId" from payouts where state = 'requested' and method = 'bank'`,
  );
  const mark = markOfAccount(account, bankKeys);
  await pool.query(
    `insert into bank_details (member_id, brand_id, sealed, account_mark, changed_at, usable_from)
     select given.*, $4::bytea, $5::timestamptz, $5::timestamptz from unnest($1::uuid[], $2::uuid[], $3::text[]) given on conflict (member_id) do nothing`,
    [
      rows.map(({ memberId }) => memberId),
      rows.map(({ brandId }) => brandId),
      rows.map(({ memberId }) => sealBankAccount(account, memberId, bankKeys)),
      mark,
      new Date(now.getTime() - 30 * 86_400_000),
    ],
  );
}

async function measureChecks({ db, reference, repeats }: BooksProbe): Promise<Measured> {
  const samples = await sample(reference, { count: repeats }, async () => {
    const { faults } = await checkLedger(db);
    if (faults.length > 0) throw new Error(`The books have faults: ${faults[0]}`);
  });
  return { group: "work", name: "a check of the whole ledger", unit: "ms", allowed: "proportion", samples };
}

function fail(facts: object, what: string): never {
  throw new Error(`${what}: ${JSON.stringify(facts)}`);
}
