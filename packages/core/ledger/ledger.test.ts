import { newId } from "@farthing/db/uuid.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { checkLedger } from "./check.server.ts";
import { foldEverything } from "./ledger.testing.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertVerifiedMember } from "../testing/insert-member.testing.ts";
import { insertNetwork } from "../testing/insert-network.testing.ts";
import { accountId, postTransfer, TransferConflictError } from "./operations.server.ts";
import { findBalance, findMemberBalances } from "./balances.server.ts";
import { balancedLegs, type AccountRef, type Leg, type NewTransfer } from "./rules.ts";
import { foldTotals, rebuildTotals } from "./totals.server.ts";

const { db, pool } = await testDatabase();
let brandId: string;
let networkId: string;
beforeAll(async () => {
  brandId = (await insertBrand(db)).id;
  networkId = (await insertNetwork(db, { slug: "awin" })).id;
});

const earned: AccountRef = { kind: "club_earned" };
const tracked = (memberId: string): AccountRef => ({ kind: "member_tracked", memberId });
const legs = (memberId: string, amountPence: number): Leg[] => [
  { account: tracked(memberId), amountPence },
  { account: { kind: "network_expected", networkId }, amountPence: -amountPence },
];
const transfer = (memberId: string, amountPence: number, key: string = newId()): NewTransfer => ({
  key,
  kind: "cashback_tracked",
  legs: legs(memberId, amountPence),
  cause: { kind: "cashback_entry", id: memberId },
  happenedAt: new Date(),
});

describe("C4 what may be posted", () => {
  test("C4 a transfer that does not balance is refused before it reaches the database", async () => {
    const memberId = (await insertVerifiedMember(db, { brandId })).id;
    const lopsided = {
      ...transfer(memberId, 5),
      legs: [
        { account: tracked(memberId), amountPence: 5 },
        { account: earned, amountPence: -4 },
      ],
    };
    await expect(postTransfer(db, lopsided)).rejects.toThrow(/sum to 1 pence/);
    expect(() => balancedLegs([{ account: earned, amountPence: 0 }])).toThrow(/must move something/);
    expect(await findBalance(db, { account: tracked(memberId) })).toBe(0);
  });

  test("C4 the database refuses entries that do not balance", async () => {
    const memberId = (await insertVerifiedMember(db, { brandId })).id;
    await postTransfer(db, transfer(memberId, 1));
    await expect(
      insertByHand([
        [tracked(memberId), 5],
        [{ kind: "network_expected", networkId }, -4],
      ]),
    ).rejects.toThrow(/does not balance: its entries sum to 1 pence/);
    await expect(insertByHand([])).rejects.toThrow(/has 0 entries/);
    await expect(
      insertByHand([
        [tracked(newId()), 5],
        [{ kind: "network_expected", networkId }, -5],
      ]),
    ).rejects.toThrow(/does not exist/);
  });

  test("C4 no entry can be added to a posted transfer, balanced or not", async () => {
    const memberId = (await insertVerifiedMember(db, { brandId })).id;
    const other = (await insertVerifiedMember(db, { brandId })).id;
    await postTransfer(db, transfer(other, 1));
    const { transferId } = await postTransfer(db, transfer(memberId, 1));
    const add = db.transaction().execute(async (trx) => {
      await trx
        .insertInto("ledger_entries")
        .values([
          { transfer_id: transferId, account_id: accountId(tracked(other)), amount_pence: 7 },
          { transfer_id: transferId, account_id: accountId(earned), amount_pence: -7 },
        ])
        .execute();
    });
    await expect(add).rejects.toThrow(/is closed/);
  });

  test.each(["ledger_accounts", "ledger_transfers", "ledger_entries"])(
    "C4 rows of %s can't be changed, deleted or truncated",
    async (table) => {
      const column =
        table === "ledger_accounts" ? "currency" : table === "ledger_entries" ? "amount_pence" : "transfer_kind";
      await postTransfer(db, transfer((await insertVerifiedMember(db, { brandId })).id, 3));
      await expect(pool.query(`update ${table} set ${column} = ${column}`)).rejects.toThrow(/written once/);
      await expect(pool.query(`delete from ${table}`)).rejects.toThrow(/written once/);
      await expect(pool.query(`truncate ${table} cascade`)).rejects.toThrow(/written once/);
    },
  );

  async function insertByHand(entries: [AccountRef, number][]): Promise<void> {
    await db.transaction().execute(async (trx) => {
      const id = newId();
      await trx
        .insertInto("ledger_transfers")
        .values({
          id,
          transfer_key: id,
          transfer_kind: "by_hand",
          content_hash: Buffer.alloc(32),
          cause_kind: "test",
          cause_id: id,
          happened_at: new Date(),
        })
        .execute();
      if (entries.length === 0) return;
      await trx
        .insertInto("ledger_entries")
        .values(
          entries.map(([account, amount_pence]) => ({ transfer_id: id, account_id: accountId(account), amount_pence })),
        )
        .execute();
    });
  }
});

describe("C4 posting twice", () => {
  test("C4 the same key with the same content changes nothing and returns the first transfer", async () => {
    const memberId = (await insertVerifiedMember(db, { brandId })).id;
    const wanted = transfer(memberId, 250);
    const first = await postTransfer(db, wanted);
    const again = await postTransfer(db, { ...wanted, legs: [...wanted.legs].reverse(), happenedAt: new Date(0) });
    expect(again).toEqual({ transferId: first.transferId, outcome: "already-posted" });
    expect(await findBalance(db, { account: tracked(memberId) })).toBe(250);
  });

  test("C4 the same key with other content throws and moves nothing", async () => {
    const memberId = (await insertVerifiedMember(db, { brandId })).id;
    const wanted = transfer(memberId, 250);
    await postTransfer(db, wanted);
    for (const other of [
      { ...wanted, legs: legs(memberId, 251) },
      { ...wanted, kind: "cashback_amended" as const },
      { ...wanted, cause: { kind: "cashback_entry" as const, id: newId() } },
    ]) {
      await expect(postTransfer(db, other)).rejects.toThrow(TransferConflictError);
    }
    expect(await findBalance(db, { account: tracked(memberId) })).toBe(250);
  });

  test("C4 twenty concurrent transfers with one key post once", async () => {
    const memberId = (await insertVerifiedMember(db, { brandId })).id;
    const wanted = transfer(memberId, 99);
    const results = await Promise.all(Array.from({ length: 20 }, () => postTransfer(db, wanted)));
    expect(results.filter((result) => result.outcome === "posted")).toHaveLength(1);
    expect(new Set(results.map((result) => result.transferId)).size).toBe(1);
    expect(await findBalance(db, { account: tracked(memberId) })).toBe(99);
  });

  test("C4 a transfer that is rolled back leaves no trace, and its key is free", async () => {
    const memberId = (await insertVerifiedMember(db, { brandId })).id;
    const wanted = transfer(memberId, 10);
    await expect(
      db.transaction().execute(async (trx) => {
        await postTransfer(trx, wanted);
        throw new Error("changed my mind");
      }),
    ).rejects.toThrow("changed my mind");
    expect(await findBalance(db, { account: tracked(memberId) })).toBe(0);
    expect((await postTransfer(db, wanted)).outcome).toBe("posted");
  });
});

describe("C4 totals", () => {
  test("C4 an entry that is uncommitted during a fold is counted exactly once after its commit", async () => {
    const [early, late] = [
      (await insertVerifiedMember(db, { brandId })).id,
      (await insertVerifiedMember(db, { brandId })).id,
    ];
    const client = await pool.connect();
    try {
      await client.query("begin");
      await client.query("select pg_current_xact_id()"); // an older transaction than the ones folded below
      await postTransfer(db, transfer(early, 100));
      await foldTotals(db);
      await client.query(
        "insert into ledger_accounts (id, account_kind, member_id) values ($1, 'member_tracked', $2)",
        [accountId(tracked(late)), late],
      );
      await client.query(
        "insert into ledger_transfers (id, transfer_key, transfer_kind, content_hash, cause_kind, cause_id, happened_at) values ($1, 'late', 'late', $2, 'test', $1, now())",
        [late, Buffer.alloc(32)],
      );
      await client.query(
        "insert into ledger_entries (transfer_id, account_id, amount_pence) values ($1, $2, 40), ($1, $3, -40)",
        [late, accountId(tracked(late)), accountId({ kind: "network_expected", networkId })],
      );
      await foldTotals(db);
      expect(await findBalance(db, { account: tracked(early) })).toBe(100);
      await client.query("commit");
    } finally {
      client.release();
    }
    expect(await findBalance(db, { account: tracked(late) })).toBe(40);
    await foldTotals(db);
    expect({
      early: await findBalance(db, { account: tracked(early) }),
      late: await findBalance(db, { account: tracked(late) }),
    }).toEqual({ early: 100, late: 40 });
    expect(await checkLedger(db)).toMatchObject({ faults: [] });
  });

  test("C4 concurrent folds do not change balances", async () => {
    const memberId = (await insertVerifiedMember(db, { brandId })).id;
    await Promise.all([
      ...Array.from({ length: 60 }, (_, i) => postTransfer(db, transfer(memberId, i + 1))),
      ...Array.from({ length: 6 }, () => foldTotals(db)),
    ]);
    expect((await findMemberBalances(db, { memberId })).member_tracked).toBe((60 * 61) / 2);
    await foldTotals(db);
    expect((await findMemberBalances(db, { memberId })).member_tracked).toBe((60 * 61) / 2);
    expect((await checkLedger(db)).faults).toEqual([]);
  });

  test("C4 the check finds a tampered total, and a rebuild corrects it", async () => {
    const memberId = (await insertVerifiedMember(db, { brandId })).id;
    await postTransfer(db, transfer(memberId, 500));
    await foldEverything(db);
    await db
      .updateTable("ledger_totals")
      .set({ total_pence: 501 })
      .where("account_id", "=", accountId(tracked(memberId)))
      .execute();
    expect((await checkLedger(db)).faults).toEqual([
      `Account ${accountId(tracked(memberId))}: the total says 501 pence, its entries sum to 500.`,
    ]);
    await rebuildTotals(db);
    expect((await checkLedger(db)).faults).toEqual([]);
    expect(await findBalance(db, { account: tracked(memberId) })).toBe(500);
  });

  test("R1 after a restore into a new cluster posting is refused until the totals are rebuilt", async () => {
    const memberId = (await insertVerifiedMember(db, { brandId })).id;
    await postTransfer(db, transfer(memberId, 70));
    await sql`update ledger_watermark set folded_below = '9000000000'`.execute(db);
    await expect(postTransfer(db, transfer(memberId, 5))).rejects.toThrow(/run the ledger check with --rebuild/);
    expect((await checkLedger(db)).faults).toEqual([expect.stringContaining("--rebuild")]);
    await rebuildTotals(db);
    await postTransfer(db, transfer(memberId, 5));
    expect(await findBalance(db, { account: tracked(memberId) })).toBe(75);
    expect((await checkLedger(db)).faults).toEqual([]);
  });
});
