import { recordReportedTransaction } from "@farthing/core/cashback/operations.server.ts";
import { cursorOf } from "@farthing/core/cashback/history-cursor.ts";
import { makeClick, reportedSale, type ClubForTests } from "@farthing/core/cashback/cashback.testing.ts";
import { makeShop } from "@farthing/core/clicks/clicks.testing.ts";
import { setClaimRule } from "@farthing/core/claims/claim-rules.server.ts";
import { decideClaim } from "@farthing/core/claims/operators.server.ts";
import { memoryFiler, workOnce } from "@farthing/core/claims/claims.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, describe, expect, test } from "vitest";
import type { SignedInMember } from "../../../server/visit.ts";
import { loadSite, openClub, textOf, type TestClub } from "../../../testing/site.testing.ts";

const { db } = await testDatabase();
loadSite();
let club: TestClub;
let networkId: string;
beforeAll(async () => {
  club = await openClub(db);
  networkId = (await insertNetwork(db, { slug: "awin" })).id;
});

const DAY_MS = 86_400_000;
const ago = (days: number) => new Date(club.services.now().getTime() - days * DAY_MS);
/** A day as its field takes it: DD-MM-YY. */
const typedDay = (date: Date) => {
  const [year = "", month, day] = date.toISOString().slice(0, 10).split("-");
  return `${day}-${month}-${year.slice(2)}`;
};

interface Visitor {
  member: SignedInMember;
  own: ClubForTests;
  reference: string;
  clickNumber: string;
  form: Record<string, string>;
}

/** A member with one visit, by default ten days ago. */
async function visitor(days = 10): Promise<Visitor> {
  const member = await club.newMember();
  const shop = await makeShop(db, { brandId: club.brand.id, networkId });
  const own = { brandId: club.brand.id, networkId, memberId: member.id, shop };
  const reference = await makeClick(db, own, { createdAt: ago(days) });
  const { click_number: clickNumber } = await db
    .selectFrom("clicks")
    .select("click_number")
    .where("reference", "=", reference)
    .executeTakeFirstOrThrow();
  const form = { order_number: "ORD-1", purchased_on: typedDay(ago(days)), amount: "64.50" };
  return { member, own, reference, clickNumber, form };
}

const newClaim = ({ clickNumber }: Visitor) => `/money/claims/new?click=${clickNumber}`;
const read = async (path: string, member: SignedInMember) => textOf(await (await club.get(path, { member })).text());

async function made(who: Visitor): Promise<string> {
  const answer = await club.post(newClaim(who), who.form, { member: who.member });
  expect(answer.status).toBe(303);
  return answer.headers.get("location")!.replace("?note=made", "");
}

describe("C7 the pages of claims", () => {
  test("C7 a newcomer reads what claims are for, and that there is no visit yet", async () => {
    const member = await club.newMember();
    expect(await read("/money/claims", member)).toContain("No claims");
    expect(await read("/money/claims/new", member)).toContain("No visits yet");
    expect(await read("/money", member)).toContain("Claim a purchase");
  });

  test("C7 visits say until when they can be claimed, and a form that is too late has no field", async () => {
    const [fresh, open, late] = [await visitor(1), await visitor(10), await visitor(120)];
    expect(await read("/money/claims/new", fresh.member)).toContain("It can still show by");
    expect(await read("/money/claims/new", open.member)).toContain("Claim by");
    expect(await read("/money/claims/new", late.member)).toContain("Claims closed on");
    const html = await (await club.get(newClaim(late), { member: late.member })).text();
    expect(textOf(html)).toContain("Claims closed on");
    expect(html).not.toContain('name="order_number"');
    const early = await read(newClaim(fresh), fresh.member);
    expect(early).toContain("It is early");
    expect(early).toContain("Send my claim");
  });

  test("C7 the form of a visit starts with the visit's day, which can be changed", async () => {
    const who = await visitor();
    const html = await (await club.get(newClaim(who), { member: who.member })).text();
    expect(html).toMatch(new RegExp(`<input[^>]*name="purchased_on"[^>]*value="${typedDay(ago(10))}"`));
    const nextDay = { ...who.form, purchased_on: typedDay(ago(9)) };
    expect((await club.post(newClaim(who), nextDay, { member: who.member })).status).toBe(303);
  });

  test("C7 a refused form keeps what was typed, with its message at the field", async () => {
    const who = await visitor();
    const typed = { order_number: 'ä"<b>', purchased_on: "99-99-26", amount: "lots" };
    const answer = await club.post(newClaim(who), typed, { member: who.member });
    expect(answer.status).toBe(400);
    const html = await answer.text();
    for (const value of ["ä&quot;&lt;b&gt;", "99-99-26", "lots"]) expect(html).toContain(`value="${value}"`);
    expect(textOf(html)).toContain("3 things need your attention");
    expect(await db.selectFrom("claims").select("id").where("member_id", "=", who.member.id).execute()).toEqual([]);
  });

  test("C7 a pasted order number with a no-break space and an en dash is taken by the field and the server", async () => {
    const who = await visitor();
    const pasted = " FB–75629532\u00a0";
    const html = await (await club.get(newClaim(who), { member: who.member })).text();
    const field = /<input[^>]*name="order_number"[^>]*>/.exec(html)?.[0] ?? "";
    const pattern = /pattern="([^"]*)"/.exec(field)?.[1] ?? "";
    // As browsers compile it.
    expect(pasted).toMatch(new RegExp(`^(?:${pattern})$`, "v"));
    expect((await club.post(newClaim(who), { ...who.form, order_number: pasted }, { member: who.member })).status).toBe(
      303,
    );
    expect(await read("/money/claims", who.member)).toContain("Order FB-75629532, £64.50");
  });

  test("C7 a claim is made, shown in the list and taken back; a second post shows the first", async () => {
    const who = await visitor();
    const path = await made(who);
    const page = await read(`${path}?note=made`, who.member);
    for (const text of ["We have your claim", "ORD-1", "£64.50", "To be sent", "Take the claim back"])
      expect(page).toContain(text);
    expect(await read("/money/claims", who.member)).toContain("Order ORD-1, £64.50");
    expect(await read("/money", who.member)).toContain("1 claim under way");
    const again = await club.post(newClaim(who), who.form, { member: who.member });
    expect(again.headers.get("location")).toBe(`${path}?note=already`);
    const back = await club.post(path, { intent: "withdraw" }, { member: who.member });
    expect(back.headers.get("location")).toBe(`${path}?note=withdrawn`);
    expect(await read(path, who.member)).toContain("You took it back");
    const late = await club.post(path, { intent: "withdraw" }, { member: who.member });
    expect(late.headers.get("location")).toBe(`${path}?note=too-late`);
  });

  test("C7 a shop that wants evidence says so, and the claim says until when", async () => {
    const who = await visitor();
    await setClaimRule(db, {
      ...{ slug: who.own.shop.retailerSlug, seen: null },
      rule: { opensAfterDays: 2, closesAfterDays: 50, needsEvidence: true },
    });
    expect(await read(newClaim(who), who.member)).toContain("This shop wants to see the order confirmation");
    const path = await made(who);
    const page = await read(path, who.member);
    expect(page).toContain("Something is missing, by");
    expect(page).toContain("Add a file");
    expect(await read("/money", who.member)).toContain("needs something from you");
    expect(await read(`${path}/evidence`, who.member)).toContain("Your photo or PDF");
  });

  test("C7 a declined claim reads its reason and is appealed once; an empty appeal is refused", async () => {
    const who = await visitor();
    const path = await made(who);
    const publicId = path.split("/").at(-1)!;
    await workOnce(db, { ...memoryFiler().filer }, club.services.now());
    const decline = () =>
      decideClaim(db, {
        publicId,
        decision: { state: "declined", reason: "disputed", note: "Came by another site" },
        by: "op",
        now: club.services.now(),
      });
    await decline();
    const page = await read(path, who.member);
    expect(page).toContain(
      "The retailer does not agree that the purchase came through our link. It wrote: “Came by another site”",
    );
    expect(page).toContain("You can appeal once, until");
    const opened = await (await club.get(path, { member: who.member })).text();
    const empty = await club.post(path, { intent: "appeal", words: " " }, { member: who.member });
    expect(empty.status).toBe(400);
    expect(textOf(await empty.text())).toContain("What is wrong with the answer ** This is a required field");
    const appealed = await club.post(
      path,
      { intent: "appeal", words: "I followed only yours" },
      { member: who.member },
    );
    expect(appealed.headers.get("location")).toBe(`${path}?note=appealed`);
    expect(opened).toContain(`data-half-filled="appeal:${publicId}" data-form="appeal-form"`);
    expect(opened).toContain('<form id="appeal-form"');
    expect(await (await club.get(`${path}?note=appealed`, { member: who.member })).text()).toMatch(
      new RegExp(`data-form-arrived="[^"]*appeal:${publicId}"`),
    );
    expect(await read(path, who.member)).toContain("You wrote: “I followed only yours”");
    expect((await club.post(path, { intent: "" }, { member: who.member })).status).toBe(400);
  });

  test("C7 a declined purchase leads to its appeal, with its order number as reported", async () => {
    const who = await visitor();
    const reported = reportedSale(who.own, who.reference, {
      status: "declined",
      reason: "returned",
      orderReference: "AS-REPORTED",
      purchasedAt: ago(10),
    });
    await recordReportedTransaction(db, { networkId, reported, now: club.services.now() });
    const { id } = await db
      .selectFrom("cashback_entries")
      .select("id")
      .where("member_id", "=", who.member.id)
      .executeTakeFirstOrThrow();
    const purchase = `/money/purchases/${cursorOf(id)}`;
    const form = `/money/claims/new?purchase=${cursorOf(id)}`;
    expect(await (await club.get(purchase, { member: who.member })).text()).toContain(`href="${form}"`);
    expect(await read(form, who.member)).toContain("shows you kept the order");
    const answer = await club.post(form, { ...who.form, order_number: "ANOTHER" }, { member: who.member });
    const path = answer.headers.get("location")!.replace("?note=made", "");
    expect(await read(path, who.member)).toContain("AS-REPORTED");
    expect(await read(purchase, who.member)).toContain("See your claim about it");
  });

  test.each([
    ["AB–123", false, "Order AB-123,"],
    ["Nº 5", true, "Order TYPED-5,"],
  ])(
    "C7 a purchase whose network names it %s is claimed, the number typed where it is none",
    async (order, isTyped, said) => {
      const who = await visitor();
      const reported = reportedSale(who.own, who.reference, { orderReference: order, purchasedAt: ago(10) });
      await recordReportedTransaction(db, { networkId, reported, now: club.services.now() });
      const { id } = await db
        .selectFrom("cashback_entries")
        .select("id")
        .where("member_id", "=", who.member.id)
        .executeTakeFirstOrThrow();
      const path = `/money/claims/new?purchase=${cursorOf(id)}`;
      const html = await (await club.get(path, { member: who.member })).text();
      expect(/<input[^>]*id="order_number"/.test(html), "a field of its own").toBe(isTyped);
      const typed = { ...who.form, order_number: "TYPED-5", words: "The amount is wrong" };
      expect((await club.post(path, typed, { member: who.member })).status).toBe(303);
      expect(await read("/money/claims", who.member)).toContain(said);
    },
  );

  test("C7 an order that has tracked is not claimed, and the page leads to it", async () => {
    const who = await visitor();
    expect(await read("/money/claims/new", who.member)).not.toContain("One purchase is in your account");
    expect(await read(newClaim(who), who.member)).not.toContain("there already");
    await recordReportedTransaction(db, {
      networkId,
      reported: reportedSale(who.own, who.reference, { orderReference: "ord-1", purchasedAt: ago(10) }),
      now: club.services.now(),
    });
    expect(await read("/money/claims/new", who.member)).toContain("One purchase is in your account. Claim another by");
    const form = await (await club.get(newClaim(who), { member: who.member })).text();
    expect(textOf(form)).toMatch(/This purchase is there already £[\d.]+ on \d+ \w+ \d{4} , £[\d.]+ cashback/);
    expect(form).toMatch(/href="\/money\/purchases\/[\w-]+"/);
    const answer = await club.post(newClaim(who), who.form, { member: who.member });
    expect(answer.status).toBe(409);
    const html = await answer.text();
    expect(textOf(html)).toContain("It is there already");
    expect(html).toContain('value="64.50"');
  });

  test("C7 S1 for another member and for nonsense there is nothing", async () => {
    const [who, other] = [await visitor(), await club.newMember()];
    const path = await made(who);
    for (const address of [
      path,
      `${path}/evidence`,
      newClaim(who),
      "/money/claims/x",
      "/money/claims/new?click=%00",
      "/money/claims/new?purchase=x",
    ])
      expect((await club.get(address, { member: other })).status, address).toBe(404);
    for (const form of [{ intent: "withdraw" }, { intent: "appeal", words: "x" }])
      expect((await club.post(path, form, { member: other })).status).toBe(404);
    expect((await club.post(newClaim(who), who.form, { member: other })).status).toBe(404);
    expect((await club.post("/money/claims", { click: who.clickNumber }, { member: other })).status).toBe(404);
    for (const address of ["/money/claims", path])
      expect((await club.get(address)).headers.get("location"), address).toMatch(/^\/login/);
  });
});
