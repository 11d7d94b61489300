import {
  daysFromNow,
  insertBoost,
  insertCode,
  insertOffer,
  insertProgramme,
  insertRateTier,
  insertRetailer,
  NOW,
  type NewOffer,
} from "@farthing/core/catalogue/catalogue.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { createViewRecorder } from "@farthing/core/favourites/view-recorder.server.ts";
import type { VoteOutcome } from "@farthing/core/votes/rules.ts";
import { castVote } from "@farthing/core/votes/operations.server.ts";
import faqs from "@farthing/db/seeds/faqs.json" with { type: "json" };
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { hiddenField, loadSite, openClub, tag, type TestClub, textOf } from "../../../testing/site.testing.ts";

const { db } = await testDatabase();
loadSite();

let club: TestClub;
let networkId: string;
beforeAll(async () => {
  club = await openClub(db);
  networkId = (await insertNetwork(db)).id;
});

async function newOffer(options: Partial<NewOffer> = {}) {
  const retailer = await insertRetailer(db, { brandIds: [club.brand.id] });
  const programme = await insertProgramme(db, { networkId, retailerId: retailer.id });
  const made = await insertOffer(db, { networkId, retailerId: retailer.id, programmeId: programme.id, ...options });
  return { ...made, retailer, programme, path: `/offers/${made.slug}?offer=${made.publicId}` };
}
type Offer = Awaited<ReturnType<typeof newOffer>>;

async function newCode(code = "SAVE10", options: Partial<NewOffer> = {}) {
  const offer = await newOffer({ kind: "code", ...options });
  await insertCode(db, { offerId: offer.id, code });
  return offer;
}

async function newReveal(offer: Offer) {
  const member = await club.newMember();
  const token = hiddenField(await (await club.get(offer.path, { member })).text(), "reveal_code");
  return { member, html: await (await club.get(`${offer.path}&reveal_code=${token}`, { member })).text() };
}
const page = async (offer: Offer, options: Parameters<TestClub["get"]>[1] = {}) =>
  await (await club.get(offer.path, options)).text();

describe("each kind of offer", () => {
  test("O7 C3 an offer for the app promises no tracking by this site", async () => {
    const offer = await newOffer({ kind: "app_exclusive" });
    await insertRateTier(db, { programmeId: offer.programme.id, bp: 600 });
    const text = textOf(await page(offer));
    expect(text).toContain("Only what you buy in the app counts");
    expect(text).not.toMatch(/Shows in your account|Your cashback shows|confirmed (within|in|straight)/);
    const deal = await newOffer({ kind: "deal" });
    await insertRateTier(db, { programmeId: deal.programme.id, bp: 600 });
    expect(textOf(await page(deal))).toContain("Shows in your account");
  });

  test("O7 C3 a shop whose rates are all nothing promises no cashback, on the offer's page and its own", async () => {
    const offer = await newOffer({ kind: "deal" });
    await insertRateTier(db, { programmeId: offer.programme.id, bp: 0 });
    for (const path of [offer.path, `/retailers/${offer.retailer.slug}`]) {
      const text = textOf(await (await club.get(path)).text());
      expect(text).not.toMatch(/Shows in your account|Your cashback shows|What you earn|When the money arrives/);
    }
    expect(textOf(await page(offer))).toContain("There is no cashback on this one");
  });

  test("O7 a deal with a code says how the code is used, as its button does", async () => {
    const offer = await newOffer({ kind: "deal" });
    await insertCode(db, { offerId: offer.id, code: "DEAL10" });
    const text = textOf(await page(offer));
    expect(text).toContain("Press “Reveal code”");
    expect(text).not.toContain("Press “Get deal”");
  });

  test("C1 what warns of a blocked network offers the page's address and its QR code, where there is cashback to lose", async () => {
    const offer = await newOffer({ kind: "deal" });
    const member = await club.newMember();
    expect(await page(offer, { member })).not.toContain("pre-flight-dialog");
    await insertRateTier(db, { programmeId: offer.programme.id, bp: 500 });
    expect(await page(offer)).not.toContain("pre-flight-dialog");
    for (const path of [offer.path, `/retailers/${offer.retailer.slug}`]) {
      const html = await (await club.get(path, { member })).text();
      const address = `http://${club.brand.mainHost}${path}`;
      expect(html.replace(/<code id="pre-flight-link"[^>]*>/, "LINK:")).toContain(`LINK:${address}</code>`);
      expect(tag(html, "button", 'data-copies="pre-flight-link"')).toContain('data-what="link"');
      expect(tag(html, "svg", "qr-code")).toContain("QR code that opens this page");
    }
  });

  test("O4 the button, its answer and the FAQ about it use the same words", async () => {
    const { html } = await newReveal(await newCode());
    expect(html).toMatch(/<button[^>]*value="failed"[^>]*>It did not work</);
    expect(JSON.stringify(faqs)).toContain("press “It did not work”");
  });

  test("O4 in store: a member is sent to the digital ID, a visitor to the login and back", async () => {
    const offer = await newOffer({ kind: "in_store" });
    expect(await page(offer, { member: await club.newMember() })).toContain('href="/digital-id"');
    const html = await page(offer);
    expect(html).not.toContain('href="/digital-id"');
    expect(html).toContain(`href="/login?next=${encodeURIComponent(offer.path)}`);
    expect(textOf(html)).toContain("show your digital ID");
  });

  test("O5 P8 app-exclusive: the button asks our server for the store, and without script the page has both links and a QR code", async () => {
    const offer = await newOffer({ kind: "app_exclusive" });
    const html = await page(offer);
    expect(tag(html, "a", `/go/app/${offer.publicId}`)).toContain("button");
    expect(tag(html, "svg", "qr-code")).toContain("QR code");
    expect(html).toContain('href="https://apps.example/ios"');
    expect(html).not.toContain(`/go/offers/${offer.publicId}`);
  });

  test("O5 B3 app-exclusive: a brand that takes no part, or has no app, says so, leads on, and keeps the page out of search engines", async () => {
    const offer = await newOffer({ kind: "app_exclusive" });
    await insertRateTier(db, { programmeId: offer.programme.id, bp: 600 });
    const upcoming = await newOffer({ kind: "app_exclusive", startsAt: daysFromNow(2) });
    const ended = await newOffer({ kind: "app_exclusive", endsAt: daysFromNow(-2) });
    const { features, storeLinks } = club.brand;
    for (const without of [
      { features: { ...features, appExclusive: false }, storeLinks },
      { features, storeLinks: { ios: null, android: null } },
    ]) {
      Object.assign(club.brand, without);
      for (const { path, retailer } of [offer, upcoming]) {
        const response = await club.get(path);
        expect(response.status).toBe(404);
        const html = await response.text();
        expect(textOf(html)).toContain(
          `It is for an app only, and ${club.brand.name} does not take part in app offers.`,
        );
        expect(html).toContain('name="robots" content="noindex"');
        expect(tag(html, "a", `/retailers/${retailer.slug}`)).toBeTruthy();
        expect(textOf(html)).toContain(`What ${retailer.name} has on now`);
        expect(html).not.toMatch(/"\/go\/|"@type":"Offer"/);
        expect(textOf(html)).not.toMatch(/How it works|What you earn|Get our app|Starts on|there will be a button/);
      }
      expect((await club.get(ended.path)).status, "an offer that is over is over everywhere").toBe(410);
    }
    Object.assign(club.brand, { features, storeLinks });
    expect((await club.get(offer.path)).status).toBe(200);
  });

  test("O4 gift card: leads to our gift-card page where the brand has one; otherwise the page says why not and links to the retailer", async () => {
    const offer = await newOffer({ kind: "gift_card" });
    const without = await page(offer);
    expect(textOf(without)).toContain("does not sell gift cards itself");
    expect(without).toContain(`/go/offers/${offer.publicId}`);
    expect(textOf(without)).toContain("Press “Get deal”");
    expect(textOf(without)).not.toMatch(/Press “Choose a gift card”|comes by e-mail/);
    club.brand.features.giftCards = true;
    const html = await page(offer);
    club.brand.features.giftCards = false;
    expect(html).toContain(`href="/gift-cards?retailer=${offer.retailer.slug}"`);
    expect(textOf(html)).toContain("Press “Choose a gift card”");
    expect(textOf(html)).not.toContain("Get deal");
  });

  test("O7 a gift card with a code says how the code is used, as its button does", async () => {
    const offer = await newOffer({ kind: "gift_card" });
    await insertCode(db, { offerId: offer.id, code: "CARD10" });
    const text = textOf(await page(offer));
    expect(text).toContain("Press “Reveal code”");
    expect(text).not.toMatch(/Press “(Get deal|Choose a gift card)”/);
  });

  test("O7 a boost is shown with its last day and the usual rate, and the example with the amount it is based on", async () => {
    const offer = await newOffer({ kind: "deal" });
    const tier = await insertRateTier(db, { programmeId: offer.programme.id, bp: 500 });
    await insertBoost(db, {
      rateTierId: tier.id,
      bp: 800,
      startsAt: daysFromNow(-1),
      endsAt: new Date("2026-11-23T00:00:00Z"),
    });
    const text = textOf(await page(offer));
    expect(text).toContain("Boosted to 8% until 22 November , usually 5%");
    expect(text).toContain("£3.33 on £50.00, worked out on the price without VAT and delivery");
  });

  test("O7 in its last day an offer shows the time left without script", async () => {
    const soon = await newOffer({ endsAt: new Date(NOW.getTime() + 5 * 3_600_000 + 60_000) });
    expect(textOf(await page(soon))).toContain("Ends today at 17:01 5 h 1 min left");
    expect(textOf(await page(await newOffer({ endsAt: daysFromNow(2) })))).not.toContain(" left");
  });

  test("D10 an offer that a member views is recorded; a visitor's view or a prefetch is not", async () => {
    const views = createViewRecorder({ db, onError: (error) => expect.unreachable(String(error)) });
    club.services.views = views;
    const [seen, ahead] = [await newOffer(), await newOffer()];
    const member = await club.newMember();
    await page(seen, { member });
    await page(ahead, { member, headers: { "Sec-Purpose": "prefetch" } });
    await page(seen);
    // Nor what an operator sees as the member (A3).
    const operator = { id: member.id, email: "ada@club.example", name: "Ada" };
    await page(ahead, {
      member,
      acting: { publicId: "x".repeat(22), memberId: member.id, operator, endsAt: daysFromNow(1) },
    });
    await views.close();
    delete club.services.views;
    const viewed = await db.selectFrom("viewed_offers").select(["member_id", "offer_id"]).execute();
    expect(viewed).toEqual([{ member_id: member.id, offer_id: seen.id }]);
  });
});

describe("did it work?", () => {
  const vote = (offer: Offer, outcome: string, options: Parameters<TestClub["post"]>[2]) =>
    club.post(offer.path, { vote: outcome }, options);

  test("O4 P8 without script a member who was shown the code votes with one button, and is thanked", async () => {
    const offer = await newCode();
    const { member, html } = await newReveal(offer);
    expect(tag(html, "form", "did-it-work")).toContain('method="post"');
    const answer = await vote(offer, "worked", { member });
    expect(answer.status).toBe(303);
    expect(answer.headers.get("Location")).toBe(`${offer.path}#did-it-work`);
    const after = await page(offer, { member });
    expect(textOf(after)).toContain("You said today that it worked");
    expect(tag(after, "button", 'value="worked"')).toContain('aria-pressed="true"');
  });

  test("O4 a script is answered 204", async () => {
    const offer = await newCode();
    const { member } = await newReveal(offer);
    expect((await vote(offer, "failed", { member, headers: { Accept: "application/json" } })).status).toBe(204);
  });

  test("O4 S1 members who were not shown the code cannot vote; nor can visitors, nor members of another brand", async () => {
    const offer = await newCode();
    const { member: theirs } = await newReveal(offer);
    const member = await club.newMember();
    expect(await page(offer, { member })).not.toContain("Did the code work?");
    expect((await vote(offer, "failed", { member })).status).toBe(409);
    expect((await vote(offer, "nonsense", { member: theirs })).status).toBe(400);
    const stranger = await vote(offer, "failed", {});
    expect(stranger.headers.get("Location")).toBe(`/login?next=${encodeURIComponent(offer.path)}`);
    const other = await openClub(db);
    expect((await other.post(offer.path, { vote: "failed" }, { member: theirs })).status).toBe(409);
    expect(await db.selectFrom("code_votes").select("id").where("offer_id", "=", offer.id).execute()).toEqual([]);
  });

  async function voteAs(offer: Offer, outcome: VoteOutcome, members: number) {
    for (let count = 0; count < members; count += 1) {
      const { member } = await newReveal(offer);
      const whose = { brandId: club.brand.id, memberId: member.id };
      await castVote(db, { ...whose, offerPublicId: offer.publicId, variantPublicId: null, outcome, now: NOW });
    }
  }

  test("O4 the page says for how many members the code worked this week, from five members on", async () => {
    const offer = await newCode();
    await voteAs(offer, "worked", 4);
    expect(textOf(await page(offer))).not.toContain("Worked for");
    await voteAs(offer, "worked", 1);
    expect(textOf(await page(offer))).toContain("Worked for 5 members this week; last today");
  });

  test("O4 a code that failed for three members today says so before it is revealed, and is listed after the retailer's others", async () => {
    const offer = await newCode("FAILS", { popularity: 9 });
    const other = await insertOffer(db, { networkId, retailerId: offer.retailer.id, title: "The other one" });
    await voteAs(offer, "failed", 3);
    expect(textOf(await page(offer))).toContain("3 members told us today that this code did not work");
    const html = await (await club.get(`/retailers/${offer.retailer.slug}`)).text();
    expect(html.indexOf(other.publicId)).toBeLessThan(html.indexOf(offer.publicId));
  });

  test("O4 similar offers are live offers of this brand", async () => {
    const offer = await newCode();
    const sibling = { networkId, retailerId: offer.retailer.id };
    const over = await insertOffer(db, { ...sibling, startsAt: daysFromNow(-9), endsAt: daysFromNow(-1) });
    const reserved = await insertOffer(db, { ...sibling, onlyBrandIds: [(await openClub(db)).brand.id] });
    const live = await insertOffer(db, sibling);
    const html = await page(offer);
    expect(html).toContain(live.publicId);
    expect(html).not.toContain(over.publicId);
    expect(html).not.toContain(reserved.publicId);
  });
});
