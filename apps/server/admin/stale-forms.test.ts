import { readdirSync, readFileSync } from "node:fs";
import { pageEntries, type AdminPath } from "@farthing/admin/pages.ts";
import { fieldIn, insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import {
  insertCategory,
  insertOffer,
  insertProgramme,
  insertRateTier,
  insertRetailer,
} from "@farthing/core/catalogue/catalogue.testing.ts";
import { seedFaqs } from "@farthing/core/faqs/seed-faqs.server.ts";
import { openShop } from "@farthing/core/gift-cards/shop.testing.ts";
import { seedLegalPages } from "@farthing/core/legal-pages/seed-legal-pages.server.ts";
import { seedMemberTypes } from "@farthing/core/member-types/reference-data/seed-member-types.server.ts";
import { makePartner } from "@farthing/core/partners/partners.testing.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { seedProofs } from "@farthing/core/verification-requests/seed-proofs.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { oneAccount, startPayments } from "../payments/payments.testing.ts";
import { adminCards } from "./admin-cards.ts";

// Every form that says what it was opened with: a fault in it hides no save of somebody else.

const { db } = await testDatabase();
loadAdmin();
const owner = await insertOperator(db, { role: "owner" });
let stand: Awaited<ReturnType<typeof startPayments>>;
let admin: ReturnType<typeof openTestAdmin>;
const addresses = new Map<AdminPath, string>();

beforeAll(async () => {
  stand = await startPayments(db);
  admin = openTestAdmin(db, { cards: adminCards(oneAccount(stand.provider)) });
  const brand = await insertBrand(db, { slug: "one" });
  const retailer = await insertRetailer(db, { brandIds: [brand.id] });
  const network = await insertNetwork(db, { slug: "of-forms" });
  const category = await insertCategory(db, "Gardening");
  const offer = await insertOffer(db, { networkId: network.id, retailerId: retailer.id, categoryIds: [category.id] });
  const programme = await insertProgramme(db, { networkId: network.id, retailerId: retailer.id });
  const rate = await insertRateTier(db, { programmeId: programme.id });
  addresses.set("/admin/retailers/:retailer/rates", `/admin/retailers/${retailer.slug}/rates?rate=${rate.id}`);
  await seedMemberTypes(db);
  await seedProofs(db);
  await seedLegalPages(db);
  await seedFaqs(db);
  const partner = await makePartner(db);
  await openShop(db, ["a key of tests"]);
  const product = await db.selectFrom("gift_card_products").select("public_id").limit(1).executeTakeFirstOrThrow();
  const visitor = await stand.visitor();
  const payment = await visitor.start(1_000, crypto.randomUUID(), "Basket 41");
  await stand.pay(payment);
  await stand.settle();
  await admin.post("/admin/notices/new", owner, {
    ...{ brand: "", kind: "planned", title: "We move", text: "For an hour." },
    ...{ since: "2026-07-01T22:00", until: "2026-07-01T23:00" },
  });
  const idOf = async (table: "faqs" | "faq_categories" | "notices") =>
    (await db.selectFrom(table).select("id").limit(1).executeTakeFirstOrThrow()).id;
  for (const [pattern, record] of [
    ["/admin/offers/:id", offer.publicId],
    ["/admin/networks/:network", "of-forms"],
    ["/admin/retailers/:retailer", retailer.slug],
    ["/admin/retailers/:retailer/claims", retailer.slug],
    ["/admin/categories/:category", category.slug],
    ["/admin/brands/:brand", "one"],
    ["/admin/brands/:brand/look", "one"],
    ["/admin/brands/:brand/legal/:page", "terms"],
    ["/admin/operators/:id", (await insertOperator(db, { role: "support" })).id],
    ["/admin/questions/:id", await idOf("faqs")],
    ["/admin/subjects/:id", await idOf("faq_categories")],
    ["/admin/notices/:id", await idOf("notices")],
    ["/admin/proof-kinds/:kind", "payslip"],
    ["/admin/member-types/:type", "nhs"],
    ["/admin/thresholds/:threshold", "code-failures"],
    ["/admin/partners/:partner", partner.publicId],
    ["/admin/gift-cards/products/:product", product.public_id],
    ["/admin/payments/:id", payment.paymentId],
  ] as const)
    addresses.set(pattern, pattern.replace(":brand", "one").replace(/:\w+/, record));
});
afterEach(() => expect(admin.errors).toEqual([]));
afterAll(() => stand.end());

const routes = new URL("../../admin/app/routes/", import.meta.url);
const sources = readdirSync(routes, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".tsx"))
  .map((name) => [name, readFileSync(new URL(name, routes), "utf8")] as const);
/** Pages whose form is in a file beside them. */
const pageOf: Record<string, string> = {
  "partners/partner-parts.tsx": "partners/partner-page.tsx",
  "retailers/rate-forms.tsx": "retailers/rates-page.tsx",
  "retailers/rate-panel.tsx": "retailers/rates-page.tsx",
};
const files = sources
  .filter(([, text]) => text.includes("<VersionField"))
  .map(([name]) => name.replaceAll("\\", "/"))
  .map((name) => pageOf[name] ?? name);
const patterns = pageEntries.filter(([, { file }]) => files.includes(file)).map(([pattern]) => pattern);

/** Returns the forms of a page that say what they were opened with. */
function formsOf(html: string): string[] {
  return html
    .split("<form")
    .slice(1)
    .map((part) => part.split("</form>", 1)[0] ?? "")
    .filter((form) => /type="hidden" name="(?:version|seen)"/.test(form) && !form.includes('name="confirmed"'));
}

/** Returns what a browser posts of a form with a text that no field takes in each of its fields. */
function faultyPost(form: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [tag] of form.matchAll(/<(?:input|textarea|button)[^>]*>/g)) {
    const [, name = ""] = /\bname="([^"]*)"/.exec(tag) ?? [];
    const [, type = "text"] = /\btype="([^"]*)"/.exec(tag) ?? [];
    const isKept = type === "hidden" || (tag.startsWith("<button") && !(name in fields));
    if (name === "" || type === "checkbox" || (tag.startsWith("<button") && !isKept)) continue;
    fields[name] = isKept ? (/\bvalue="([^"]*)"/.exec(tag)?.[1] ?? "") : "x".repeat(601);
  }
  return fields;
}

describe("A2 a form with a fault", () => {
  test("A2 each page with such a form is tried here", () => {
    expect(patterns.toSorted()).toEqual([...addresses.keys()].toSorted());
    expect(patterns).toHaveLength(new Set(files).size);
  });

  test("A2 no page writes the version of its form by itself: VersionField keeps it over a fault", () => {
    const byItself =
      /<input[^>]*type="hidden"[^>]*(?:name="(?:version|seen)"|value=\{[^}]*(?:version|fingerprint|seen)\b)/i;
    expect(sources.filter(([, text]) => byItself.test(text)).map(([name]) => name)).toEqual([]);
  });

  test.each(patterns)("A2 %s keeps what it was opened with", async (pattern) => {
    const address = addresses.get(pattern) ?? "";
    const forms = formsOf(await (await admin.get(address, owner)).text());
    expect(forms).not.toEqual([]);
    for (const [at, form] of forms.entries()) {
      const name = form.includes('name="seen"') ? "seen" : "version";
      const answer = await admin.post(address, owner, { ...faultyPost(form), [name]: "opened before" });
      expect([answer.status, at]).toEqual([422, at]);
      const again = formsOf(await answer.text());
      expect(fieldIn(again[at] ?? "", name), `form ${at}`).toBe("opened before");
      for (const [other, shown] of again.entries())
        if (other !== at) expect(fieldIn(shown, name), `form ${other}`).toBe(fieldIn(forms[other] ?? "", name));
    }
  });

  test.each([
    [
      "/admin/notices/:id",
      { brand: "", kind: "planned", title: "We move", text: "For an hour.", since: "2026-07-01T22:00", until: "" },
    ],
    ["/admin/categories/:category", { name: "Gardening", body: "" }],
  ] as const)("A2 %s: a fault mended after somebody else has saved overwrites nothing", async (pattern, typed) => {
    const address = addresses.get(pattern) ?? "";
    const version = fieldIn(await (await admin.get(address, owner)).text(), "version");
    const name = "title" in typed ? "title" : "name";
    const send = async (words: string, opened: string) =>
      admin.post(address, owner, { ...typed, [name]: words, version: opened });
    expect((await send("Theirs", version)).status).toBe(303);
    const faulty = await send("", version);
    expect(faulty.status).toBe(422);
    const mended = await send("Mine", fieldIn(await faulty.text(), "version"));
    expect(mended.status).toBe(409);
    const html = await mended.text();
    expect(html).toMatch(/<td>Theirs<\/td><td>Mine<\/td>/);
    const chosen = await send("Mine", fieldIn(html, "version"));
    expect(chosen.status).toBe(303);
  });
});
