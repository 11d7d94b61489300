import { insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import {
  insertCode,
  insertOffer,
  insertRetailer,
  insertVariant,
  NOW,
} from "@farthing/core/catalogue/catalogue.testing.ts";
import { fillPool } from "@farthing/core/code-pools/operations.server.ts";
import { findPoolRecord } from "@farthing/core/code-pools/list-pools.server.ts";
import { findNeeds } from "@farthing/core/needs/find-needs.server.ts";
import { recordPoolState } from "@farthing/core/reveals/pool-alarms.server.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { insertSignedInMember } from "@farthing/core/testing/insert-signed-in-member.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { afterEach, describe, expect, test } from "vitest";

const { db } = await testDatabase();
loadAdmin();

const admin = openTestAdmin(db);
afterEach(() => expect(admin.errors).toEqual([]));
const editor = await insertOperator(db, { role: "catalogue" });
const support = await insertOperator(db, { role: "support" });
const network = await insertNetwork(db);
const retailer = await insertRetailer(db, { name: "Poolside" });
const newOffer = (title = "A pool") => insertOffer(db, { networkId: network.id, retailerId: retailer.id, title });
const entriesOf = (publicId: string) =>
  db.selectFrom("audit_entries").selectAll().where("subject_id", "=", publicId).execute();
const codesOf = async (offerId: string) =>
  (await db.selectFrom("offer_codes").select("code").where("offer_id", "=", offerId).orderBy("code").execute()).map(
    ({ code }) => code,
  );

describe("O4 pools of codes in the admin", () => {
  test("O4 a pool that ran out goes from the home page to filled: nothing is added before it is confirmed", async () => {
    const offer = await newOffer();
    await insertCode(db, { offerId: offer.id, codeKind: "shared", code: "KNOWN" });
    await recordPoolState(db, { offerId: offer.id, variantId: null, now: NOW });
    const need = async () =>
      (await findNeeds(db, { role: "catalogue", now: NOW })).find(({ key }) => key === "code-pools")!;
    expect(await need()).toMatchObject({ count: 1, oldestAt: NOW });
    expect(await (await admin.get((await need()).path, editor)).text()).toContain("A pool");

    const path = `/admin/codes/${offer.publicId}`;
    const file = { name: "file", fileName: "codes.csv", content: "code\r\nONE\r\nTWO\r\nONE\r\nKNOWN\r\n" };
    const looked = await admin.upload(path, editor, file);
    expect(looked.status).toBe(200);
    const html = await looked.text();
    expect(html).toContain("Adds 2 codes.");
    expect(html).toContain("is on line 2 already");
    expect(html).toMatch(/KNOWN<\/td><td>is in this offer already/);
    expect(await codesOf(offer.id)).toEqual(["KNOWN"]);

    const text = "ONE\r\nTWO\r\nONE\r\nKNOWN";
    const added = await admin.post(path, editor, { codes: text, variant: "", confirmed: "yes" });
    expect(added.headers.get("location")).toBe(`${path}?added=2`);
    expect(await codesOf(offer.id)).toEqual(["KNOWN", "ONE", "TWO"]);
    expect(await need()).toMatchObject({ count: 0 });
    expect(await entriesOf(offer.publicId)).toMatchObject([
      { action: "offer.fill-pool", before: { codes_in_pool: 0 }, after: { codes_in_pool: 2 } },
    ]);
    expect(JSON.stringify(await entriesOf(offer.publicId)), "codes are for members, not for the log").not.toContain(
      "TWO",
    );
    const again = await admin.post(path, editor, { codes: text, variant: "", confirmed: "yes" });
    expect(again.headers.get("location")).toBe(`${path}?added=0`);
    expect(await entriesOf(offer.publicId)).toHaveLength(1);
  });

  test("O4 a list with a line that can't be read adds nothing, even confirmed, and comes back as it was typed", async () => {
    const offer = await newOffer();
    const path = `/admin/codes/${offer.publicId}`;
    const refused = await admin.post(path, editor, { codes: "FINE\nx,y", confirmed: "yes" });
    expect(refused.status).toBe(422);
    const html = await refused.text();
    expect(html).toContain("holds a comma");
    expect(html).toContain("FINE\nx,y");
    for (const codes of ["", "A\u0000B"]) expect((await admin.post(path, editor, { codes })).status).toBe(422);
    const binary = await admin.upload(path, editor, {
      name: "file",
      fileName: "x",
      content: new Uint8Array([0xff, 0xfe, 0]),
    });
    expect(binary.status).toBe(422);
    expect(await codesOf(offer.id)).toEqual([]);
    expect(await entriesOf(offer.publicId)).toEqual([]);
  });

  test("O4 codes are added to one variant, and to no variant of another offer", async () => {
    const offer = await newOffer();
    const child = await insertVariant(db, { offerId: offer.id, label: "Child" });
    const foreign = await insertVariant(db, { offerId: (await newOffer()).id, label: "Child" });
    const path = `/admin/codes/${offer.publicId}`;
    expect((await admin.post(path, editor, { codes: "C1", variant: foreign.id, confirmed: "yes" })).status).toBe(422);
    await admin.post(path, editor, { codes: "C1", variant: child.id, confirmed: "yes" });
    const pool = await findPoolRecord(db, { publicId: offer.publicId });
    expect(pool?.pools).toEqual([{ variant: "Child", free: 1, total: 1, void: 0 }]);
    const wrong = { offerId: offer.id, variantId: foreign.id, codes: ["C2"], now: NOW };
    expect(await fillPool(db, wrong)).toBeNull();
  });

  test("O4 two uploads of the same codes at the same time add them once", async () => {
    const offer = await newOffer();
    const codes = Array.from({ length: 500 }, (_, index) => `CODE-${index}`);
    const filled = await Promise.all(
      Array.from({ length: 4 }, () => fillPool(db, { offerId: offer.id, variantId: null, codes, now: NOW })),
    );
    expect(filled.toSorted((one, other) => Number(one) - Number(other))).toEqual([0, 0, 0, 500]);
  });
});

describe("O4 A3 codes of a member in the admin", () => {
  /** Returns a member with a code of a new pool, which has one more. */
  async function withCode() {
    const offer = await newOffer("A pool to swap from");
    const { id: memberId } = await insertSignedInMember(db, { brandId: (await insertBrand(db)).id });
    for (const code of ["HELD-1111", "FREE-2222"]) await insertCode(db, { offerId: offer.id, codeKind: "pool", code });
    const held = await db
      .updateTable("offer_codes")
      .set({ member_id: memberId, assigned_at: NOW })
      .where("offer_id", "=", offer.id)
      .where("code", "=", "HELD-1111")
      .returning("id")
      .executeTakeFirstOrThrow();
    return { offer, memberId, code: held.id, path: `/admin/members/${memberId}/codes` };
  }

  test("O4 A3 support swaps a code after a question, once, with an entry in the log that has no code", async () => {
    const { offer, memberId, code, path } = await withCode();
    const listed = await (await admin.get(path, support)).text();
    expect(listed).toContain(">1111<");
    expect(listed, "a code is named by its end").not.toContain("HELD-1111");
    const asked = await admin.post(path, support, { code });
    expect(await asked.text()).toContain("Swap the code that ends in 1111?");
    const said = { code, confirmed: "yes", reason: "refused", why: "the shop refused it" };
    for (const wrong of [{ reason: "" }, { why: "" }])
      expect((await admin.post(path, support, { ...said, ...wrong })).status).toBe(422);
    expect(await entriesOf(memberId)).toEqual([]);
    const done = await admin.post(path, support, said);
    expect(done.headers.get("location")).toBe(`${path}?swapped`);
    const html = await (await admin.get(`${path}?swapped`, support)).text();
    expect(html).toContain("The code is void, and the member finds the new one");
    expect(html).toMatch(/the shop refused it, swapped by (<!-- -->)?an operator/);
    expect(html).toContain(">2222<");
    const late = await admin.post(path, support, said);
    expect(late.status, "a second press").toBe(409);
    const kept = await late.text();
    for (const words of ["The shop refused it", "the shop refused it"]) expect(kept).toContain(`<dd>${words}</dd>`);
    const entries = await entriesOf(memberId);
    expect(entries).toMatchObject([{ action: "member.swap-code", why: "the shop refused it" }]);
    expect(JSON.stringify(entries)).not.toMatch(/1111|2222/);
    const timeline = await (await admin.get(`/admin/members/${memberId}?kind=shopping`, support)).text();
    expect(timeline).toContain("had a code swapped");
    const pool = (await (await admin.get(`/admin/codes/${offer.publicId}`, editor)).text()).replaceAll("<!-- -->", "");
    expect(pool).toContain("<strong>0</strong> of 2 , 1 void");
    expect(pool).toContain("<strong>1</strong>: the shop refused it, 1 of them in the last 30 days");
    const votes = db.selectFrom("code_votes").select("outcome").where("code_id", "=", code);
    expect(await votes.execute()).toEqual([{ outcome: "failed" }]);
  });

  test("O4 A3 an empty pool is said, and nobody swaps another member's code or without the permission", async () => {
    const { offer, memberId, code, path } = await withCode();
    const said = { code, confirmed: "yes", reason: "lost", why: "lost" };
    const other = await withCode();
    expect((await admin.post(other.path, support, said)).status).toBe(409);
    const finance = await insertOperator(db, { role: "finance" });
    expect((await admin.get(path, finance)).status).toBe(200);
    expect((await admin.post(path, finance, said)).status).toBe(403);
    await db.deleteFrom("offer_codes").where("offer_id", "=", offer.id).where("member_id", "is", null).execute();
    const empty = await admin.post(path, support, said);
    expect(empty.status).toBe(409);
    const html = await empty.text();
    expect(html).toContain("Nothing was changed: the pool has no other code for this member.");
    expect(html, "what was typed stays").toContain('value="lost"');
    expect(await entriesOf(memberId)).toEqual([]);
  });
});
