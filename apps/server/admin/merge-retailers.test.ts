import { fieldIn, insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import { insertOffer, insertProgramme, insertRetailer, NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { mergeRetailers } from "@farthing/core/catalogue/retailers/merge-retailers.server.ts";
import { findMerge } from "@farthing/core/catalogue/retailers/find-merge.server.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { afterEach, describe, expect, test } from "vitest";

const { db } = await testDatabase();
loadAdmin();

const admin = openTestAdmin(db);
afterEach(() => expect(admin.errors).toEqual([]));
const editor = await insertOperator(db, { role: "catalogue" });
const support = await insertOperator(db, { role: "support" });
const brand = await insertBrand(db);
const networks = [await insertNetwork(db, { slug: "awin" }), await insertNetwork(db, { slug: "cj" })] as const;

/** Two records of one shop, on two networks. */
async function twins(name: string) {
  const place = await insertRetailer(db, { name, brandIds: [brand.id] });
  const twin = await insertRetailer(db, { name: `${name} UK`, brandIds: [brand.id] });
  await insertProgramme(db, { networkId: networks[0].id, retailerId: place.id });
  await insertProgramme(db, { networkId: networks[1].id, retailerId: twin.id });
  await insertOffer(db, { networkId: networks[1].id, retailerId: twin.id, title: `A deal of ${name}` });
  return { place, twin, path: `/admin/retailers/${twin.slug}/merge` };
}
const page = async (path: string) => await (await admin.get(path, editor)).text();
const entriesOf = (slug: string) =>
  db.selectFrom("audit_entries").selectAll().where("subject_id", "=", slug).orderBy("seq").execute();

describe("A2 merging retailers in the admin", () => {
  test("A2 the other record is found, what happens is shown with counts, and both records have an entry with the reason", async () => {
    const { place, twin, path } = await twins("Fernhollow Boots");
    expect(await page(`/admin/retailers/${twin.slug}`)).toContain(`href="${path}"`);
    expect(await page(path), "names that look like it come without a search").toContain(`into=${place.slug}`);
    const found = await page(`${path}?q=FERNHOLLOW`);
    expect(found).toContain(`${path}?q=FERNHOLLOW&amp;into=${place.slug}`);
    const asked = await page(`${path}?into=${place.slug}`);
    for (const words of [
      "can’t be undone",
      "1 published, 0 withdrawn",
      "1: cj programme",
      "0 under way, 0 over",
      "0 visits",
    ])
      expect(asked).toContain(words);
    const form = { into: place.slug, seen: fieldIn(asked, "seen"), confirmed: "yes" };

    const unsaid = await admin.post(path, editor, { ...form, why: " " });
    expect(unsaid.status).toBe(422);
    expect(await unsaid.text()).toMatch(/1 published, 0 withdrawn[\s\S]*Say why/);
    expect(await entriesOf(twin.slug)).toEqual([]);

    const done = await admin.post(path, editor, { ...form, why: "one shop, two networks" });
    expect([done.status, done.headers.get("location")]).toEqual([303, `/admin/retailers/${place.slug}?merged`]);
    expect(await entriesOf(twin.slug)).toMatchObject([
      {
        action: "retailer.merge",
        why: "one shop, two networks",
        before: { merged_into: null, brands: [brand.slug] },
        after: { merged_into: place.slug, status: "closed", brands: [], programmes: [] },
      },
    ]);
    const [absorbed] = await entriesOf(place.slug);
    expect(absorbed).toMatchObject({
      action: "retailer.absorb",
      why: "one shop, two networks",
      before: { merged_from: [] },
      after: { merged_from: [twin.slug] },
    });
    expect((absorbed!.after as { programmes: string[] }).programmes).toHaveLength(2);
    expect(await page(`/admin/retailers/${place.slug}?merged`)).toContain("Merged into it");
    expect(await page("/admin/offers?q=A+deal+of")).toContain(place.name);
  });

  test("A2 a merged record shows where it went, takes no save, no undo and no second merge", async () => {
    const { place, twin, path } = await twins("Gone Shop");
    const record = `/admin/retailers/${twin.slug}`;
    const version = fieldIn(await page(record), "version");
    await admin.post(record, editor, { ...fields, version, name: "Gone Shop Ltd" });
    const [change] = await entriesOf(twin.slug);
    const seen = (await findMerge(db, { slug: twin.slug, into: place.slug }))!.seen;
    const form = { into: place.slug, seen, confirmed: "yes", why: "one shop" };
    expect((await admin.post(path, editor, form)).status).toBe(303);
    const html = await page(record);
    expect(html).toMatch(/Merged into <a href="\/admin\/retailers\/gone-shop">/);
    expect(html).not.toContain(">Save<");
    const late = await admin.post(record, editor, { ...fields, version: fieldIn(html, "version"), name: "Back" });
    expect(late.status).toBe(409);
    expect(await late.text()).toContain("was merged into another");
    for (const slug of [twin.slug, place.slug])
      expect(await page(`/admin/retailers/${slug}/history`)).not.toContain('name="undo"');
    const undo = { undo: String(change!.seq), confirmed: "yes", why: "no" };
    expect((await admin.post(`${record}/history`, editor, undo)).status).toBe(409);
    const again = await admin.post(path, editor, form);
    expect([again.status, (await again.text()).includes("meanwhile")]).toEqual([409, true]);
    const after = await page(path);
    expect(after).toContain("already.");
    expect(after).not.toContain('id="choose"');
    expect(await page("/admin/retailers?q=gone")).not.toContain(`href="${record}"`);
  });

  test("A2 what was changed since the page was shown is shown again before anything happens", async () => {
    const { place, twin, path } = await twins("Stale Shop");
    const form = {
      into: place.slug,
      seen: fieldIn(await page(`${path}?into=${place.slug}`), "seen"),
      confirmed: "yes",
      why: "x",
    };
    await db.updateTable("retailers").set({ terms: "New terms" }).where("id", "=", place.id).execute();
    const stale = await admin.post(path, editor, form);
    const html = await stale.text();
    expect(stale.status).toBe(409);
    expect(html).toContain("changed meanwhile");
    expect((await admin.post(path, editor, { ...form, seen: fieldIn(html, "seen") })).status).toBe(303);
    expect(await entriesOf(twin.slug)).toHaveLength(1);
  });

  test("A2 itself, a merged one and an unknown one are no choice; support may not look", async () => {
    const { place, twin, path } = await twins("Odd Shop");
    const other = await insertRetailer(db, { name: "Other" });
    const merged = await insertRetailer(db, { name: "Merged" });
    const { seen } = (await findMerge(db, { slug: merged.slug, into: other.slug }))!;
    await mergeRetailers(db, { slug: merged.slug, into: other.slug, seen, now: NOW });
    for (const [into, status] of [
      [twin.slug, 422],
      [merged.slug, 409],
      ["none", 422],
      ["", 422],
      ["%", 422],
    ] as const) {
      expect(await page(`${path}?into=${encodeURIComponent(into)}`)).toContain("can’t take its place");
      const posted = await admin.post(path, editor, { into, seen, confirmed: "yes", why: "x" });
      expect([into, posted.status]).toEqual([into, status]);
      expect(await posted.text(), "why is still there").toContain("<dt>Why</dt><dd>x</dd>");
    }
    expect((await admin.get("/admin/retailers/none/merge", editor)).status).toBe(404);
    expect((await admin.post("/admin/retailers/none/merge", editor, { why: "x" })).status).toBe(404);
    expect((await admin.get(path, support)).status).toBe(403);
    expect((await admin.post(path, support, { into: place.slug })).status).toBe(403);
  });
});

const fields = {
  ...{
    homepageUrl: "https://gone.example/",
    status: "active",
    confirmsAfter: "purchase",
    [`brand-${brand.slug}`]: "yes",
  },
  ...{ tracksMin: "1", tracksMax: "7", confirmsMin: "45", confirmsMax: "90" },
};
