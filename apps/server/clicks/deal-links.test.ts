import { offerKinds } from "@farthing/core/catalogue/catalogue-view.ts";
import {
  insertCode,
  insertOffer,
  insertProgramme,
  insertRateTier,
  insertRetailer,
  NOW,
} from "@farthing/core/catalogue/catalogue.testing.ts";
import { listOfferCards } from "@farthing/core/catalogue/offers/offer-cards.server.ts";
import { createClickRecorder } from "@farthing/core/clicks/click-recorder.server.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { hiddenField, loadSite, openClub, textOf } from "@farthing/site/testing/site.testing.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { goAppForTests } from "./go.testing.ts";

// Every deal link that an offer's page prints, and what the link answers.

const { db } = await testDatabase();
loadSite();
const clicks = createClickRecorder({ db });
afterAll(() => clicks.close());
const club = await openClub(db);
const networkId = (await insertNetwork(db, { slug: "awin" })).id;
const member = await club.newMember();

const left = (await insertNetwork(db)).id;

type Programme = "joined" | "left" | "moved" | "none";

/**
 * An offer at a shop of its own. A shop that left its network has a programme that is not joined any more; one that moved has another
 * that is.
 */
async function newOffer(kind: (typeof offerKinds)[number], programme: Programme, hasCode: boolean) {
  const retailer = await insertRetailer(db, { brandIds: [club.brand.id] });
  const own = { networkId: programme === "moved" ? left : networkId, isPreferred: programme !== "moved" };
  const status = programme === "joined" ? "joined" : "not_joined";
  const { id: programmeId } =
    programme === "none" ? { id: null } : await insertProgramme(db, { ...own, retailerId: retailer.id, status });
  if (programmeId) await insertRateTier(db, { programmeId, bp: 500 });
  if (programme === "moved") {
    const other = await insertProgramme(db, { networkId, retailerId: retailer.id });
    await insertRateTier(db, { programmeId: other.id, bp: 700 });
  }
  const offer = await insertOffer(db, {
    ...{ networkId, retailerId: retailer.id, kind },
    programmeId: kind === "in_store" ? null : programmeId,
  });
  if (programme === "none")
    await db.updateTable("offers").set({ network_id: null }).where("id", "=", offer.id).execute();
  if (hasCode) await insertCode(db, { offerId: offer.id, code: "SAVE10" });
  return { ...offer, path: `/offers/${offer.slug}?offer=${offer.publicId}` };
}

/** The page before the code is revealed and, where there is one, after. */
async function pagesOf(path: string): Promise<string[]> {
  const before = await (await club.get(path, { member })).text();
  const token = hiddenField(before, "reveal_code");
  if (token === null) return [before];
  return [before, await (await club.get(`${path}&reveal_code=${token}`, { member })).text()];
}

const linksIn = (html: string) =>
  [...html.matchAll(/(?:href|data-opens)="(\/go\/offers\/[^"]*)"/g)].map(([, to]) => to!);

const goApp = goAppForTests({ db, clicks, brandId: club.brand.id, memberId: member.id, now: () => NOW });
async function follow(path: string): Promise<string> {
  const answer = await goApp.request(`http://club.test${path}`);
  expect(answer.status).toBe(302);
  return answer.headers.get("location") ?? "";
}

describe.each(["joined", "left", "moved", "none"] as const)("C1 O4 where the programme is %s", (programme) => {
  describe.each([false, true])("and the brand's own sale of gift cards %s", (giftCards) => {
    beforeAll(async () => {
      club.brand.features.giftCards = giftCards;
      const features = JSON.stringify(club.brand.features);
      await db.updateTable("brands").set({ features }).where("id", "=", club.brand.id).execute();
    });

    test.each(offerKinds.flatMap((kind) => [false, true].map((hasCode) => [kind, hasCode] as const)))(
      "C1 O3 O4 an offer %s, with a code %s, prints only deal links that lead to the shop",
      async (kind, hasCode) => {
        const { path, publicId } = await newOffer(kind, programme, hasCode);
        const pages = await pagesOf(path);
        const links = pages.flatMap(linksIn);
        const isTracked = programme === "joined" || programme === "moved";
        for (const link of links)
          expect(await follow(link)).toMatch(
            isTracked ? /^https:\/\/network\.test\// : /^https:\/\/[\w.-]+\.example\//,
          );

        const isElsewhere = kind === "in_store" || kind === "app_exclusive";
        const isOurs = kind === "gift_card" && giftCards && !hasCode;
        const hasLink = !isElsewhere && !isOurs && (kind !== "cashback" || isTracked);
        expect(links.length > 0).toBe(hasLink);
        for (const html of pages) {
          const text = textOf(html);
          if (!hasLink) expect(text).not.toMatch(/Get deal|in a new tab|link still works/);
          if (hasLink && !isTracked) expect(text).toMatch(/no cashback on this one/);
          if (!isTracked) expect(text).not.toMatch(/Shows in your account|Your cashback shows/);
          // Only a purchase that can earn something is checked before it (O7).
          expect(html.includes("data-checked-by")).toBe(hasLink && isTracked);
        }
        const recorded = await db
          .selectFrom("clicks")
          .innerJoin("offers", "offers.id", "clicks.offer_id")
          .select("clicks.rate_snapshot")
          .where("offers.public_id", "=", publicId)
          .execute();
        expect(recorded).toHaveLength(isTracked ? links.length : 0);
        // What the page and the card say is what the click was recorded with (O7, C5).
        const [percent, bp] = programme === "moved" ? ["7%", 700] : ["5%", 500];
        for (const click of recorded) expect(click.rate_snapshot).toMatchObject({ rates: [{ rateBp: bp }] });
        const filters = { publicIds: [publicId] };
        const [card] = await listOfferCards(db, { brandId: club.brand.id, now: NOW, filters });
        if (isOurs) {
          // Nobody but the brand sees the purchase, so that no network pays for it (O4).
          for (const html of pages)
            expect(textOf(html)).not.toMatch(
              /\d% |cashback on this one|What you earn|money arrives|Shows in your account|Your cashback shows/,
            );
          expect(card).toMatchObject({ publicId, plusCashback: null });
        }
        if (hasLink && isTracked) {
          for (const html of pages) expect(textOf(html)).toContain(`${percent} `);
          expect(card?.plusCashback).toBe(kind === "cashback" ? null : `plus ${percent} cashback`);
        }
      },
    );
  });
});

test("C1 an operator's deal at a shop without a network leads where the operator said, for members", async () => {
  const { publicId } = await newOffer("deal", "none", false);
  expect(await follow(`/go/offers/${publicId}`)).toBe("https://shop.example/offer");
  const visitor = goAppForTests({ db, clicks, brandId: club.brand.id, memberId: null, now: () => NOW });
  const answer = await visitor.request(`http://club.test/go/offers/${publicId}`);
  expect(answer.headers.get("location")).toBe(`/login?next=${encodeURIComponent(`/go/offers/${publicId}`)}`);
  const check = await goApp.request(`http://club.test/go/offers/${publicId}/pre-flight`);
  expect(await check.json()).toEqual({ origin: null });
});
