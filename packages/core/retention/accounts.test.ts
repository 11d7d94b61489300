import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { findBrokenEntries } from "../audit/check-chain.server.ts";
import { forgetOldEntries } from "../audit/forget-entries.server.ts";
import { checkBooks } from "../books/check-books.server.ts";
import { makeClick, makeClub, reportedSale } from "../cashback/cashback.testing.ts";
import { recordReportedTransaction } from "../cashback/operations.server.ts";
import { advanceClosures } from "../closures/close-member.server.ts";
import { requestClosure } from "../closures/operations.server.ts";
import { insertVerifiedMember } from "../testing/insert-member.testing.ts";
import { forgetOld, RowsRefusedError } from "./forget-old.server.ts";
import { ACCOUNTS_DAYS, TERMS } from "./rules.ts";

const { db } = await testDatabase();
const now = new Date();
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
const LONG_AGO = daysAgo(ACCOUNTS_DAYS + 30);

const forgetAll = async () => {
  for (const { table, term } of TERMS) await forgetOld(db, { table, term, now });
};

/** A member with a visit that led to nothing and a paid purchase, who left eight days later. */
async function memberOfThePast(networkSlug: string, at: Date) {
  const club = await makeClub(db, { networkSlug });
  const { brandId, memberId, networkId } = club;
  await makeClick(db, club, { createdAt: at });
  const reference = await makeClick(db, club, { createdAt: at });
  const reported = reportedSale(club, reference, {
    orderReference: `ORDER of ${networkSlug}`,
    raw: { orderRef: `ORDER of ${networkSlug}` },
    status: "approved",
    paidToPublisher: true,
    purchasedAt: at,
    clickedAt: at,
    validatedAt: at,
    modifiedAt: at,
    observedAt: at,
  });
  await recordReportedTransaction(db, { networkId, reported, now: at });
  await requestClosure(db, {
    brandId,
    memberId,
    pendingChoice: "give-up",
    payableChoice: "give-up",
    payee: null,
    keys: ["a key"],
    now: at,
  });
  await advanceClosures(db, { now: new Date(at.getTime() + 8 * 86_400_000) });
  const { member_number: memberNumber, closed_at } = await db
    .selectFrom("members")
    .select(["member_number", "closed_at"])
    .where("id", "=", memberId)
    .executeTakeFirstOrThrow();
  expect(closed_at).not.toBeNull();
  return { memberId, reference, memberNumber, order: `ORDER of ${networkSlug}` };
}

/** Returns all rows of the database that mention a text, by table. */
async function tablesWith(text: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`.execute(db);
  const found: string[] = [];
  for (const { name } of rows) {
    const { rows: some } =
      await sql`select from ${sql.table(name)} record where record::text like ${`%${text}%`} limit 1`.execute(db);
    if (some.length > 0) found.push(name);
  }
  return found.toSorted();
}

test("S1 M5 C4 seven years after a member left, nothing leads from papers to their account, and the books still balance", async () => {
  const old = await memberOfThePast("old", LONG_AGO);
  const young = await memberOfThePast("young", daysAgo(ACCOUNTS_DAYS - 30));
  const withOrder = ["network_transaction_revisions", "network_transactions"];
  expect(await tablesWith(old.order)).toEqual(withOrder);
  const booksBefore = await checkBooks(db, { cards: { live: null, test: null } });
  await forgetAll();
  expect(await tablesWith(old.order)).toEqual([]);
  expect(await tablesWith(old.reference)).toEqual([]);
  expect(await tablesWith(old.memberNumber)).toEqual([]);
  expect(await tablesWith(young.order)).toEqual(withOrder);
  expect(await tablesWith(young.memberNumber)).toEqual(["members"]);
  const clicks = (memberId: string) => db.selectFrom("clicks").selectAll().where("member_id", "=", memberId).execute();
  expect(await clicks(old.memberId)).toMatchObject([{ target_url: "https://removed.invalid/", offer_id: null }]);
  expect(await clicks(young.memberId)).toHaveLength(2);
  const books = await checkBooks(db, { cards: { live: null, test: null } });
  expect(books.faults).toEqual([]);
  expect({ ...books, notes: [] }).toEqual({ ...booksBefore, notes: [] });
  expect(books.entries).toBeGreaterThan(0);
});

test("S1 M5 while money of a member who left has moved within seven years, their number stays", async () => {
  const { memberId, memberNumber } = await memberOfThePast("late", LONG_AGO);
  await sql`alter table ledger_transfers disable trigger user`.execute(db);
  await sql`update ledger_transfers set happened_at = ${daysAgo(10)} where id in (
    select transfer_id from ledger_entries join ledger_accounts on ledger_accounts.id = account_id where member_id = ${memberId})`.execute(
    db,
  );
  await sql`alter table ledger_transfers enable trigger user`.execute(db);
  await forgetAll();
  expect(await tablesWith(memberNumber)).toEqual(["members"]);
});

test("C1 S1 the database refuses to change or delete what the accounts need, and to change amounts at any age", async () => {
  const club = await makeClub(db, { networkSlug: "guarded" });
  const references = [];
  for (const days of [0, ACCOUNTS_DAYS]) references.push(await makeClick(db, club, { createdAt: daysAgo(days) }));
  const [young = "", old = ""] = references;
  const change = (reference: string, column: string, value: string) =>
    sql`update clicks set ${sql.ref(column)} = ${value} where reference = ${reference}`.execute(db);
  await expect(change(young, "target_url", "https://other.example/")).rejects.toThrow(/kept for seven years/);
  await expect(sql`delete from clicks where reference = ${young}`.execute(db)).rejects.toThrow(/kept for seven years/);
  await expect(change(old, "rate_snapshot", "{}")).rejects.toThrow(/only what may point to a person/);
  await expect(change(old, "member_id", newId())).rejects.toThrow(/only what may point to a person/);
  await change(old, "target_url", "https://removed.invalid/");
});

test("S1 M5 batches share the work of several workers, and each row goes once", async () => {
  const member = await insertVerifiedMember(db, { brandId: (await makeClub(db, { networkSlug: "crowd" })).brandId });
  const { brand_id } = await db
    .selectFrom("members")
    .select("brand_id")
    .where("id", "=", member.id)
    .executeTakeFirstOrThrow();
  await sql`insert into payout_holds (id, brand_id, member_id, reason, placed_by, placed_at, lifted_by, lifted_at)
    select gen_random_uuid(), ${brand_id}, ${member.id}, 'fraud', 'rules', ${LONG_AGO}, 'rules', ${LONG_AGO} from generate_series(1, 2500)`.execute(
    db,
  );
  const of = TERMS.find(({ table }) => table === "payout_holds")!;
  const done = await Promise.all([1, 2, 3].map(() => forgetOld(db, { ...of, now })));
  expect(done.reduce((sum, rows) => sum + rows, 0)).toBe(2_500);
});

test("S1 M5 a row that the database refuses to forget keeps none of the others, and is named", async () => {
  const { brandId: brand_id, memberId: member_id } = await makeClub(db, { networkSlug: "refusal" });
  await sql`insert into payout_holds (id, brand_id, member_id, reason, placed_by, placed_at, lifted_by, lifted_at)
    select gen_random_uuid(), ${brand_id}, ${member_id}, 'fraud', 'rule ' || n, ${LONG_AGO}, 'rules', ${LONG_AGO} from generate_series(1, 30) n`.execute(
    db,
  );
  await sql`create function refuse_one() returns trigger language plpgsql as $$ begin raise exception 'hold 7 stays'; end $$`.execute(
    db,
  );
  await sql`create trigger refuse_one before delete on payout_holds for each row when (old.placed_by = 'rule 7') execute function refuse_one()`.execute(
    db,
  );
  const of = TERMS.find(({ table }) => table === "payout_holds")!;
  const refusal = await forgetOld(db, { ...of, now }).catch((error: unknown) => error);
  await sql`drop trigger refuse_one on payout_holds`.execute(db);
  expect(refusal).toBeInstanceOf(RowsRefusedError);
  expect(refusal).toMatchObject({ done: 29, message: expect.stringMatching(/^1 rows of payout_holds.+hold 7 stays/) });
  const left = await db.selectFrom("payout_holds").select("placed_by").where("member_id", "=", member_id).execute();
  expect(left).toEqual([{ placed_by: "rule 7" }]);
});

test("A1 S1 the audit log loses its oldest entries after seven years, and what is left is still proved", async () => {
  const write = (at: Date) =>
    sql`insert into audit_entries (id, at, actor, action, subject_type, subject_id)
      values (${newId()}, ${at}, 'command: test', 'brand.change', 'brand', 'one')`.execute(db);
  const seqs = async () =>
    (await sql<{ seq: number }>`select seq from audit_entries order by seq`.execute(db)).rows.map(({ seq }) => seq);
  for (const days of [30, 20, 10]) await write(daysAgo(ACCOUNTS_DAYS + days));
  expect(await forgetOldEntries(db, { now }), "the last one stays: the next one follows it").toBe(2);
  expect(await seqs()).toEqual([3]);
  for (const days of [10, 20]) await write(daysAgo(ACCOUNTS_DAYS - days));
  expect(await forgetOldEntries(db, { now })).toBe(1);
  expect(await seqs()).toEqual([4, 5]);
  expect(await findBrokenEntries(db)).toEqual([]);
  expect(await forgetOldEntries(db, { now })).toBe(0);
  const { rows: rights } = await sql<{ may: boolean }>`
    select exists (select from pg_class, aclexplode(relacl) acl where relname = 'audit_entries' and acl.privilege_type = 'DELETE') as may`.execute(
    db,
  );
  expect(rights).toEqual([{ may: false }]);
  await sql`grant delete on audit_entries to current_user`.execute(db);
  await expect(sql`delete from audit_entries where seq = 4`.execute(db)).rejects.toThrow(/kept for seven years/);
  // Past the guards: the first entry that is kept is missed as well.
  await sql`alter table audit_entries disable trigger user`.execute(db);
  await sql`delete from audit_entries where seq = 4`.execute(db);
  await sql`alter table audit_entries enable trigger user`.execute(db);
  expect(await findBrokenEntries(db)).toEqual([5]);
});
