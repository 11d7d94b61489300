import { pageEntries } from "@farthing/admin/pages.ts";
import { insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import { insertCode, insertOffer, insertRetailer, NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { saveFaq } from "@farthing/core/faqs/faq-records.server.ts";
import { addSubject } from "@farthing/core/faqs/subject-records.server.ts";
import { memoryIssuer, product } from "@farthing/core/gift-cards/memory-issuer.testing.ts";
import { syncCatalogue } from "@farthing/core/gift-cards/sync-catalogue.server.ts";
import { accountId, postTransfer } from "@farthing/core/ledger/operations.server.ts";
import { queueMail } from "@farthing/core/mails/operations.server.ts";
import { claimDueMails, failMail } from "@farthing/core/mails/outbox.server.ts";
import { addMemberType } from "@farthing/core/member-types/edit-member-types.server.ts";
import { saveNotice } from "@farthing/core/notices/notice-records.server.ts";
import type { Role } from "@farthing/core/operators/permissions.ts";
import { makePartner } from "@farthing/core/partners/partners.testing.ts";
import { addWebhook } from "@farthing/core/partners/webhooks.server.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { insertSignedInMember } from "@farthing/core/testing/insert-signed-in-member.testing.ts";
import { addProofKind } from "@farthing/core/verification-requests/proof-kind-records.server.ts";
import { submitted } from "@farthing/core/verification-requests/verification.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";

const { db } = await testDatabase();
loadAdmin();
const admin = openTestAdmin(db);
afterEach(() => expect(admin.errors).toEqual([]));

const brand = await insertBrand(db);
await insertSignedInMember(db, { brandId: brand.id });
await db.transaction().execute((trx) =>
  postTransfer(trx, {
    key: "a payment",
    kind: "payment_taken",
    legs: [
      { account: { kind: "payment_held" }, amountPence: 500 },
      { account: { kind: "card_received" }, amountPence: -500 },
    ],
    cause: { kind: "payment", id: newId() },
    happenedAt: new Date(),
  }),
);
const partner = await makePartner(db, { name: "A shop" });
const webhook = await addWebhook(db, { partnerId: partner.id, url: "https://shop.example/events", allowLocal: false });
/** The files of an account's entries and of a webhook's deliveries need an account and a webhook that exist. */
const pathOf = (path: string) =>
  path
    .replace(":id", path.includes("/accounts/") ? accountId({ kind: "card_received" }) : newId())
    .replace(":queue", "mails")
    .replace(":partner", partner.publicId)
    .replace(":webhook", webhook.id);
const lastEntry = () =>
  db.selectFrom("audit_entries").selectAll().orderBy("seq", "desc").limit(1).executeTakeFirstOrThrow();
const entries = async () => (await db.selectFrom("audit_entries").select("seq").execute()).length;

// Reports have sums, which name nobody.
const files = pageEntries
  .map(([path]) => path)
  .filter((path) => path.endsWith(".csv") && !/\/reports\/|\/usage\.csv$/.test(path));

describe("A1 files of lists", () => {
  test.each(files)("A1 %s is in the log, with its filters, before its first row", async (path) => {
    const operator = await insertOperator(db);
    const answer = await admin.get(`${pathOf(path)}?q=Ada+Lovelace&state=open`, operator);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toContain("text/csv");
    expect(await lastEntry()).toMatchObject({
      operator_id: operator.id,
      actor: operator.email,
      action: expect.stringMatching(/^[a-z-]+\.export$/) as string,
      subject_type: "operator",
      why: expect.stringContaining("CSV of ") as string,
      request_id: "test",
    });
    // Entries outlive accounts, and what was typed may be a name.
    expect(JSON.stringify(await lastEntry())).not.toContain("Lovelace");
    await answer.body?.cancel();
  });

  test.each(["0199f3c2-0000-7000-8000-000000000000", "no-id"])(
    "A1 there is no file of the entries of an account that does not exist: %s",
    async (id) => {
      const before = await entries();
      const operator = await insertOperator(db);
      expect((await admin.get(`/admin/ledger/accounts/${id}/entries.csv`, operator)).status).toBe(404);
      expect(await entries()).toBe(before);
    },
  );

  test("A1 the entry says what was chosen, and that something was typed", async () => {
    const operator = await insertOperator(db, { role: "support" });
    const path = `/admin/members.csv?q=ada&brand=${brand.slug}&verification=verified&sort=name`;
    await (await admin.get(path, operator)).text();
    expect(await lastEntry()).toMatchObject({
      action: "members.export",
      why: `CSV of members; q: something typed; brand: ${brand.slug}; verification: verified; order: name`,
    });
  });

  test("A1 nobody gets a file whose entry could not be written, or that their role has lost meanwhile", async () => {
    const before = await entries();
    const operator = await insertOperator(db, { role: "support" });
    await db.updateTable("operators").set({ role: "catalogue" }).where("id", "=", operator.id).execute();
    expect((await admin.get("/admin/members.csv", operator)).status).toBe(403);
    admin.errors.splice(0);
    expect((await admin.get("/admin/claims/packs/7", operator)).status).toBe(403);
    expect(await entries()).toBe(before);
  });

  test.each([
    ["/admin/verifications", "Sent,Member,Brand,Says they are,Proof,State,Decided,By"],
    ["/admin/disputes", "Evidence due,Payment,Amount,State,Reason,Partner,Opened,At the provider"],
    ["/admin/payouts/reports", "File,State,Payments,Read,By,Applied"],
    ["/admin/ledger/checks", "When,By,Found,Transfers,Entries,Accounts,Took"],
    ["/admin/referrals", "Referral,Held since,Why,Inviter,Friend,Brand,Bonuses,Both,Friend joined"],
    ["/admin/codes", "Offer,Retailer,Left,Of,State,Runs out since"],
    ["/admin/imports", "When,File,Network,Kind,Records,Made,Changed,Withdrawn"],
    ["/admin/operators", "Name,E-mail,Role,State,Second factor,Sessions,Last seen,Added"],
    ["/admin/brands", "Brand,For,Main host,Theme,Retailers,Since,Changed"],
    ["/admin/claims/packs", "Pack,Network,Made,By,Claims,Not answered"],
    ["/admin/questions", "Question,Subject,Place,Whose,Only with"],
    ["/admin/subjects", "Subject,Address,Place,State,Whose,Questions"],
    ["/admin/notices", "Title,What it is,Who sees it,Since,Until,Now"],
    ["/admin/member-types", "Member type,Place,Statuses,Questions,Job roles,Offered by"],
    ["/admin/proof-kinds", "Proof kind,Place,Asked for by,Sent"],
    ["/admin/partners", "Partner,Id,State,Origins,Keys,Webhooks,Since"],
    ["/admin/gift-cards/products", "Product,State,Issuer,Its id,Issuer’s discount,Buyers get,As,Read"],
  ])("A3 %s leads to its file", async (path, head) => {
    const operator = await insertOperator(db);
    expect(await (await admin.get(path, operator)).text()).toContain(`href="${path}.csv" download`);
    expect((await (await admin.get(`${path}.csv`, operator)).text()).split("\r\n")[0]).toBe(head);
  });

  test("A3 M4 the file of verifications has a row of each proof, and nothing of its document", async () => {
    const operator = await insertOperator(db, { role: "support" });
    const { memberId, publicId } = await submitted(db, { brandId: brand.id });
    await db.updateTable("members").set({ name: "Ada Marley" }).where("id", "=", memberId).execute();
    const csv = await (await admin.get("/admin/verifications.csv", operator)).text();
    expect(csv).toContain(",Ada Marley,");
    expect(csv).toContain(",submitted,");
    const { rows } = await sql<{ name: string }>`select original_name as name from attachments file
      join verification_requests request on request.id = file.request_id where request.public_id = ${publicId}`.execute(
      db,
    );
    for (const { name } of rows) expect(csv).not.toContain(name);
  });

  /** The file at an address, and the role that an operator of it needs to see it: each other one is refused. */
  const fileFor = async (path: string, wrong: Role, role: Role = "owner") => {
    expect((await admin.get(path, await insertOperator(db, { role: wrong }))).status, wrong).toBe(403);
    return await (await admin.get(path, await insertOperator(db, { role }))).text();
  };

  test("A3 the file of a webhook's deliveries has its own alone, as filtered, without what was sent", async () => {
    const path = `/admin/partners/${partner.publicId}/webhooks/${webhook.id}`;
    const other = await addWebhook(db, { partnerId: partner.id, url: "https://shop.example/more", allowLocal: false });
    const [eventId, delivered] = [newId(), newId()];
    const sent = { kind: "payment.succeeded", body: '{"who":"Ada"}', created_at: NOW, next_try_at: null };
    const failed = { ...sent, attempts: 8, last_error: "=cmd()" };
    await db
      .insertInto("partner_webhook_deliveries")
      .values([
        { ...failed, id: newId(), webhook_id: webhook.id, event_id: eventId },
        { ...failed, id: newId(), webhook_id: other.id, event_id: newId() },
      ])
      .execute();
    await db
      .insertInto("partner_webhook_deliveries")
      .values({
        ...{ ...sent, id: newId(), webhook_id: webhook.id, event_id: delivered },
        ...{ attempts: 1, last_status: 204, delivered_at: NOW },
      })
      .execute();
    const page = await (await admin.get(`${path}?state=given-up`, await insertOperator(db))).text();
    expect(page).toContain(`href="${path}/deliveries.csv?state=given-up" download`);
    const csv = await fileFor(`${path}/deliveries.csv?sort=time`, "catalogue", "finance");
    const at = "2026-11-20 12:00:00";
    expect(csv.split("\r\n")).toEqual([
      "Made,Event,Its id,State,Attempts,Last answer,Delivered",
      `${at},payment.succeeded,${eventId},given-up,8,'=cmd(),`,
      `${at},payment.succeeded,${delivered},delivered,1,204,${at}`,
      "",
    ]);
    expect(await fileFor(`${path}/deliveries.csv?state=given-up`, "support")).not.toContain(delivered);
    const unknown = `/admin/partners/${(await makePartner(db)).publicId}/webhooks/${webhook.id}/deliveries.csv`;
    const before = await entries();
    expect((await admin.get(unknown, await insertOperator(db))).status).toBe(404);
    expect(await entries()).toBe(before);
  });

  test("A3 O4 the file of pools has how many codes are left, and none of them", async () => {
    const network = await insertNetwork(db);
    const retailer = await insertRetailer(db, { name: "=Shop" });
    const offer = await insertOffer(db, { networkId: network.id, retailerId: retailer.id, title: "Ten off, twice" });
    for (const code of ["SECRET-1", "SECRET-2"]) await insertCode(db, { offerId: offer.id, codeKind: "pool", code });
    const csv = await fileFor("/admin/codes.csv", "finance", "support");
    expect(csv).toContain(`"Ten off, twice",'=Shop,2,2,enough,\r\n`);
    expect(csv).not.toContain("SECRET");
    expect((await fileFor("/admin/codes.csv?level=out", "finance")).trim().split("\r\n")).toHaveLength(1);
  });

  test("A3 the file of imports has what each has changed, in London's time and as UTF-8 that spreadsheets recognise", async () => {
    await db
      .insertInto("catalogue_imports")
      .values({
        ...{ id: newId(), source_name: "@offers.csv", content_kind: "editorial", content_hash: "a".repeat(64) },
        ...{ rows_read: 9, rows_created: 4, rows_updated: 3, rows_unchanged: 2, rows_withdrawn: 1 },
        imported_at: new Date("2026-08-10T20:59:04.839Z"),
      })
      .execute();
    const csv = await fileFor("/admin/imports.csv", "finance", "support");
    const file = await admin.get("/admin/imports.csv", await insertOperator(db, { role: "owner" }));
    expect([...new Uint8Array(await file.arrayBuffer()).slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(csv).toContain(`2026-08-10 21:59:04,'@offers.csv,The club’s own,editorial,9,4,3,1\r\n`);
  });

  test("A3 A1 the file of operators has their roles and whether they have a second factor, and nothing that signs in", async () => {
    const invited = await insertOperator(db, { role: "catalogue", name: "+Ada" });
    await db.updateTable("operators").set({ password: "a hash of tests" }).where("id", "=", invited.id).execute();
    const csv = await fileFor("/admin/operators.csv?role=catalogue", "finance");
    expect(csv).toContain(`'+Ada,${invited.email},catalogue,open,false,1,`);
    for (const hidden of ["a hash of tests", "finance-", invited.id]) expect(csv).not.toContain(hidden);
  });

  test("A3 G1 the file of gift-card products has what buyers get as numbers", async () => {
    const { issuer } = memoryIssuer([product("card", { name: "-Card" }), product("other")], () => NOW);
    await syncCatalogue(db, issuer, { now: NOW });
    await db
      .updateTable("gift_card_products")
      .set({ reward_kind: "cashback", reward_bp: 450 })
      .where("issuer_product_id", "=", "card")
      .execute();
    const csv = await fileFor("/admin/gift-cards/products.csv?q=card", "catalogue", "support");
    expect(csv.split("\r\n").slice(1)).toEqual([`'-Card,sold,memory,card,8,4.5,cashback,2026-11-20 12:00:00`, ""]);
  });

  const linesOf = async (path: string, wrong: Role) => (await fileFor(path, wrong)).split("\r\n").slice(1, -1);

  test("A3 the files of brands and partners have a row of each, as filtered", async () => {
    const { slug, name } = brand;
    const brands = await linesOf(`/admin/brands.csv?q=${slug}`, "support");
    expect(brands).toEqual([expect.stringMatching(`^${name},`)]);
    expect(await linesOf("/admin/brands.csv?q=no-such-brand", "support")).toEqual([]);
    const suspended = await makePartner(db, { name: "Another shop" });
    await db.updateTable("partners").set({ suspended_at: NOW }).where("public_id", "=", suspended.publicId).execute();
    const partners = await linesOf("/admin/partners.csv?q=another", "support");
    expect(partners).toEqual([
      expect.stringMatching(`^Another shop,${suspended.publicId},suspended,\\d+,\\d+,0,\\d{4}-`),
    ]);
    expect(String(await linesOf("/admin/partners.csv?state=open", "support"))).toContain(partner.publicId);
    expect(String(await linesOf("/admin/partners.csv?state=open", "support"))).not.toContain("Another");
  });

  test("A3 the files of questions, subjects and notices say whose each is, and what is shown now", async () => {
    const shared = { brand: null, position: 7, isHidden: true };
    await addSubject(db, { ...shared, slug: "payouts", name: "=Payouts" });
    const question = { slug: "when", question: "When, exactly?", answer: "Soon.", feature: null, position: 3 };
    await saveFaq(db, { faq: { ...question, brand: brand.slug, category: "payouts" }, changed: null });
    const [before, since, until] = [-2, -1, 1].map((hours) => new Date(NOW.getTime() + hours * 3_600_000)) as [
      Date,
      Date,
      Date,
    ];
    const notice = { brand: null, kind: "trouble", title: "Payouts are late", text: "A day." } as const;
    await saveNotice(db, { notice: { ...notice, since, until }, changed: null });
    await saveNotice(db, { notice: { ...notice, title: "It is over", since: before, until: since }, changed: null });
    expect(await linesOf("/admin/subjects.csv", "support")).toEqual([
      "'=Payouts,/faq/payouts,7,hidden,every brand’s,1",
    ]);
    expect(await linesOf("/admin/questions.csv", "support")).toEqual([`"When, exactly?",'=Payouts,3,${brand.name},`]);
    expect(await linesOf("/admin/questions.csv?brand=shared", "support")).toEqual([]);
    const states = (await linesOf("/admin/notices.csv?sort=title", "support")).map((line) => line.split(","));
    expect(states.map((cells) => [cells[0], cells[2], cells.at(-1)])).toEqual([
      ["It is over", "every brand’s visitors", "past"],
      ["Payouts are late", "every brand’s visitors", "shown"],
    ]);
  });

  test("A3 the files of member types and proof kinds say what each asks for", async () => {
    const type = {
      name: "Teachers",
      isOrganisation: false,
      memberIdLabel: "Teacher number",
      memberIdHelp: "",
      position: 900,
    };
    await addMemberType(db, { ...type, slug: "teachers", status: "Qualified" });
    expect(await linesOf("/admin/member-types.csv?q=teachers", "support")).toEqual(["Teachers,900,1,0,0,"]);
    const kind = { drawing: "card", help: "", shows: [], hides: "", position: 2 } as const;
    await addProofKind(db, { ...kind, slug: "pass", name: "Work pass", isGeneral: true, shows: ["Your name"] });
    expect(await linesOf("/admin/proof-kinds.csv", "support")).toEqual(["Work pass,2,types without a list,0"]);
  });

  test("A3 O6 the file of packs has what each network was sent, and the file of a queue what was given up and why", async () => {
    const network = await insertNetwork(db, { slug: "packed" });
    await db
      .insertInto("claim_packs")
      .values({ id: newId(), network_id: network.id, made_at: NOW, made_by: "ada@club.example" })
      .execute();
    expect(await linesOf("/admin/claims/packs.csv", "catalogue")).toEqual([
      expect.stringMatching(/^\d+,packed,2026-11-20 12:00:00,ada@club\.example,0,0$/),
    ]);
    await queueMail(db, {
      brandId: brand.id,
      memberId: null,
      to: "ada@example.org",
      mail: { kind: "no-account" },
      now: NOW,
    });
    const [mail] = await claimDueMails(db, { now: NOW, leaseMs: 60_000, max: 1 });
    await failMail(db, { mail: mail!, error: "mailbox unknown, twice", isPermanent: true, now: NOW });
    const path = "/admin/background-work/mails/work.csv";
    const givenUp = await linesOf(path, "support");
    expect(givenUp).toEqual([expect.stringMatching(`,1,"mailbox unknown, twice",${mail!.id}$`)]);
    expect(String(givenUp)).not.toContain("ada@");
    expect(await linesOf(`${path}?state=failing`, "support")).toEqual([]);
    const page = await (await admin.get("/admin/background-work/mails?state=failing", await insertOperator(db))).text();
    expect(page).toContain(`href="${path}?state=failing" download`);
    expect((await admin.get("/admin/background-work/members/work.csv", await insertOperator(db))).status).toBe(404);
  });
});
