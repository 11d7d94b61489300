import { fieldIn, insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import { act } from "@farthing/core/audit/act.server.ts";
import { insertRetailer } from "@farthing/core/catalogue/catalogue.testing.ts";
import { mergeRetailers } from "@farthing/core/catalogue/retailers/merge-retailers.server.ts";
import { findMerge } from "@farthing/core/catalogue/retailers/find-merge.server.ts";
import { setClaimRule } from "@farthing/core/claims/claim-rules.server.ts";
import { claim, clickOf, daysAfter, madeClaim, makeClaimClub, OPEN } from "@farthing/core/claims/claims.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { afterEach, describe, expect, test } from "vitest";

const { db } = await testDatabase();
loadAdmin();
const admin = openTestAdmin(db, { now: () => OPEN });
afterEach(() => expect(admin.errors).toEqual([]));
const editor = await insertOperator(db, { role: "catalogue", now: OPEN });
const other = await insertOperator(db, { role: "owner", now: OPEN });
const support = await insertOperator(db, { role: "support", now: OPEN });

const typed = { from: "14", to: "75", evidence: "yes", why: "" };
const pathOf = (slug: string) => `/admin/retailers/${slug}/claims`;
const html = async (path: string, operator = editor) =>
  (await (await admin.get(path, operator)).text()).replaceAll("<!-- -->", "");
/** Posts the form as it was opened, with what is typed. */
const save = async (slug: string, form: Record<string, string> = {}, operator = editor) => {
  const version = fieldIn(await html(pathOf(slug), operator), "version");
  return admin.post(pathOf(slug), operator, { version, ...typed, ...form });
};
const ruleOf = async (slug: string) =>
  await db
    .selectFrom("claim_rules as rule")
    .innerJoin("retailers as shop", "shop.id", "rule.retailer_id")
    .select(["opens_after_days", "closes_after_days", "needs_evidence"])
    .where("shop.slug", "=", slug)
    .executeTakeFirst();
const entriesOf = (slug: string) =>
  db.selectFrom("audit_entries").selectAll().where("subject_id", "=", slug).orderBy("seq").execute();

describe("C7 a retailer's claim rule in the admin", () => {
  test("C7 the page says what holds in words and how much a change concerns; support sees it and can't save", async () => {
    const club = await makeClaimClub(db);
    const slug = club.shop.retailerSlug;
    await clickOf(db, club, daysAfter(-70));
    await clickOf(db, club, daysAfter(-81));
    await madeClaim(db, club);
    expect(await html(`/admin/retailers/${slug}`)).toContain(`href="${pathOf(slug)}"`);
    const page = await html(pathOf(slug), support);
    expect(page).toMatch(
      /Claims can be filed from day \d+ to day 90 after a visit; the usual time is what the retailer’s page/,
    );
    expect(page).toContain("the default of every retailer");
    expect(page).toContain("Visits of the last 90 days</dt><dd>2: a change holds for their claims");
    expect(page).toContain("Claims under way</dt><dd>1: they keep the rule");
    expect(page).not.toContain('<button class="button is-main"');
    expect((await admin.post(pathOf(slug), support, { version: "default", ...typed })).status).toBe(403);
    expect(await ruleOf(slug)).toBeUndefined();
    expect((await admin.get(pathOf("no-such"), editor)).status).toBe(404);
    expect((await admin.post(pathOf("no-such"), editor, { version: "default", ...typed })).status).toBe(404);
  });

  test("C7 a rule is saved with its reason, holds for the next claim, and goes back to the default; the log says both in words", async () => {
    const club = await makeClaimClub(db);
    const slug = club.shop.retailerSlug;
    const saved = await save(slug, { why: "asks for invoices" });
    expect([saved.status, saved.headers.get("location")]).toEqual([303, `${pathOf(slug)}?saved`]);
    expect(await ruleOf(slug)).toEqual({ opens_after_days: 14, closes_after_days: 75, needs_evidence: true });
    const page = await html(`${pathOf(slug)}?saved`);
    expect(page).toContain("from day 14 to day 75 after a visit");
    expect(page).toContain("Back to the default");
    expect(await claim(db, club, { now: daysAfter(13.9) })).toMatchObject({ outcome: "made", state: "waiting" });
    expect((await save(slug)).status, "the same again").toBe(409);
    expect((await save(slug, { act: "default", to: "many" })).status).toBe(303);
    expect(await ruleOf(slug)).toBeUndefined();
    const words = "from day 14 to day 75, with evidence";
    expect(await entriesOf(slug)).toMatchObject([
      {
        ...{ action: "retailer.claim-rule", actor: editor.email, why: "asks for invoices" },
        ...{ before: { claim_rule: "the default" }, after: { claim_rule: words } },
      },
      { action: "retailer.claim-rule", before: { claim_rule: words }, after: { claim_rule: "the default" } },
    ]);
    const history = await html(`/admin/retailers/${slug}/history`);
    expect(history).toContain("Retailer: claim rule set");
    expect(history).toContain(`<ins>${words}</ins>`);
  });

  test.each([
    [{ from: "80" }, "The last day has to be after the first."],
    [{ from: "never" }, "from 0 to 365"],
    [{ to: "731" }, "from 1 to 730"],
    [{ why: "x".repeat(501) }, "500 characters"],
  ])("C7 %j is refused in words, and nothing that was typed is lost", async (form, words) => {
    const { slug } = await insertRetailer(db);
    const answer = await save(slug, { ...form, evidence: "yes" });
    expect(answer.status).toBe(422);
    const page = await answer.text();
    expect(page).toContain(words);
    for (const each of Object.values(form)) expect(page).toContain(`value="${each}"`);
    expect(page).toContain('<option value="yes" selected="">');
    expect(await ruleOf(slug)).toBeUndefined();
  });

  test("C7 a save that comes too late says who changed what, and loses neither", async () => {
    const { slug } = await insertRetailer(db);
    const version = fieldIn(await html(pathOf(slug)), "version");
    await save(slug, { from: "usual", to: "60", evidence: "no" }, other);
    const third = await insertOperator(db, { role: "owner", now: OPEN });
    const what = { permission: "catalogue.change", action: "retailer.change" } as const;
    const actor = { operator: third, requestId: null, now: OPEN };
    await act(db, actor, { ...what, subject: { type: "retailer", id: slug } }, async () => true);
    for (const seen of [{ version }, {}]) {
      const stale = await admin.post(pathOf(slug), editor, { ...seen, ...typed });
      expect(stale.status).toBe(409);
      const page = await stale.text();
      for (const words of [other.email, "<td>60</td><td>75</td>", "<td>No</td><td>Yes</td>"])
        expect(page).toContain(words);
      expect(page, "who changed something else").not.toContain(third.email);
      const chosen = fieldIn(page, "version");
      expect(chosen).toBe("usual 60 false");
    }
    expect(await ruleOf(slug)).toMatchObject({ closes_after_days: 60 });
  });

  test("C7 two saves of one form at the same moment: one holds, the other is told", async () => {
    const { slug } = await insertRetailer(db);
    const version = fieldIn(await html(pathOf(slug)), "version");
    const both = await Promise.all(
      ["70", "80"].map((to) => admin.post(pathOf(slug), editor, { version, ...typed, to })),
    );
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([303, 409]));
    expect(await entriesOf(slug)).toHaveLength(1);
  });

  test("C7 the page of a merged retailer leads to the one that stays, and a save that comes after the merge changes nothing", async () => {
    const [from, into] = [
      await insertRetailer(db, { name: "Old Shop" }),
      await insertRetailer(db, { name: "New Shop" }),
    ];
    const preview = await findMerge(db, { slug: from.slug, into: into.slug });
    await mergeRetailers(db, { slug: from.slug, into: into.slug, seen: preview?.seen ?? "", now: OPEN });
    expect(await html(pathOf(from.slug))).toContain(`merged into <a href="${pathOf(into.slug)}">New Shop</a>`);
    const late = await admin.post(pathOf(from.slug), editor, { version: "default", ...typed });
    expect(late.status).toBe(409);
    expect(await late.text()).toContain('value="75"');
    expect(await setClaimRule(db, { slug: from.slug, seen: null, rule: null })).toEqual({ outcome: "merged" });
    expect([await ruleOf(from.slug), await ruleOf(into.slug)]).toEqual([undefined, undefined]);
  });
});
