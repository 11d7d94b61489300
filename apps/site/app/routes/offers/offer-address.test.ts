import { daysFromNow, insertOffer, insertVariant, NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { issueRevealToken } from "@farthing/core/reveals/token.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { describe, expect, test } from "vitest";
import { loadSite, openClub, REVEAL_SECRET, textOf } from "../../../testing/site.testing.ts";
import { openOfferClub } from "./offer-club.testing.ts";

const { db } = await testDatabase();
loadSite();
const { club, networkId, newOffer, newCodeOffer } = await openOfferClub(db);

describe("the address of an offer", () => {
  test("O1 the id decides: a wrong slug redirects permanently to the right one, with the variant and nothing else", async () => {
    const offer = await newOffer();
    const variant = await insertVariant(db, { offerId: offer.id, label: "Online" });
    const response = await club.get(
      `/offers/quite-wrong?offer=${offer.publicId}&offer_variant=${variant.publicId}&utm_source=x&offer_id=2`,
    );
    expect(response.status).toBe(301);
    expect(response.headers.get("Location")).toBe(
      `/offers/${offer.slug}?offer=${offer.publicId}&offer_variant=${variant.publicId}`,
    );
  });

  test("O1 a redirect never carries a token", async () => {
    const offer = await newCodeOffer();
    const member = await club.newMember();
    const token = issueRevealToken({ secret: REVEAL_SECRET, sessionId: member.sessionId, offerId: offer.id, now: NOW });
    const response = await club.get(`/offers/wrong?offer=${offer.publicId}&reveal_code=${token}`, { member });
    expect(response.headers.get("Location")).toBe(`/offers/${offer.slug}?offer=${offer.publicId}`);
  });

  test.each([
    "/offers/anything",
    "/offers/anything?offer=",
    "/offers/anything?offer=nope",
    "/offers/anything?offer=%27%3B--",
  ])("O1 %s is no offer: 404 and a way on", async (path) => {
    const other = await newOffer({ popularity: 5 });
    const response = await club.get(path);
    const html = await response.text();
    expect(response.status).toBe(404);
    expect(textOf(html)).toContain("We don’t have that offer");
    expect(html).toContain('href="/retailers"');
    expect(html).toContain(other.publicId);
  });

  test("B4 an offer that only another brand shows is as unknown as any", async () => {
    const other = await openClub(db);
    const theirs = await newOffer({ brandId: other.brand.id, title: "Their secret offer" });
    expect((await other.get(theirs.path)).status).toBe(200);
    const response = await club.get(theirs.path);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain("Their secret offer");
  });

  test("O1 an offer that has ended answers 410, says when, has no button and shows others", async () => {
    const offer = await newCodeOffer("GONE", { endsAt: new Date("2026-11-18T00:00:00Z"), startsAt: daysFromNow(-30) });
    const sibling = await insertOffer(db, { networkId, retailerId: offer.retailer.id, title: "Still on" });
    const response = await club.get(offer.path, { member: await club.newMember() });
    const html = await response.text();
    expect(response.status).toBe(410);
    expect(textOf(html)).toContain("This offer ended on 17 November 2026");
    expect(html).not.toContain("/go/");
    expect(html).not.toContain("reveal_code");
    expect(html).toContain(sibling.publicId);
  });

  test.each([
    ["withdrawn by an active retailer", "withdrawn", "active", 410],
    ["of a retailer in administration", "live", "in_administration", 410],
    ["of a closed retailer", "live", "closed", 410],
    ["of a paused retailer, which may come back", "live", "paused", 404],
  ] as const)(
    "O1 an offer %s answers %s/%s with the right status and no deal link",
    async (_, status, retailerStatus, expected) => {
      const offer = await newOffer({ status, retailerStatus });
      const response = await club.get(offer.path);
      const html = await response.text();
      expect(response.status).toBe(expected);
      expect(textOf(html)).toContain("This offer is not available");
      expect(html).not.toContain("/go/");
    },
  );

  test("O1 an offer that has not started says when, and has no button", async () => {
    const offer = await newCodeOffer("EARLY", { startsAt: daysFromNow(5) });
    const response = await club.get(offer.path, { member: await club.newMember() });
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(textOf(html)).toContain("Starts on 25 November 2026");
    expect(html).not.toContain("/go/");
    expect(html).not.toContain("Reveal code</");
  });
});
