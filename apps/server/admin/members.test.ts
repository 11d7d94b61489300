import { insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import { NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertSignedInMember } from "@farthing/core/testing/insert-signed-in-member.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";

const { db } = await testDatabase();
loadAdmin();

const admin = openTestAdmin(db);
afterEach(() => expect(admin.errors).toEqual([]));

const brand = await insertBrand(db);
const entries = () => db.selectFrom("audit_entries").selectAll().orderBy("seq").execute();

describe("A3 the list of members", () => {
  test("A3 chosen members are suspended after a question, with a reason, each with an entry in the log", async () => {
    const operator = await insertOperator(db, { role: "support" });
    const members = [
      await insertSignedInMember(db, { brandId: brand.id }),
      await insertSignedInMember(db, { brandId: brand.id }),
    ];
    const ids = members.map(({ id }) => id);
    const asked = await (await admin.post("/admin/members", operator, { act: "suspend", ids })).text();
    expect(asked).toContain("Suspend these 2 members?");
    expect(await entries()).toEqual([]);

    const withoutWhy = await admin.post("/admin/members", operator, {
      act: "suspend",
      ids,
      confirmed: "yes",
      why: " ",
    });
    expect(withoutWhy.status).toBe(422);
    expect(await entries()).toEqual([]);

    const done = await admin.post("/admin/members", operator, {
      act: "suspend",
      ids,
      confirmed: "yes",
      why: "chargebacks",
    });
    expect(await done.text()).toContain("2 suspended");
    const suspended = await db.selectFrom("members").select("suspended_at").where("id", "in", ids).execute();
    expect(suspended).toEqual([{ suspended_at: NOW }, { suspended_at: NOW }]);
    const written = await entries();
    expect(written.map(({ subject_id }) => subject_id).sort()).toEqual([...ids].sort());
    for (const entry of written) {
      expect(entry).toMatchObject({
        actor: operator.email,
        action: "member.suspend",
        why: "chargebacks",
        request_id: "test",
      });
      expect(entry.before).toMatchObject({ suspended_at: null, sessions: 1 });
      expect(entry.after).toMatchObject({ sessions: 0 });
    }
  });
});

test("A3 the timeline's pages lose and repeat nothing of one moment", async () => {
  const operator = await insertOperator(db, { role: "support" });
  const { id } = await insertSignedInMember(db, { brandId: brand.id });
  const [note, mail] = [(n: number) => `note ${n} of them`, (n: number) => `mail ${n} of them`];
  // Microseconds are lost in JavaScript's dates.
  const moment = sql<Date>`${NOW}::timestamptz - interval '1 day 7 microseconds'`;
  const numbers = Array.from({ length: 70 }, (_, n) => n);
  await db
    .insertInto("member_notes")
    .values(
      numbers.map((n) => ({
        ...{ id: newId(), brand_id: brand.id, member_id: id, text: note(n), written_by: "ada", created_at: moment },
      })),
    )
    .execute();
  await db
    .insertInto("mails")
    .values(
      numbers.map((n) => ({
        ...{ id: newId(), brand_id: brand.id, member_id: id, kind: "welcome", recipient: "a@b.example" },
        ...{ subject: mail(n), state: "sent", created_at: moment, settled_at: NOW },
      })),
    )
    .execute();
  for (const [kind, wanted] of [
    ["", [...numbers.map(note), ...numbers.map(mail)]],
    ["mail", numbers.map(mail)],
  ] as const) {
    const read: string[] = [];
    let path = `/admin/members/${id}?kind=${kind}`;
    for (let pages = 0; path && pages < 9; pages += 1) {
      const html = await (await admin.get(path, operator)).text();
      const timeline = html.slice(html.indexOf('id="timeline"')).replace(/<\/section>.*/s, "");
      read.push(...(timeline.match(/(?:note|mail) \d+ of them/g) ?? []));
      path = (/href="([^"]*)">Older</.exec(timeline)?.[1] ?? "").replaceAll("&amp;", "&");
    }
    expect(new Set(read)).toEqual(new Set(wanted));
    expect(read).toHaveLength(wanted.length);
  }
  expect((await admin.get(`/admin/members/${id}?before=2026-07-20T10:00:00.000Z`, operator)).status).toBe(200);
});

test("A3 a closed account is not suspended: it could not be restored", async () => {
  const operator = await insertOperator(db, { role: "support" });
  const [open, closed] = [
    await insertSignedInMember(db, { brandId: brand.id }),
    await insertSignedInMember(db, { brandId: brand.id }),
  ];
  await db.updateTable("members").set({ closed_at: NOW }).where("id", "=", closed.id).execute();
  const form = { act: "suspend", ids: [open.id, closed.id], confirmed: "yes", why: "chargebacks" };
  const done = await (await admin.post("/admin/members", operator, form)).text();
  expect(done).toContain("1 suspended");
  expect(done).toContain("1 were suspended or closed already");
  const rows = await db
    .selectFrom("members")
    .select(["id", "suspended_at"])
    .where("id", "in", [open.id, closed.id])
    .execute();
  expect(new Map(rows.map((row) => [row.id, row.suspended_at]))).toEqual(
    new Map([
      [open.id, NOW],
      [closed.id, null],
    ]),
  );
  expect((await entries()).filter(({ subject_id }) => subject_id === closed.id)).toEqual([]);
});

test("A3 a membership that was accepted by mistake is ended after a question, with a reason, by whoever may decide on proofs", async () => {
  const { id } = await insertSignedInMember(db, { brandId: brand.id });
  const standing = async () =>
    (await db.selectFrom("members").select("verification").where("id", "=", id).executeTakeFirstOrThrow()).verification;
  await db.updateTable("members").set({ verification: "verified" }).where("id", "=", id).execute();
  const path = `/admin/members/${id}`;
  const [support, finance] = [
    await insertOperator(db, { role: "support" }),
    await insertOperator(db, { role: "finance" }),
  ];
  const ending = { act: "end-membership", confirmed: "yes", why: "the wrong card" };
  expect(await (await admin.get(path, support)).text()).toContain("End membership");
  expect((await admin.post(path, finance, ending)).status).toBe(403);
  expect(await (await admin.post(path, support, { act: "end-membership" })).text()).toContain("End this membership?");
  expect(await standing()).toBe("verified");
  expect((await admin.post(path, support, ending)).status).toBe(303);
  expect(await standing()).toBe("lapsed");
  expect((await entries()).at(-1)).toMatchObject({ action: "member.end-membership", why: "the wrong card" });
  expect(await (await admin.get(path, support)).text()).not.toContain("End membership");
});
