import { newId } from "@farthing/db/uuid.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { readFileSync } from "node:fs";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { makeClick, makeClub, reportedSale } from "../cashback/cashback.testing.ts";
import { recordReportedTransaction } from "../cashback/operations.server.ts";
import { insertVerifiedMember } from "../testing/insert-member.testing.ts";
import { queueMail } from "../mails/operations.server.ts";
import { submitProof } from "../verification-requests/submit-proof.server.ts";
import { receivedFile } from "../verification-requests/verification.testing.ts";
import { openArchive } from "./archive.testing.ts";
import { countExport, exportArchive, type ExportOwner } from "./export-archive.server.ts";
import { EXPORT_FILES } from "./export-files.ts";
import { EXPORTS_PER_DAY, PERSONAL_TABLES } from "./rules.ts";

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

test("M5 tables outside the archive and tables that are kept state a reason, and every named file exists", () => {
  const names = EXPORT_FILES.map(({ name }) => name);
  for (const [table, { files, because, onClosing, why }] of Object.entries(PERSONAL_TABLES)) {
    expect(files.length > 0 || because !== undefined, table).toBe(true);
    expect(onClosing === "erase" || why !== undefined, table).toBe(true);
    for (const file of files) expect(names, table).toContain(file);
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

test("M5 archives are counted, also under concurrent requests", async () => {
  const club = await makeClub(db, { networkSlug: "counted" });
  const count = (at = now) => countExport(db, { brandId: club.brandId, memberId: club.memberId, now: at });
  const tries = await Promise.all(Array.from({ length: EXPORTS_PER_DAY + 3 }, () => count()));
  expect(tries.filter(Boolean)).toHaveLength(EXPORTS_PER_DAY);
  expect(await count(new Date(now.getTime() + 24 * 3_600_000))).toBe(true);
});
