import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { countReads } from "@farthing/db/testing/count-reads.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { sagaKeys } from "../gift-cards/saga-table.testing.ts";
import { openShop } from "../gift-cards/shop.testing.ts";
import { findListPage } from "../lists/find-list-page.server.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertVerifiedMember } from "../testing/insert-member.testing.ts";
import { memberList, type ListedMember, type MemberFilters } from "./list-members.server.ts";

const { db, pool } = await testDatabase();
const MEMBERS = 3_000;
const state = { sort: "joined", isDescending: true, after: null, before: null, size: 50 } as const;

/** Members of whom each has a number in their address; a few others; and the statistics of that. */
beforeAll(async () => {
  const { id: brandId } = await insertBrand(db);
  await pool.query(
    `insert into members (id, brand_id, email, name, email_verified)
     select gen_random_uuid(), $1, 'person.' || n || '@mail.example', 'Person ' || n, true from generate_series(1, $2::int) n`,
    [brandId, MEMBERS],
  );
  for (const [email, name] of [
    ["zq@mail.example", "Ben"],
    ["azq@mail.example", "Cal"],
    ["anna.zq@mail.example", "Dee"],
    ["eva@zq.example", "Zqadi Eva"],
    ["fay@elsewhere.example", "Fay"],
  ] as const)
    await insertVerifiedMember(db, { brandId, email, name });
  await pool.query("update members set closed_at = now() where name in ('Ben', 'Fay')");
  await pool.query("vacuum analyze members, member_emails");
});

const list = (filters: MemberFilters) => findListPage<ListedMember, "joined" | "name">(db, memberList(filters), state);
const names = async (filters: MemberFilters) => (await list(filters)).rows.map(({ name }) => name).toSorted();
const read = async (filters: MemberFilters) =>
  (await countReads(db, (trx) => findListPage(trx, memberList(filters), state))).rows;

describe("A3 members by their address", () => {
  test("A3 a whole address finds whose it is; a part of one finds everybody who has it in theirs", async () => {
    expect(await names({ q: "zq@mail.example" })).toEqual(["Ben"]);
    expect(await names({ q: " ZQ@Mail.Example " })).toEqual(["Ben"]);
    expect(await names({ q: "q@mail.example" })).toEqual(["Ben", "Cal", "Dee"]);
    expect(await names({ q: "anna.z" })).toEqual(["Dee"]);
    expect(await names({ q: "@zq.example" })).toEqual(["Zqadi Eva"]);
    expect(await names({ q: "elsewhere" })).toEqual(["Fay"]);
    expect(await names({ q: "person.17@mail.example" })).toEqual(["Person 17"]);
    expect(await names({ q: "person_17@mail.example" })).toEqual([]);
  });

  test("A3 a name is found by its words in any order, and a number with or without its spaces and dashes", async () => {
    expect(await names({ q: "eva zqa" })).toEqual(["Zqadi Eva"]);
    expect(await names({ q: "  Zqadi - eva " })).toEqual(["Zqadi Eva"]);
    expect(await names({ q: "eva person" })).toEqual([]);
    const { rows } = await sql<{
      number: string;
    }>`select member_number as number from members where name = 'Dee'`.execute(db);
    const number = rows[0]!.number;
    for (const typed of [
      number,
      number.toLowerCase(),
      ` ${number.replaceAll(/(.{4})/g, "$1 ")}`,
      number.replaceAll(/(.{4})/g, "$1-"),
    ])
      expect(await names({ q: typed }), typed).toEqual(["Dee"]);
  });

  test("A3 one or two letters find the addresses that begin with them, and the names", async () => {
    expect(await names({ q: "zq" })).toEqual(["Ben", "Zqadi Eva"]);
    expect(await names({ q: "%" })).toEqual([]);
    expect(await names({ q: "@" })).toEqual([]);
    expect(await names({ q: "f" })).toEqual(["Fay"]);
  });

  test("A3 a whole address and two letters are looked up without the index of parts, which reads more the more members there are", async () => {
    /** How often the search asks that index. */
    const asked = (q: string) =>
      db.transaction().execute(async (trx) => {
        await sql`set local enable_seqscan = off`.execute(trx); // the planner takes indexes, as it does at a club's size
        const scans = async () => {
          const { rows } = await sql<{ scans: number }>`
            select pg_stat_get_xact_numscans('member_emails_trigrams'::regclass)::int as scans`.execute(trx);
          return rows[0]!.scans;
        };
        const before = await scans();
        await findListPage(trx, memberList({ q }), state);
        return (await scans()) - before;
      });
    expect(await asked("person.17@mail.example")).toBe(0);
    expect(await asked("zq")).toBe(0);
    expect(await asked("person.17@mail")).toBe(1);
    expect(await asked("person.17")).toBe(1);
  });
});

test("A3 a member is found by a card payment of theirs: the id that we gave it, and the card provider's", async () => {
  const fay = await db
    .selectFrom("members")
    .select(["id", "brand_id as brandId"])
    .where("name", "=", "Fay")
    .executeTakeFirstOrThrow();
  const shop = await openShop(db, sagaKeys);
  await shop.buy([["fixed", 2500]], { member: fay });
  await shop.buy([["fixed", 2500]]); // a visitor's
  const payments = await db.selectFrom("payments").select(["public_id", "provider_payment_id"]).execute();
  const found = await Promise.all(
    payments.flatMap((payment) => [names({ q: payment.public_id }), names({ q: payment.provider_payment_id ?? "" })]),
  );
  expect(found.map((list) => list.join()).toSorted()).toEqual(["", "", "Fay", "Fay"]);
});

test("A3 members who left are listed without reading the others", async () => {
  expect(await names({ state: "closed" })).toEqual(["Ben", "Fay"]);
  expect(await read({ state: "closed" })).toBeLessThan(30);
});
