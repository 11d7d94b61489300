import { daysFromNow, insertCode, insertVariant, NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { revealLimits } from "@farthing/core/reveals/rules.ts";
import { issueRevealToken } from "@farthing/core/reveals/token.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { describe, expect, test } from "vitest";
import { hiddenField, loadSite, REVEAL_SECRET, textOf } from "../../../testing/site.testing.ts";
import { openOfferClub } from "./offer-club.testing.ts";

const { db } = await testDatabase();
loadSite();
const { club, newOffer, newCodeOffer, revealsOf, reveal } = await openOfferClub(db);

describe("revealing a code", () => {
  test("O3 a visitor is shown no code and no token; the button leads to the login and back to itself", async () => {
    const offer = await newCodeOffer("HIDDEN1");
    const html = await (await club.get(offer.path)).text();
    expect(html).not.toContain("HIDDEN1");
    expect(html).not.toContain("reveal_code");
    expect(html).toMatch(/<form[^>]*action="\/login"/);
    expect(hiddenField(html, "next")?.replaceAll("&amp;", "&")).toBe(`${offer.path}#reveal-code`);
    expect(html).not.toContain('id="reveal-code"');
    expect(html).not.toContain("You’re logged in");
    expect(textOf(html)).toContain("Reveal code");
  });

  test("O3 a visitor with a token is sent to the login, and the token is not sent on", async () => {
    const offer = await newCodeOffer();
    const response = await club.get(`${offer.path}&reveal_code=anything`);
    expect(response.status).toBe(302);
    expect(response.headers.get("Location")).toBe(
      `/login?next=${encodeURIComponent(`${offer.path}#reveal-code`).replaceAll("%20", "+")}`,
    );
    expect(response.headers.get("Cache-Control")).toBe("private, no-store");
  });

  test("O3 coming back from the login reveals nothing: the member's press on the button that the address names does", async () => {
    const offer = await newCodeOffer("PRESSED1");
    const member = await club.newMember();
    const html = await (await club.get(offer.path, { member })).text();
    expect(html).toMatch(/<button[^>]*id="reveal-code"/);
    expect(html).not.toContain("PRESSED1");
    expect(await revealsOf(member)).toBe(0);
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

  test("O3 a member who comes back to an offer with variants finds the code that they revealed last, without another click", async () => {
    const offer = await newOffer({ kind: "code" });
    const [first, second] = [
      await insertVariant(db, { offerId: offer.id, label: "Two adults" }),
      await insertVariant(db, { offerId: offer.id, label: "Adult and child", position: 1 }),
    ];
    for (const [variantId, code] of [
      [first.id, "ADULTS"],
      [second.id, "CHILD"],
    ] as const)
      await insertCode(db, { offerId: offer.id, variantId, code });
    const member = await club.newMember();
    const own = `${offer.path}&offer_variant=${second.publicId}`;
    const token = hiddenField(await (await club.get(own, { member })).text(), "reveal_code");
    await club.get(`${own}&reveal_code=${token}`, { member });
    const back = await (await club.get(offer.path, { member })).text();
    const shown = (page: string) =>
      page.slice(page.indexOf('<div class="deal-action"'), page.indexOf("<template>", page.indexOf("deal-action")));
    expect(shown(back)).toContain(">CHILD</code>");
    expect(back).not.toContain("ADULTS");
    const other = await (await club.get(`${offer.path}&offer_variant=${first.publicId}`, { member })).text();
    expect(shown(other), "what is asked for counts").not.toContain(">CHILD</code>");
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
    expect(textOf(page)).toContain("There is no code for this one now");
    expect(page).toContain("/go/offers/");
    const refused = await reveal(second);
    expect(refused).not.toContain("LASTONE");
    expect(textOf(refused)).toContain("There is no code for this one now");
    expect(await reveal(first)).toContain("LASTONE");
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
