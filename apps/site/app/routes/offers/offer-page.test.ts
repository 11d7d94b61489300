import {
  daysFromNow,
  insertBoost,
  insertCode,
  insertRateTier,
  insertVariant,
} from "@farthing/core/catalogue/catalogue.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { describe, expect, test } from "vitest";
import { hiddenField, loadSite, textOf } from "../../../testing/site.testing.ts";
import { openOfferClub } from "./offer-club.testing.ts";

const { db } = await testDatabase();
loadSite();
const { club, newOffer, newCodeOffer } = await openOfferClub(db);

describe("what the page says and does", () => {
  test("O2 P8 the variant of the address is in the deal link; without script a form with Update changes it", async () => {
    const offer = await newOffer({ kind: "deal" });
    const [online, outlet] = [
      await insertVariant(db, { offerId: offer.id, label: "Online" }),
      await insertVariant(db, { offerId: offer.id, label: "In the outlet", position: 1 }),
    ];
    const first = await (await club.get(offer.path)).text();
    expect(first).toContain(`href="/go/offers/${offer.publicId}?offer_variant=${online.publicId}"`);
    expect(first).toMatch(/<noscript><button[^>]*type="submit"[^>]*>Update<\/button><\/noscript>/);
    const second = await (await club.get(`${offer.path}&offer_variant=${outlet.publicId}`)).text();
    expect(second).toContain(`href="/go/offers/${offer.publicId}?offer_variant=${outlet.publicId}"`);
    const invented = await (await club.get(`${offer.path}&offer_variant=invented`)).text();
    expect(invented).toContain(`href="/go/offers/${offer.publicId}?offer_variant=${online.publicId}"`);
  });

  test("O2 O3 the code of the chosen variant is shown", async () => {
    const offer = await newOffer({ kind: "code" });
    const member = await club.newMember();
    const [online, outlet] = [
      await insertVariant(db, { offerId: offer.id, label: "Online" }),
      await insertVariant(db, { offerId: offer.id, label: "Outlet", position: 1 }),
    ];
    await insertCode(db, { offerId: offer.id, variantId: online.id, code: "ONLINE1" });
    await insertCode(db, { offerId: offer.id, variantId: outlet.id, code: "OUTLET2" });
    const path = `${offer.path}&offer_variant=${outlet.publicId}`;
    const html = await (await club.get(path, { member })).text();
    expect(hiddenField(html, "offer_variant")).toBe(outlet.publicId);
    expect(
      await (await club.get(`${path}&reveal_code=${hiddenField(html, "reveal_code")}`, { member })).text(),
    ).toContain("OUTLET2");
  });

  test("O7 the page shows terms, exclusions, expiry, tiers, boosts, caps and an example before the click", async () => {
    const offer = await newOffer({
      kind: "cashback",
      terms: "One order per member.",
      exclusions: "Not on gift cards.",
      endsAt: new Date("2026-12-31T00:00:00Z"),
    });
    const tier = await insertRateTier(db, {
      programmeId: offer.programme.id,
      label: "New customers",
      bp: 500,
      capPence: 40_00,
    });
    await insertRateTier(db, { programmeId: offer.programme.id, label: "Sale items", bp: 0, position: 1 });
    await insertBoost(db, {
      rateTierId: tier.id,
      bp: 800,
      startsAt: daysFromNow(-1),
      endsAt: new Date("2026-11-23T00:00:00Z"),
    });
    const text = textOf(await (await club.get(offer.path)).text());
    for (const words of [
      "One order per member.",
      "Not on gift cards.",
      "to 30 December 2026",
      "New customers",
      "Sale items",
      "worked out on the price without VAT and delivery",
      "8%",
      "usually 5%",
      "until 22 November",
      "at most £40 a purchase",
      "£3.33 on £50.00; £40.00 on £600.00 or more",
      "in 1 to 3 days",
      "in 35 to 75 days",
    ]) {
      expect(text).toContain(words);
    }
  });

  test.each(["cashback", "code", "deal", "in_store", "gift_card", "app_exclusive"] as const)(
    "O4 the kind %s has a page with something to do",
    async (kind) => {
      const offer = await newOffer({ kind });
      const response = await club.get(offer.path, { member: await club.newMember() });
      expect(response.status).toBe(200);
      const main = /<main[\s\S]*<\/main>/.exec(await response.text())?.[0] ?? "";
      const action =
        { in_store: 'href="/digital-id"', app_exclusive: `/go/app/${offer.publicId}` }[kind as string] ??
        `/go/offers/${offer.publicId}`;
      expect(main).toContain(action);
    },
  );

  test("P7 the body names the controller and the action, in the server's HTML too", async () => {
    const offer = await newOffer();
    expect(await (await club.get(offer.path)).text()).toContain('<body data-controller="offers" data-action="show">');
  });

  test("S1 internal ids and where codes come from stay on the server", async () => {
    const offer = await newCodeOffer("NEVERSHOWN");
    const member = await club.newMember();
    const html = await (await club.get(offer.path, { member })).text();
    for (const secret of [offer.id, club.brand.id, member.id, member.sessionId, member.email, "NEVERSHOWN"])
      expect(html).not.toContain(secret);
  });
});
