import { giveGoodwill, reverseGoodwill } from "@farthing/core/goodwill/operations.server.ts";
import { advanceClosures } from "@farthing/core/closures/close-member.server.ts";
import { requestClosure } from "@farthing/core/closures/operations.server.ts";
import { closureDays, daysAfter } from "@farthing/core/closures/rules.ts";
import { stopPayout } from "@farthing/core/payouts/failures.server.ts";
import { settleAsPaid } from "@farthing/core/payable/settle.server.ts";
import { PAYOUT_REASONS } from "@farthing/core/payouts/rules.ts";
import { earn, giveDetails, payeeKeys, WEDNESDAY } from "@farthing/core/payouts/payouts.testing.ts";
import type { CardIssuer } from "@farthing/core/gift-cards/issuer.ts";
import { memoryIssuer, product } from "@farthing/core/gift-cards/memory-issuer.testing.ts";
import { syncCatalogue } from "@farthing/core/gift-cards/sync-catalogue.server.ts";
import { makeShop } from "@farthing/core/clicks/clicks.testing.ts";
import { issueToken } from "@farthing/core/members/token.server.ts";
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
  await db.updateTable("brands").set({ payout_threshold_pence: 500 }).where("id", "=", club.brand.id).execute();
});

const [WITHDRAW, DETAILS, REMOVE] = ["/money/withdraw", "/money/bank-details", "/remove-bank-details"];
const bank = { payee_name: "Ada Tester", sort_code: "08-99-99", account_number: "66374958" };

/** A member who has just logged in. */
async function newMember(): Promise<SignedInMember> {
  return { ...(await club.newMember()), authenticatedAt: club.services.now() };
}

async function earnSixPounds(member: SignedInMember): Promise<void> {
  const brandId = club.brand.id;
  const shop = await makeShop(db, { brandId, networkId });
  await earn(db, { brandId, networkId, memberId: member.id, shop });
}

const read = async (path: string, member: SignedInMember) => textOf(await (await club.get(path, { member })).text());
const payoutOf = ({ id }: SignedInMember) =>
  db.selectFrom("payouts").selectAll().where("member_id", "=", id).orderBy("id", "desc").executeTakeFirst();
const detailsOf = ({ id }: SignedInMember) =>
  db.selectFrom("bank_details").selectAll().where("member_id", "=", id).executeTakeFirst();

describe("C6 the page to withdraw", () => {
  test("C6 says how much is missing, then asks for bank details, then withdraws, and shows what is under way", async () => {
    const member = await newMember();
    expect(await read(WITHDRAW, member)).toContain("You can withdraw from £5.00: £5.00 to go");
    await earnSixPounds(member);
    expect(await read(WITHDRAW, member)).toContain("Give your bank details");
    const early = await club.post(WITHDRAW, { intent: "withdraw" }, { member });
    expect(early.headers.get("location")).toBe(DETAILS);
    await giveDetails(db, { brandId: club.brand.id, memberId: member.id });
    expect(await read(WITHDRAW, member)).toContain("account ending in 4958");
    const sent = await club.post(WITHDRAW, { intent: "withdraw" }, { member });
    expect(sent.headers.get("location")).toBe(`${WITHDRAW}?note=requested`);
    expect(await payoutOf(member)).toMatchObject({ state: "requested", amount_pence: 600 });
    const page = await read(`${WITHDRAW}?note=requested`, member);
    for (const text of ["On its way to you", "£6.00", "On the next working day", "Cancel the withdrawal"])
      expect(page).toContain(text);
  });

  test("C6 asks who the member is before a withdrawal, and not before cancelling one", async () => {
    const member = await newMember();
    await earnSixPounds(member);
    await giveDetails(db, { brandId: club.brand.id, memberId: member.id });
    const stale = { ...member, authenticatedAt: new Date(club.services.now().getTime() - 3_600_000) };
    const asked = await club.post(WITHDRAW, { intent: "withdraw" }, { member: stale });
    expect(asked.headers.get("location")).toMatch(/^\/login\/again\?next=%2Fmoney%2Fwithdraw/);
    expect(await payoutOf(member)).toBeUndefined();
    await club.post(WITHDRAW, { intent: "withdraw" }, { member });
    const { public_id: payout } = (await payoutOf(member))!;
    const cancelled = await club.post(WITHDRAW, { intent: "cancel", payout }, { member: stale });
    expect(cancelled.headers.get("location")).toBe(`${WITHDRAW}?note=cancelled`);
    expect(await payoutOf(member)).toMatchObject({ state: "failed", reason: "cancelled" });
    expect(await read(WITHDRAW, member)).toContain("You cancelled it. The money is back in your balance.");
  });

  test.each([
    { reason: "operator", says: "The money is back in your balance.", panel: "It is yours again." },
    {
      reason: "balance_fell",
      says: "What is left of it is in your balance.",
      panel: "What is left of it is in your balance.",
    },
    {
      reason: "bonus_held",
      says: "What is left of it is in your balance.",
      panel: "What is left of it is in your balance.",
    },
  ] as const)("C6 says whether all of the money is back: $reason", async ({ reason, says, panel }) => {
    const member = await newMember();
    await earnSixPounds(member);
    await giveDetails(db, { brandId: club.brand.id, memberId: member.id });
    await club.post(WITHDRAW, { intent: "withdraw" }, { member });
    const { public_id: publicId } = (await payoutOf(member))!;
    const now = club.services.now();
    expect(await stopPayout(db, { publicId, reason, by: "an operator", now })).toEqual({ outcome: "stopped" });
    expect(await read(WITHDRAW, member)).toContain(`${PAYOUT_REASONS[reason].text} ${says}`);
    expect(await read("/money", member)).toContain(`£6.00 did not reach your bank account. ${panel}`);
  });

  test("C6 C7 what the club took back after it was paid is not said to be a shop's doing", async () => {
    const member = await newMember();
    const now = club.services.now();
    const own = { brandId: club.brand.id, memberId: member.id, by: "an operator", reference: `G-${member.id}`, now };
    const limits = { dayPence: 10_000, memberPence: 10_000 };
    const credit = { amountPence: 500, reason: "our_mistake", note: "A test", claimPublicId: null, limits } as const;
    await giveGoodwill(db, { ...own, ...credit });
    const paid = { key: `paid:${member.id}`, cause: { kind: "payout", id: member.id }, entryIds: null } as const;
    await db
      .transaction()
      .execute((trx) => settleAsPaid(trx, { ...own, ...paid, memberId: member.id, amountPence: 500, from: "payable" }));
    await reverseGoodwill(db, { ...own, note: "A mistake" });
    const page = await read(WITHDRAW, member);
    expect(page).toContain("£5.00 was taken back after we had paid you. We never ask for it");
    expect(page).not.toContain("A shop");
  });

  test.each([
    { state: "requested", canStay: true },
    { state: "awaiting_payout", canStay: false },
  ])(
    "C6 M5 who leaves reads where their money goes, and is not promised a payment: $state",
    async ({ state, canStay }) => {
      const member = await newMember();
      await earnSixPounds(member);
      const own = {
        brandId: club.brand.id,
        memberId: member.id,
        payee: null,
        asksForPayeeLater: true,
        keys: payeeKeys,
      };
      const choices = { pendingChoice: "wait", payableChoice: state === "requested" ? "give-up" : "pay-out" } as const;
      const now = club.services.now();
      expect(await requestClosure(db, { ...own, ...choices, now })).toEqual({ outcome: "requested" });
      if (state === "awaiting_payout") await advanceClosures(db, { now: daysAfter(now, closureDays.cancel) });
      const page = await read(WITHDRAW, member);
      expect(page).toContain("What happens to your money is on the page about closing. See it");
      expect(page.includes("or keep your account")).toBe(canStay);
      expect(page).not.toContain("is paid before");
    },
  );

  test("C6 shows a hold without its reason, and another member's payout is not found", async () => {
    const member = await newMember();
    await earnSixPounds(member);
    await giveDetails(db, { brandId: club.brand.id, memberId: member.id });
    await club.post(WITHDRAW, { intent: "withdraw" }, { member });
    const { public_id: payout } = (await payoutOf(member))!;
    const other = await newMember();
    expect((await club.post(WITHDRAW, { intent: "cancel", payout }, { member: other })).status).toBe(404);
    for (const intent of ["", "take", "withdraw2"])
      expect((await club.post(WITHDRAW, { intent }, { member: other })).status, intent).toBe(400);
    await db
      .insertInto("payout_holds")
      .values({
        id: member.id,
        brand_id: club.brand.id,
        member_id: member.id,
        reason: "a stolen card",
        placed_by: "an operator",
        placed_at: WEDNESDAY,
      })
      .execute();
    const page = await read(WITHDRAW, member);
    expect(page).toContain("We have a question about your account");
    expect(page).not.toContain("a stolen card");
  });
});

describe("C6 G4 the pages to take a gift card", () => {
  const CARDS = "/money/withdraw/gift-cards";
  const world = memoryIssuer([product("fixed", { name: "Fern & Hollow" })], () => WEDNESDAY);
  beforeAll(async () => {
    await syncCatalogue(db, world.issuer, { now: WEDNESDAY });
    (club.services.giftCards.issuers as Map<string, CardIssuer>).set(world.issuer.slug, world.issuer);
  });
  const chosen = `${CARDS}/fern-hollow?value=10`;
  /** Sends the form of a card's page as it stands there. */
  async function take(member: SignedInMember, more: Record<string, string> = {}, as = member) {
    const html = await (await club.get(chosen, { member })).text();
    const key = /name="key" value="([^"]+)"/.exec(html)?.[1] ?? "";
    const shown = /name="shown" value="([^"]+)"/.exec(html)?.[1] ?? "";
    return club.post(chosen, { value: "10.00", shown, key, ...more }, { member: as });
  }
  const rich = async () => {
    const member = await newMember();
    for (const _ of [1, 2]) await earnSixPounds(member);
    return member;
  };

  test("C6 lists what the balance pays for, asks who the member is and comes back to the chosen value, then takes it once", async () => {
    const member = await rich();
    expect(await read(CARDS, member)).toContain("You have £12.00.");
    expect(await read(`${CARDS}/fern-hollow?value=25`, member)).toContain("Choose £10.");
    const stale = { ...member, authenticatedAt: new Date(club.services.now().getTime() - 3_600_000) };
    const asked = await take(member, {}, stale);
    expect(asked.headers.get("location")).toBe(
      `/login/again?next=${encodeURIComponent(`${CARDS}/fern-hollow?note=not-saved&value=10.00`)}`,
    );
    expect(await read(`${CARDS}/fern-hollow?note=not-saved&value=10.00`, member)).toContain("Nothing was saved.");
    const sent = await take(member);
    expect(sent.headers.get("location")).toBe(`${WITHDRAW}?note=card`);
    expect(await payoutOf(member)).toMatchObject({ state: "requested", method: "gift-card" });
    const page = await read(`${WITHDRAW}?note=card`, member);
    for (const text of ["Your card is being made", "Fern & Hollow gift card, £10", "Cancel the withdrawal"])
      expect(page).toContain(text);
    expect((await club.get(CARDS, { member })).headers.get("location")).toBe(WITHDRAW);
  });

  test("C6 says why a card was not taken, with the same card and value ready to try again", async () => {
    const member = await rich();
    world.refusals.set("fixed", "out-of-stock");
    const refused = await take(member);
    world.refusals.clear();
    expect(refused.status).toBe(422);
    const text = textOf(await refused.text());
    expect(text).toContain("Fern & Hollow is out of stock.");
    expect(text).toContain("Take the £10 card for");
    expect(await payoutOf(member)).toBeUndefined();
    expect((await take(member, { shown: "no price" })).status).toBe(400);
  });

  test("C6 the member cancels a card that was not asked for yet, and another member can't", async () => {
    const member = await rich();
    await take(member);
    const { public_id: payout } = (await payoutOf(member))!;
    const other = await newMember();
    expect((await club.post(WITHDRAW, { intent: "cancel", payout }, { member: other })).status).toBe(404);
    const cancelled = await club.post(WITHDRAW, { intent: "cancel", payout }, { member });
    expect(cancelled.headers.get("location")).toBe(`${WITHDRAW}?note=cancelled`);
    const page = await read(WITHDRAW, member);
    for (const text of ["No gift card", "You cancelled it. The money is back in your balance.", "£12.00"])
      expect(page).toContain(text);
  });
});

describe("C6 the page of bank details", () => {
  test("C6 asks who the member is before it opens", async () => {
    const member = await newMember();
    const stale = { ...member, authenticatedAt: new Date(club.services.now().getTime() - 3_600_000) };
    const opened = await club.get(DETAILS, { member: stale });
    expect(opened.headers.get("location")).toBe("/login/again?next=%2Fmoney%2Fbank-details");
    expect(await read(DETAILS, member)).not.toContain("Nothing was saved");
  });

  test("C6 M5 says that nothing was saved where the proof ran out before the details were sent", async () => {
    const member = await newMember();
    const stale = { ...member, authenticatedAt: new Date(club.services.now().getTime() - 3_600_000) };
    const sent = await club.post(DETAILS, bank, { member: stale });
    expect(sent.headers.get("location")).toBe("/login/again?next=%2Fmoney%2Fbank-details%3Fnote%3Dnot-saved");
    expect(await detailsOf(member)).toBeUndefined();
    expect(await read(`${DETAILS}?note=not-saved`, member)).toContain("Nothing was saved. Please send it again.");
  });

  test("C6 keeps what was typed, and says at both numbers that they do not belong together", async () => {
    const member = await newMember();
    const answer = await club.post(DETAILS, { ...bank, account_number: "66374959" }, { member });
    expect(answer.status).toBe(400);
    const html = await answer.text();
    for (const value of ["Ada Tester", "08-99-99", "66374959"]) expect(html).toContain(`value="${value}"`);
    expect(textOf(html).match(/do not belong together/g)?.length).toBeGreaterThanOrEqual(2);
    expect(textOf(html)).toContain("your card or your bank’s app");
    expect(html).toMatch(/name="sort_code"[^>]*/);
    expect(/<input[^>]*name="sort_code"[^>]*>/.exec(html)?.[0]).toMatch(/autoComplete="off"|autocomplete="off"/);
    expect(/<input[^>]*name="sort_code"[^>]*>/.exec(html)?.[0]).toMatch(/inputmode="numeric"/i);
    expect(await detailsOf(member)).toBeUndefined();
  });

  test("C6 saves them, shows the last four digits alone, and says until when nothing is paid there", async () => {
    const member = await newMember();
    const answer = await club.post(DETAILS, bank, { member });
    expect(answer.headers.get("location")).toBe(`${DETAILS}?saved=yes`);
    const page = await (await club.get(`${DETAILS}?saved=yes`, { member })).text();
    expect(textOf(page)).toContain("nothing is paid there before");
    expect(textOf(page)).toContain("4958");
    expect(page).not.toContain(bank.account_number);
    const again = await club.post(DETAILS, bank, { member });
    expect(again.headers.get("location")).toBe(`${DETAILS}?saved=same`);
    expect((await detailsOf(member))?.sealed).not.toContain(bank.account_number);
  });

  test("C6 “This was not me” removes them without a session, once", async () => {
    const member = await newMember();
    await club.post(DETAILS, bank, { member });
    const token = await issueToken(db, {
      brandId: club.brand.id,
      memberId: member.id,
      purpose: "remove-bank-details",
      email: "ada@members.example",
      now: club.services.now(),
    });
    expect(textOf(await (await club.get(`${REMOVE}?token=${token}`)).text())).toContain("Was it not you?");
    expect(await detailsOf(member), "opening the link changes nothing: mail programs open links").toBeDefined();
    expect((await club.post(REMOVE, { token })).status).toBe(200);
    expect(await detailsOf(member)).toBeUndefined();
    expect((await club.post(REMOVE, { token })).status).toBe(410);
    expect((await club.get(`${REMOVE}?token=nonsense`)).status).toBe(410);
  });
});
