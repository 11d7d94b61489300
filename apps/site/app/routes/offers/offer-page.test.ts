import {
  daysFromNow,
  insertBoost,
  insertCode,
  insertOffer,
  insertProgramme,
  insertRateTier,
  insertRetailer,
  insertVariant,
  NOW,
  type NewOffer,
} from "@farthing/core/catalogue/catalogue.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { revealLimits } from "@farthing/core/reveals/rules.ts";
import { issueRevealToken } from "@farthing/core/reveals/token.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, describe, expect, test } from "vitest";
import {
  hiddenField,
  loadSite,
  openClub,
  REVEAL_SECRET,
  type TestClub,
  textOf,
} from "../../../testing/site.testing.ts";

const { db } = await testDatabase();
loadSite();

let club: TestClub;
let networkId: string;
beforeAll(async () => {
  club = await openClub(db);
  networkId = (await insertNetwork(db)).id;
});

async function newOffer(
  options: Partial<NewOffer> & {
    retailerStatus?: "active" | "paused" | "in_administration" | "closed";
    brandId?: string;
  } = {},
) {
  const { retailerStatus = "active", brandId = club.brand.id, ...offer } = options;
  const retailer = await insertRetailer(db, { brandIds: [brandId], status: retailerStatus });
  const programme = await insertProgramme(db, { networkId, retailerId: retailer.id });
  const made = await insertOffer(db, {
    networkId,
    retailerId: retailer.id,
    programmeId: programme.id,
    headline: "15% off",
    title: "15% off boots",
    ...offer,
  });
  return { ...made, retailer, programme, path: `/offers/${made.slug}?offer=${made.publicId}` };
}

async function newCodeOffer(code = "BOOTS15", options: Parameters<typeof newOffer>[0] = {}) {
  const offer = await newOffer({ kind: "code", ...options });
  await insertCode(db, { offerId: offer.id, code });
  return offer;
}

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
    const offer = await newCodeOffer("GONE", { endsAt: daysFromNow(-3), startsAt: daysFromNow(-30) });
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

describe("revealing a code", () => {
  test("O3 a visitor is shown no code and no token; the button leads to the login and back", async () => {
    const offer = await newCodeOffer("HIDDEN1");
    const html = await (await club.get(offer.path)).text();
    expect(html).not.toContain("HIDDEN1");
    expect(html).not.toContain("reveal_code");
    expect(html).toMatch(/<form[^>]*action="\/login"/);
    expect(hiddenField(html, "next")?.replaceAll("&amp;", "&")).toBe(offer.path);
    expect(textOf(html)).toContain("Reveal code");
  });

  test("O3 a visitor with a token is sent to the login, and the token is not sent on", async () => {
    const offer = await newCodeOffer();
    const response = await club.get(`${offer.path}&reveal_code=anything`);
    expect(response.status).toBe(302);
    expect(response.headers.get("Location")).toBe(
      `/login?next=${encodeURIComponent(offer.path).replaceAll("%20", "+")}`,
    );
    expect(response.headers.get("Cache-Control")).toBe("private, no-store");
  });

  test("O3 P8 without script: the form of the page, sent as it is, shows the code with Copy and Get deal", async () => {
    const offer = await newCodeOffer("BOOTS15");
    const member = await club.newMember();
    const page = await club.get(offer.path, { member });
    expect(page.headers.get("Cache-Control")).toContain("no-store");
    const html = await page.text();
    expect(html).not.toContain("BOOTS15");
    const query = new URLSearchParams({
      offer: hiddenField(html, "offer") ?? "",
      offer_variant: hiddenField(html, "offer_variant") ?? "",
      reveal_code: hiddenField(html, "reveal_code") ?? "",
    });
    const response = await club.get(`/offers/${offer.slug}?${query}`, { member });
    const revealed = await response.text();
    expect(response.status).toBe(200);
    expect(revealed).toContain(">BOOTS15</code>");
    expect(revealed).toContain(`href="/go/offers/${offer.publicId}"`);
    expect(textOf(revealed)).toContain("Get deal");
  });

  test("Y5 the answer with a code may not be stored, and its address is sent nowhere", async () => {
    const offer = await newCodeOffer();
    const member = await club.newMember();
    const token = issueRevealToken({ secret: REVEAL_SECRET, sessionId: member.sessionId, offerId: offer.id, now: NOW });
    const { headers } = await club.get(`${offer.path}&reveal_code=${token}`, { member });
    expect(headers.get("Cache-Control")).toBe("private, no-store");
    expect(headers.get("Referrer-Policy")).toBe("no-referrer");
  });

  test.each([
    ["no token of ours", () => "forged"],
    [
      "a token of another session",
      (offerId: string) => issueRevealToken({ secret: REVEAL_SECRET, sessionId: "another", offerId, now: NOW }),
    ],
    [
      "a token for another offer",
      (_: string, sessionId: string) =>
        issueRevealToken({ secret: REVEAL_SECRET, sessionId, offerId: "another", now: NOW }),
    ],
    [
      "a token that is too old",
      (offerId: string, sessionId: string) =>
        issueRevealToken({ secret: REVEAL_SECRET, sessionId, offerId, now: daysFromNow(-1) }),
    ],
    [
      "a token under another key",
      (offerId: string, sessionId: string) =>
        issueRevealToken({ secret: "another secret, also long enough", sessionId, offerId, now: NOW }),
    ],
    ["an empty token", () => ""],
  ])("O3 %s reveals nothing, says so and shows a fresh button that works", async (_, makeToken) => {
    const offer = await newCodeOffer("SECRET9");
    const member = await club.newMember();
    const response = await club.get(`${offer.path}&reveal_code=${makeToken(offer.id, member.sessionId)}`, { member });
    const html = await response.text();
    expect(response.headers.get("Cache-Control")).toBe("private, no-store");
    expect(html).not.toContain("SECRET9");
    expect(html).toMatch(/role="alert"[^>]*>That link to the code has been used or is too old/);
    const fresh = hiddenField(html, "reveal_code");
    expect(await (await club.get(`${offer.path}&reveal_code=${fresh}`, { member })).text()).toContain("SECRET9");
  });

  test("Y5 a token is good for one reveal, and a prefetch or a HEAD request does not spend it", async () => {
    const offer = await newCodeOffer("ONCE11");
    const member = await club.newMember();
    const path = `${offer.path}&reveal_code=${issueRevealToken({ secret: REVEAL_SECRET, sessionId: member.sessionId, offerId: offer.id, now: NOW })}`;
    expect(await (await club.get(path, { member, headers: { "Sec-Purpose": "prefetch" } })).text()).not.toContain(
      "ONCE11",
    );
    expect(await (await club.get(path, { member })).text()).toContain("ONCE11");
    await club.get(path, { member });
    expect(await revealsOf(member)).toBe(1);
  });

  test("O3 the form always sends both reveal_code and offer_variant, with several variants, one or none", async () => {
    const member = await club.newMember();
    for (const labels of [[], ["Online"], ["Online", "Outlet"]]) {
      const offer = await newCodeOffer("BOTH");
      const variants = [];
      for (const label of labels)
        variants.push(await insertVariant(db, { offerId: offer.id, label, position: variants.length }));
      const html = await (await club.get(offer.path, { member })).text();
      expect.soft(hiddenField(html, "reveal_code")).toMatch(/./);
      const sent = hiddenField(html, "offer_variant");
      expect.soft(sent).toBe(variants[0]?.publicId ?? offer.publicId);
      const token = hiddenField(html, "reveal_code");
      const address = `${offer.path}&offer_variant=${sent}&reveal_code=${token}`;
      expect.soft(await (await club.get(address, { member })).text()).toContain(">BOTH</code>");
    }
  });

  test("O4 an empty pool says so and still leads to the retailer; a member who has one of the codes sees it again", async () => {
    const offer = await newOffer({ kind: "code" });
    await insertCode(db, { offerId: offer.id, code: "LASTONE", codeKind: "pool" });
    const [first, second] = [await club.newMember(), await club.newMember()];
    const reveal = async (member: typeof first) => {
      const token = hiddenField(await (await club.get(offer.path, { member })).text(), "reveal_code");
      return await (await club.get(`${offer.path}&reveal_code=${token}`, { member })).text();
    };
    expect(await reveal(first)).toContain("LASTONE");
    const page = await (await club.get(offer.path, { member: second })).text();
    expect(textOf(page)).toContain("All the codes for this one have been given out");
    expect(page).toContain("/go/offers/");
    const refused = await reveal(second);
    expect(refused).not.toContain("LASTONE");
    expect(textOf(refused)).toContain("All the codes for this one have been given out");
    expect(await reveal(first)).toContain("LASTONE");
  });
});

const revealsOf = async (member: { id: string }) =>
  (await db.selectFrom("code_reveals").select("id").where("member_id", "=", member.id).execute()).length;
type Member = Awaited<ReturnType<TestClub["newMember"]>>;
const reveal = async (offer: { path: string }, member: Member) => {
  const token = hiddenField(await (await club.get(offer.path, { member })).text(), "reveal_code");
  return await club.get(`${offer.path}&reveal_code=${token}`, { member });
};

describe("a code that was revealed before", () => {
  test("O3 it is shown on every later visit and device, with Copy, without a button, a reveal, a click or caching", async () => {
    const offer = await newCodeOffer("STAYS1");
    const member = await club.newMember();
    await reveal(offer, member);
    for (const device of [member, { ...member, sessionId: "00000000-0000-7000-8000-000000000001" }]) {
      const response = await club.get(offer.path, { member: device });
      const html = await response.text();
      expect(response.headers.get("Cache-Control")).toBe("private, no-store");
      expect(html).toContain(">STAYS1</code>");
      expect(textOf(html)).toContain("You revealed it today");
      expect(textOf(html)).toContain("Copy code");
      expect(hiddenField(html, "reveal_code")).toBeNull();
    }
    expect(await revealsOf(member)).toBe(1);
    expect(await db.selectFrom("clicks").select("id").where("member_id", "=", member.id).execute()).toEqual([]);
  });

  test("O3 B4 it is shown to nobody else: another member and a visitor see the button, and the visitor's page may be shared", async () => {
    const offer = await newCodeOffer("PRIVATE1");
    await reveal(offer, await club.newMember());
    const stranger = await (await club.get(offer.path, { member: await club.newMember() })).text();
    expect(stranger).not.toContain("PRIVATE1");
    expect(hiddenField(stranger, "reveal_code")).not.toBeNull();
    const visitor = await club.get(offer.path);
    expect(visitor.headers.get("Cache-Control") ?? "").not.toContain("no-store");
    expect(await visitor.text()).not.toContain("PRIVATE1");
  });

  test("O3 Y5 the button of an old tab shows the same code and spends nothing", async () => {
    const offer = await newCodeOffer("TWOTABS");
    const member = await club.newMember();
    const oldTab = hiddenField(await (await club.get(offer.path, { member })).text(), "reveal_code");
    await reveal(offer, member);
    const response = await club.get(`${offer.path}&reveal_code=${oldTab}`, { member });
    expect(await response.text()).toContain(">TWOTABS</code>");
    expect(response.headers.get("Referrer-Policy")).toBe("no-referrer");
    expect(await revealsOf(member)).toBe(1);
  });

  test("O3 a replaced code is marked and comes with the button for the new one; a withdrawn code is marked as invalid", async () => {
    const offer = await newCodeOffer("OLD10");
    const member = await club.newMember();
    await reveal(offer, member);
    await db.updateTable("offer_codes").set({ code: "NEW20" }).where("offer_id", "=", offer.id).execute();
    const html = await (await club.get(offer.path, { member })).text();
    expect(textOf(html)).toMatch(/The code that you revealed today, OLD10 , has been replaced/);
    expect(html).not.toContain("NEW20");
    expect(textOf(html)).not.toContain("Did the code work?");
    expect(await (await reveal(offer, member)).text()).toContain(">NEW20</code>");
    await db.deleteFrom("offer_codes").where("offer_id", "=", offer.id).execute();
    const withdrawn = await (await club.get(offer.path, { member })).text();
    expect(textOf(withdrawn)).toMatch(/revealed today, NEW20 , is no longer valid/);
    expect(withdrawn).not.toContain("</code>");
  });

  test("O1 O3 it is no longer shown once the offer has ended", async () => {
    const offer = await newCodeOffer("ENDS30");
    const member = await club.newMember();
    await reveal(offer, member);
    await db.updateTable("offers").set({ ends_at: NOW }).where("id", "=", offer.id).execute();
    const response = await club.get(offer.path, { member });
    expect(response.status).toBe(410);
    expect(await response.text()).not.toContain("ENDS30");
  });

  test("O2 O3 it is shown for the variant it was revealed for; the others still have their button", async () => {
    const offer = await newOffer({ kind: "code" });
    const member = await club.newMember();
    const [adult, child] = [
      await insertVariant(db, { offerId: offer.id, label: "Adult" }),
      await insertVariant(db, { offerId: offer.id, label: "Child", position: 1 }),
    ];
    await insertCode(db, { offerId: offer.id, variantId: adult.id, code: "ADULT1" });
    await insertCode(db, { offerId: offer.id, variantId: child.id, code: "CHILD2" });
    const path = (variant: { publicId: string }) => `${offer.path}&offer_variant=${variant.publicId}`;
    expect(await (await reveal({ path: path(child) }, member)).text()).toContain(">CHILD2</code>");
    expect(await (await club.get(path(child), { member })).text()).toContain(">CHILD2</code>");
    const other = await (await club.get(path(adult), { member })).text();
    expect(other).not.toContain("</code>");
    expect(hiddenField(other, "offer_variant")).toBe(adult.publicId);
  });
});

describe("the limit on how fast a member collects codes", () => {
  test("S1 further reveals answer 429 and say when to continue and how to be allowed more; seen codes are still shown", async () => {
    const member = { ...(await club.newMember()), verification: "unverified" as const };
    const [{ codes }] = revealLimits.unverified;
    const offers = [];
    for (let index = 0; index <= codes; index += 1) offers.push(await newCodeOffer(`FAST-${index}`));
    const last = offers.pop()!;
    const early = await (await club.get(last.path, { member })).text();
    for (const offer of offers) expect((await reveal(offer, member)).status).toBe(200);

    const address = `${last.path}&reveal_code=${hiddenField(early, "reveal_code")}`;
    const response = await club.get(address, { member });
    const html = await response.text();
    expect(response.status).toBe(429);
    expect(response.headers.get("Retry-After")).toBe("3600");
    expect(response.headers.get("Cache-Control")).toBe("private, no-store");
    expect(html).not.toContain(`FAST-${codes}`);
    expect(textOf(html)).toContain("You can reveal more from 13:00 today");
    expect(html).toContain('href="/verification"');
    expect(html).toContain(`/go/offers/${last.publicId}`);

    // On a new visit the page says it before the click, so that no shop opens in vain.
    const visit = await club.get(last.path, { member });
    expect(visit.status).toBe(200);
    const before = await visit.text();
    expect(textOf(before)).toContain("You can reveal more from 13:00 today");
    expect(hiddenField(before, "reveal_code")).toBeNull();
    expect(await (await club.get(offers[0]!.path, { member })).text()).toContain(">FAST-0</code>");
  });
});

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
      endsAt: daysFromNow(40),
    });
    const tier = await insertRateTier(db, {
      programmeId: offer.programme.id,
      label: "New customers",
      bp: 500,
      capPence: 40_00,
    });
    await insertRateTier(db, { programmeId: offer.programme.id, label: "Sale items", bp: 0, position: 1 });
    await insertBoost(db, { rateTierId: tier.id, bp: 800, startsAt: daysFromNow(-1), endsAt: daysFromNow(2) });
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
      "£4.00 on £50.00; £40.00 on £500.00 or more",
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
