import { insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import { insertCategory, insertOffer, insertRetailer, NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { listCategories } from "@farthing/core/catalogue/categories/queries.server.ts";
import {
  listCategoryRecords,
  moveCategory,
  seenCategory,
} from "@farthing/core/catalogue/categories/operations.server.ts";
import { indexCatalogue } from "@farthing/core/search/index-catalogue.server.ts";
import { suggest } from "@farthing/core/search/queries.server.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { afterEach, describe, expect, test } from "vitest";

const { db } = await testDatabase();
loadAdmin();

const admin = openTestAdmin(db);
afterEach(() => expect(admin.errors).toEqual([]));
const editor = await insertOperator(db, { role: "catalogue" });
const order = async () => (await listCategoryRecords(db)).map(({ slug }) => slug);
const entriesOf = async (slug: string) =>
  (await db.selectFrom("audit_entries").selectAll().where("subject_id", "=", slug).orderBy("seq").execute()).map(
    ({ action }) => action,
  );

describe("A2 categories in the admin", () => {
  test("A2 categories are added at the end, moved, and never beyond an end", async () => {
    for (const name of ["Alpha", "Beta", "Gamma & Delta"])
      expect((await admin.post("/admin/categories", editor, { name })).status).toBe(303);
    expect(await order()).toEqual(["alpha", "beta", "gamma-and-delta"]);
    expect((await admin.post("/admin/categories", editor, { name: "ALPHA" })).status).toBe(422);
    expect((await admin.post("/admin/categories", editor, { name: " " })).status).toBe(422);
    expect((await admin.post("/admin/categories", editor, { up: "gamma-and-delta" })).status).toBe(303);
    expect(await order()).toEqual(["alpha", "gamma-and-delta", "beta"]);
    expect((await admin.post("/admin/categories", editor, { up: "alpha" })).status).toBe(409);
    expect((await admin.post("/admin/categories", editor, { down: "beta" })).status).toBe(409);
    expect((await admin.post("/admin/categories", editor, { down: "none" })).status).toBe(409);
    expect(await entriesOf("gamma-and-delta")).toEqual(["category.create", "category.move"]);
  });

  test("A2 of moves at the same time each counts, and none is refused", async () => {
    const slugs = ["one", "two", "three", "four", "five", "six", "seven"];
    for (const name of slugs) await admin.post("/admin/categories", editor, { name });
    const others = (await order()).filter((slug) => !slugs.includes(slug));
    const move = (slug: string, by: 1 | -1) => moveCategory(db, { slug, by, now: NOW });
    for (let round = 0; round < 20; round++) {
      const down = await Promise.all(Array.from({ length: 6 }, () => move("one", 1)));
      expect(await order(), `down, round ${round}`).toEqual([...others, ...slugs.slice(1), "one"]);
      const up = await Promise.all(Array.from({ length: 6 }, () => move("one", -1)));
      expect(await order(), `up, round ${round}`).toEqual([...others, ...slugs]);
      expect([...down, ...up]).not.toContain(false);
    }
  });

  test("A2 a hidden category leaves the lists and the search, and comes back", async () => {
    const brand = await insertBrand(db);
    const network = await insertNetwork(db);
    const category = await insertCategory(db, "Gardening");
    const retailer = await insertRetailer(db, { brandIds: [brand.id] });
    await insertOffer(db, { networkId: network.id, retailerId: retailer.id, categoryIds: [category.id] });
    await indexCatalogue(db, { now: NOW });
    const shown = async () => [
      (await listCategories(db, { brandId: brand.id, now: NOW })).length,
      (await suggest(db, { brandId: brand.id, now: NOW, query: "gardening" })).categories.length,
    ];
    expect(await shown()).toEqual([1, 1]);
    const path = `/admin/categories/${category.slug}`;
    const seen = seenCategory({ name: "Gardening", body: "", isHidden: false });
    await admin.post(path, editor, { name: "Gardening", body: "", isHidden: "yes", version: seen });
    expect(await shown()).toEqual([0, 0]);
    const late = await admin.post(path, editor, { name: "Gardens", body: "", version: seen });
    expect(late.status).toBe(409);
    expect(await late.text()).toMatch(/<td>Gardening<\/td><td>Gardens<\/td>/);
    const now = seenCategory({ name: "Gardening", body: "", isHidden: true });
    expect((await admin.post(path, editor, { name: "Gardens", body: "Two\r\nlines", version: now })).status).toBe(303);
    expect(await shown()).toEqual([1, 1]);
    expect((await listCategoryRecords(db)).find(({ slug }) => slug === category.slug)).toMatchObject({
      ...{ name: "Gardens", body: "Two\nlines", isHidden: false, offers: 1 },
    });
  });
});
