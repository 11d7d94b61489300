import { newId } from "@farthing/db/uuid.ts";
import { plantingIn, type PlantedRow } from "@farthing/db/testing/planted-rows.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { readFileSync } from "node:fs";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { makeClick, makeClub, reportedSale } from "../cashback/cashback.testing.ts";
import { recordReportedTransaction } from "../cashback/operations.server.ts";
import { insertVerifiedMember } from "../testing/insert-member.testing.ts";
import { queueMail } from "../mails/operations.server.ts";
import { applyFailures, stopPayout } from "../payouts/failures.server.ts";
import { requestPayout } from "../payouts/operations.server.ts";
import {
  bankKeys,
  earn,
  giveDetails,
  makeApprovedBatch,
  makePayingClub,
  method,
  MONDAY,
  payeeKeys,
  WEDNESDAY,
} from "../payouts/payouts.testing.ts";
import { submitProof } from "../verification-requests/submit-proof.server.ts";
import { receivedFile } from "../verification-requests/verification.testing.ts";
import { RETENTION } from "../retention/rules.ts";
import { openArchive } from "./archive.testing.ts";
import { erasePersonalData } from "./erase-member.server.ts";
import { countExport, exportArchive, type ExportOwner } from "./export-archive.server.ts";
import { EXPORT_FILES } from "./export-files.ts";
import { EXPORTS_PER_DAY, LINKED_TABLES, OTHERS_NAMED, PERSONAL_TABLES } from "./rules.ts";

const { db } = await testDatabase();
const now = new Date("2026-11-20T10:00:00Z");

async function archiveOf(owner: ExportOwner): Promise<Record<string, string>> {
  const parts: Uint8Array[] = [];
  for await (const part of exportArchive(db, owner)) parts.push(part);
  return openArchive(Buffer.concat(parts));
}

test("M5 every table that refers to a member states what happens to its rows, in code and in the privacy document", async () => {
  const { rows } = await sql<{ name: string }>`
    select distinct table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'member_id' order by 1`.execute(db);
  expect(Object.keys(PERSONAL_TABLES).sort()).toEqual(rows.map(({ name }) => name));
  const document = readFileSync(new URL("../../../docs/operations/privacy.md", import.meta.url), "utf8");
  for (const { name } of rows) expect(document, `docs/operations/privacy.md on ${name}`).toContain(`\`${name}\``);
});

interface ForeignKey {
  table: string;
  of: string;
  column: string;
  target: string;
  onDelete: string;
}

const foreignKeys = async () =>
  (
    await sql<ForeignKey>`
      select conrelid::regclass::text as "table", confrelid::regclass::text as "of", column_of.attname as "column", target.attname as target,
        confdeltype::text as "onDelete"
      from pg_constraint key join pg_attribute column_of on column_of.attrelid = conrelid and column_of.attnum = conkey[1]
        join pg_attribute target on target.attrelid = confrelid and target.attnum = confkey[1]
      where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0`.execute(db)
  ).rows;

/** The ledger's entries have no foreign keys (0013), so nothing finds them. */
const WITHOUT_KEYS = ["ledger_entries", "ledger_transfers"];

test("M5 every table that refers to a member by another column, or through other tables however many, states what happens to its rows", async () => {
  const keys = await foreignKeys();
  const reached = new Set(["members"]);
  for (let before = 0; before !== reached.size;) {
    before = reached.size;
    for (const { table, of } of keys) if (reached.has(of)) reached.add(table);
  }
  for (const table of ["members", ...Object.keys(PERSONAL_TABLES)]) reached.delete(table);
  expect(Object.keys(LINKED_TABLES).toSorted()).toEqual([...reached, ...WITHOUT_KEYS].toSorted());
});

test("M5 rows of other tables that are said to be erased go with rows that are", async () => {
  const keys = await foreignKeys();
  const isErased = (table: string) => (PERSONAL_TABLES[table] ?? LINKED_TABLES[table])?.onClosing === "erase";
  for (const [table, { onClosing }] of Object.entries(LINKED_TABLES))
    if (onClosing === "erase")
      expect(
        keys.filter((key) => key.table === table && key.onDelete === "c" && isErased(key.of)),
        table,
      ).not.toEqual([]);
});

test("M5 columns that may name a person without saying which member state whose they are", async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and column_name ~ ${MAY_NAME.source} and data_type not in ('boolean', 'integer')
      and table_name not like 'telemetry_events_%' and table_name not like 'schema_%' order by 1`.execute(db);
  const unsaid = rows
    .map(({ name }) => name)
    .filter((name) => {
      const table = name.split(".")[0] ?? "";
      const isSetting = RETENTION[table]?.ends.every(({ when }) => when === "replaced");
      return !isSetting && !(table in PERSONAL_TABLES) && !(table in LINKED_TABLES) && table !== "members";
    });
  expect(Object.keys(OTHERS_NAMED).toSorted()).toEqual(unsaid);
});

const MAY_NAME =
  /email|mailbox|recipient|(^|_)name$|ip_address|user_agent|phone|postal|postcode|birth|payee|customer|browser|user_id|session_id|visitor|answers|raw$|_by$|actor|member|person/;

test("M5 tables outside the archive and tables that are kept state a reason, and the named files read the table", () => {
  const files = new Map(EXPORT_FILES.map((file) => [file.name, file.sql]));
  for (const [table, stated] of Object.entries({ ...PERSONAL_TABLES, ...LINKED_TABLES })) {
    const { because, onClosing, why } = stated;
    expect(stated.files.length > 0 || because !== undefined, table).toBe(true);
    expect(onClosing === "erase" || why !== undefined, table).toBe(true);
    for (const file of stated.files)
      expect(files.get(file), `${file} on ${table}`).toMatch(new RegExp(`\\b${table}\\b`));
  }
});

test("M5 the archive has the member's rows as JSON, CSV and an index, and no others'", async () => {
  const club = await makeClub(db, { networkSlug: "export" });
  const other = {
    ...club,
    memberId: (await insertVerifiedMember(db, { brandId: club.brandId, email: "sentinel@other.example" })).id,
  };
  await db
    .updateTable("members")
    .set({ name: "Sentinel Stranger", stated_member_id: "SENTINEL" })
    .where("id", "=", other.memberId)
    .execute();
  await db.updateTable("members").set({ name: "=Ada, “Countess”" }).where("id", "=", club.memberId).execute();
  for (const [one, order] of [
    [club, "MY-ORDER"],
    [other, "SENTINEL-ORDER"],
  ] as const) {
    const reported = reportedSale(one, await makeClick(db, one), { orderReference: order });
    await recordReportedTransaction(db, { networkId: club.networkId, reported, now });
    const to = one === club ? "me@own.example" : "sentinel@other.example";
    await queueMail(db, {
      brandId: club.brandId,
      memberId: one.memberId,
      to,
      mail: { kind: "already-registered" },
      now,
    });
    await db
      .insertInto("member_sessions")
      .values({
        id: newId(),
        brand_id: club.brandId,
        member_id: one.memberId,
        token: `${order}-TOKEN`,
        user_agent: `${order} browser`,
        expires_at: now,
      })
      .execute();
    await db
      .insertInto("detail_changes")
      .values({
        id: newId(),
        brand_id: club.brandId,
        member_id: one.memberId,
        field: "name",
        from_text: order,
        to_text: "x",
        changed_at: now,
      })
      .execute();
    await db
      .insertInto("favourite_retailers")
      .values({ member_id: one.memberId, retailer_id: club.shop.retailerId, created_at: now })
      .execute();
  }
  const owner = {
    brand: { id: club.brandId, name: "Club" },
    memberId: club.memberId,
    memberName: "Ada <b>",
    attachmentKey: "ab".repeat(32),
    now,
  };
  const files = await archiveOf(owner);
  const all = Object.values(files).join("\n");
  expect(all).not.toMatch(/sentinel/i);
  expect(all).not.toContain(other.memberId);
  expect(all, "no secrets").not.toMatch(/MY-ORDER-TOKEN|token_hash|argon2/);
  expect(JSON.parse(files["json/cashback.json"] ?? "")).toMatchObject([
    { order_reference: "MY-ORDER", state: "tracked" },
  ]);
  expect(JSON.parse(files["json/ledger.json"] ?? "")).toMatchObject([{ account: "member_tracked", amount_pence: 600 }]);
  expect(files["csv/sessions.csv"]).toContain("MY-ORDER browser");
  expect(files["csv/profile.csv"], "no cell begins a formula").toContain("'=Ada");
  expect(files["index.html"]).toContain("Ada &lt;b&gt;");
  for (const { name } of EXPORT_FILES) {
    expect(Array.isArray(JSON.parse(files[`json/${name}.json`] ?? "")), name).toBe(true);
    expect(files, name).toHaveProperty([`csv/${name}.csv`]);
  }
  const elsewhere = await archiveOf({ ...owner, brand: { id: newId(), name: "Another" } });
  expect(JSON.parse(elsewhere["json/profile.json"] ?? ""), "a query for another brand finds no one").toEqual([]);
});

test("M5 P3 the archive includes files that were encrypted with an earlier secret", async () => {
  const club = await makeClub(db, { networkSlug: "rotated" });
  const { brandId, memberId } = club;
  await db.updateTable("members").set({ verification: "unverified" }).where("id", "=", memberId).execute();
  const file = receivedFile(Buffer.from("my payslip"));
  const [old, present] = ["ab".repeat(32), "cd".repeat(32)];
  const sent = await submitProof(db, { brandId, memberId, proofKind: null, file, key: old, now });
  expect(sent.outcome).toBe("submitted");
  const owner = { brand: { id: brandId, name: "Club" }, memberId, memberName: "Ada", attachmentKey: present, now };
  const files = await archiveOf({ ...owner, attachmentOldKeys: [old] });
  expect(Object.values(files)).toContain("my payslip");
});

test("M5 the archive has what the bank said of a payout, not what the club wrote of one that it stopped", async () => {
  const club = await makePayingClub(db, { networkSlug: "stopped" });
  const { brandId, memberId } = club;
  await earn(db, club);
  await giveDetails(db, club);
  const ask = async (at: Date) => {
    const asked = await requestPayout(db, { ...club, sessionId: null, now: at });
    return asked.outcome === "requested" ? asked.publicId : "";
  };
  const by = "ada@club.example";
  await stopPayout(db, { publicId: await ask(MONDAY), reason: "operator", by, now: MONDAY });
  const publicId = await ask(new Date(MONDAY.getTime() + 1));
  await makeApprovedBatch(db, { method, bankKeys, payeeKeys, by, now: MONDAY });
  const { bank_reference: reference } = await db
    .selectFrom("payouts")
    .select("bank_reference")
    .where("public_id", "=", publicId)
    .executeTakeFirstOrThrow();
  const said = "B, account closed";
  const failure = { reference, amountPence: 600, reason: "account_closed", said } as const;
  await applyFailures(db, { failures: [failure], now: WEDNESDAY });
  const owner = { brand: { id: brandId, name: "Club" }, memberId, memberName: "Ada", attachmentKey: "ab".repeat(32) };
  const files = await archiveOf({ ...owner, now: WEDNESDAY });
  expect(Object.values(files).join("\n")).not.toContain(by);
  expect(JSON.parse(files["json/payouts.json"] ?? "")).toMatchObject([
    { reason: "operator", bank_said: null },
    { reason: "account_closed", bank_said: said },
  ]);
});

test("M5 archives are counted, also under concurrent requests", async () => {
  const club = await makeClub(db, { networkSlug: "counted" });
  const count = (at = now) => countExport(db, { brandId: club.brandId, memberId: club.memberId, now: at });
  const tries = await Promise.all(Array.from({ length: EXPORTS_PER_DAY + 3 }, () => count()));
  expect(tries.filter(Boolean)).toHaveLength(EXPORTS_PER_DAY);
  expect(await count(new Date(now.getTime() + 24 * 3_600_000))).toBe(true);
});

/** What stays of a member who left: numbers and times, and what the books refer to. */
const STAYS = ["id", "brand_id", "member_number", "created_at", "device_generation", "gift_cards_from"];

test("M5 closing an account erases a row of every table that says so, with what belongs to it, and every column that may name the person", async () => {
  const { plant, find } = await plantingIn(db);
  const club = await makeClub(db, { networkSlug: "erased" });
  const { brandId } = club;
  const keys = await foreignKeys();
  const erased = Object.keys(PERSONAL_TABLES).filter((table) => PERSONAL_TABLES[table]?.onClosing === "erase");
  const linked = Object.keys(LINKED_TABLES).filter((table) => LINKED_TABLES[table]?.onClosing === "erase");
  async function plantAll() {
    const member = await plant(
      "members",
      {
        brand_id: brandId,
        email_verified: true,
        image: "face.png",
        verification: "verified",
        additional_fields: { school: "Quill" },
      },
      now,
    );
    const memberId = String(member["id"]);
    const rows: Record<string, PlantedRow> = {};
    for (const table of erased) rows[table] = await plant(table, { member_id: memberId, ...inBrand(table) }, now);
    for (let left = linked; left.length > 0;) {
      const next = left.filter((table) =>
        keys.some((key) => key.table === table && key.onDelete === "c" && key.of in rows),
      );
      expect(next, "each is part of something").not.toEqual([]);
      for (const table of next) {
        const key = keys.find((one) => one.table === table && one.onDelete === "c" && one.of in rows)!;
        rows[table] = await plant(table, { [key.column]: rows[key.of]?.[key.target] }, now);
      }
      left = left.filter((table) => !next.includes(table));
    }
    return { member, memberId, rows };
  }
  const columns = await sql<{ table: string }>`
    select table_name as "table" from information_schema.columns where table_schema = 'public' and column_name = 'brand_id'`.execute(
    db,
  );
  const branded = new Set(columns.rows.map(({ table }) => table));
  const inBrand = (table: string) => (branded.has(table) ? { brand_id: brandId } : {});

  const [leaver, other] = [await plantAll(), await plantAll()];
  await db
    .transaction()
    .execute((trx) => erasePersonalData(trx, { memberId: leaver.memberId, now: new Date(now.getTime() + 1) }));
  for (const [table, row] of Object.entries(leaver.rows)) expect(await find(table, row), table).toBeUndefined();
  for (const [table, row] of Object.entries(other.rows)) expect(await find(table, row), table).toBeDefined();
  const left = await find("members", leaver.member);
  const unchanged = Object.keys(leaver.member).filter(
    (name) => JSON.stringify(left?.[name]) === JSON.stringify(leaver.member[name]),
  );
  expect(unchanged.toSorted()).toEqual(STAYS.toSorted());
});
