import { fieldIn, insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import { importTexts, programme, recordsFile } from "@farthing/core/catalogue-imports/catalogue-files.testing.ts";
import { lockImports } from "@farthing/core/catalogue-imports/import-lock.server.ts";
import { seedNetworks } from "@farthing/core/catalogue-imports/seed-networks.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { afterEach, describe, expect, test } from "vitest";

const { db } = await testDatabase();
loadAdmin();
const admin = openTestAdmin(db);
afterEach(() => expect(admin.errors).toEqual([]));

const finance = await insertOperator(db, { role: "finance" });
const other = await insertOperator(db, { role: "finance" });
await seedNetworks(db);
await importTexts(db, {
  programmes: recordsFile(
    programme(1, { name: "Boots" }),
    programme(2, {
      name: "Trees",
      commissionGroups: [{ groupId: "20", label: "Each", kind: "fixed", amountMinor: 2_599, currency: "GBP" }],
    }),
    programme(3, { commissionGroups: [{ groupId: "30", label: "None", kind: "percent", rateBp: 0 }] }),
  ),
});
const PATH = "/admin/networks/awin";
const shareOf = async () =>
  (await db.selectFrom("networks").select("member_share_bp").where("slug", "=", "awin").executeTakeFirstOrThrow())
    .member_share_bp;
const rates = async () =>
  (
    await db
      .selectFrom("rate_tiers")
      .select(["member_rate_bp", "member_rate_pence"])
      .orderBy("network_group_id")
      .execute()
  ).map((tier) => tier.member_rate_bp ?? tier.member_rate_pence);
const versionOf = async () => fieldIn(await (await admin.get(PATH, finance)).text(), "version");
const ask = async (form: Record<string, string>, operator = finance) => {
  const answer = await admin.post(PATH, operator, { version: await versionOf(), ...form });
  return {
    status: answer.status,
    page: await answer.text(),
    to: answer.headers.get("location"),
  };
};
const confirmed = { confirmed: "yes", why: "The contract of 2027" };
const entries = () =>
  db.selectFrom("audit_entries").selectAll().where("subject_type", "=", "network").orderBy("seq").execute();

describe("C5 A2 the member's share of a network in the admin", () => {
  test("C5 A2 the question says which rates rise and fall, with examples, and saving sets them, with a reason in the log", async () => {
    const page = await (await admin.get("/admin/networks", finance)).text();
    expect(page).toContain(`href="${PATH}"`);
    const question = await ask({ share: "70" });
    expect(question.status).toBe(200);
    for (const words of [
      "from 80% to 70%",
      "0 rates rise, 2 fall, 1 stays as it is",
      "Boots: 6% becomes 5.25%",
      "Trees: £20.79 becomes £18.19",
      "Clicks made before keep the rate",
    ])
      expect(question.page).toContain(words);
    expect([await shareOf(), await rates()], "nothing before the question is answered").toEqual([
      8_000,
      [600, 2_079, 0],
    ]);
    expect((await ask({ share: "70", ...confirmed, why: "" })).status, "without a reason").toBe(422);
    const saved = await ask({ share: "70", ...confirmed });
    expect([saved.status, saved.to]).toEqual([303, `${PATH}?saved`]);
    expect([await shareOf(), await rates()]).toEqual([7_000, [525, 1_819, 0]]);
    expect(await entries()).toMatchObject([
      {
        ...{ action: "network.change-share", subject_id: "awin", actor: finance.email, why: "The contract of 2027" },
        ...{ before: { member_share_percent: "80" }, after: { member_share_percent: "70" } },
      },
    ]);
    expect((await ask({ share: "70.00" })).status, "the same share").toBe(409);
  });

  test("C5 A2 a save that comes too late says who changed what, asks again, and loses neither", async () => {
    const version = await versionOf();
    await ask({ share: "71", ...confirmed }, other);
    const stale = await ask({ share: "72.5", version, ...confirmed });
    expect(stale.status).toBe(409);
    for (const words of [other.email, "<td>71</td>", "<td>72.5</td>"]) expect(stale.page).toContain(words);
    expect(stale.page).not.toContain('name="confirmed"');
    expect(await shareOf()).toBe(7_100);
    expect((await admin.post(PATH, finance, { share: "72.5", ...confirmed })).status, "without a version").toBe(409);
  });

  test("C5 A2 while an import runs nothing is saved, and the question stays", async () => {
    await db.transaction().execute(async (trx) => {
      await lockImports(trx);
      const busy = await ask({ share: "60", ...confirmed });
      expect(busy.status).toBe(409);
      expect(busy.page).toContain("An import is running");
      expect(busy.page).toContain('name="confirmed"');
    });
    expect(await shareOf()).toBe(7_100);
    expect((await ask({ share: "60", ...confirmed })).status).toBe(303);
  });

  test("C5 A2 what is typed wrongly is refused in words and not lost; who may not is refused; an unknown network is not found", async () => {
    for (const share of ["0.5", "101", "72.555", "most"]) {
      const { status, page } = await ask({ share, ...confirmed });
      expect(status, share).toBe(422);
      expect(page).toContain("percentage from 1 to 100");
      expect(page).toContain(`value="${share}"`);
    }
    const catalogue = await insertOperator(db, { role: "catalogue" });
    expect((await admin.get(PATH, catalogue)).status).toBe(403);
    expect((await ask({ share: "50", ...confirmed }, catalogue)).status).toBe(403);
    expect(await shareOf()).toBe(6_000);
    expect((await admin.get("/admin/networks/none", finance)).status).toBe(404);
    expect((await admin.post("/admin/networks/none", finance, { share: "50" })).status).toBe(404);
  });
});
