import { insertCode, insertVariant, NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { describe, expect, test } from "vitest";
import { hiddenField, loadSite, tag, textOf } from "../../../testing/site.testing.ts";
import { openOfferClub } from "./offer-club.testing.ts";

const { db } = await testDatabase();
loadSite();
const { club, newOffer, newCodeOffer, revealsOf, reveal } = await openOfferClub(db);

/** Returns a page without what is put into it only once another variant is chosen. */
const shownOf = (html: string) => html.replace(/<template\b[^]*?<\/template>/g, "");

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

  test("O7 O3 the steps go on from the code where it is shown, and begin with the button where it is not", async () => {
    const offer = await newCodeOffer("STEPS10");
    const member = await club.newMember();
    const before = textOf(await (await club.get(offer.path, { member })).text());
    expect(before).toContain("Press “Reveal code”.");
    await reveal(offer, member);
    const after = textOf(await (await club.get(offer.path, { member })).text());
    expect(after).toContain("Your code is above: copy it.");
    expect(after).not.toContain("Press “Reveal code”.");
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
    const other = shownOf(await (await club.get(path(adult), { member })).text());
    expect(other).not.toContain("</code>");
    expect(other).not.toContain("did-it-work");
    expect(hiddenField(other, "offer_variant")).toBe(adult.publicId);
  });

  test("O2 O4 each variant's part of the page votes on that variant's code, and shows the vote on it", async () => {
    const offer = await newOffer({ kind: "code" });
    const member = await club.newMember();
    const variants = [
      { ...(await insertVariant(db, { offerId: offer.id, label: "Adult" })), code: "ADULT1" },
      { ...(await insertVariant(db, { offerId: offer.id, label: "Child", position: 1 })), code: "CHILD2" },
    ] as const;
    const [adult, child] = variants;
    const pathOf = (variant: { publicId: string }) => `${offer.path}&offer_variant=${variant.publicId}`;
    for (const variant of variants) {
      await insertCode(db, { offerId: offer.id, variantId: variant.id, code: variant.code });
      await reveal({ path: pathOf(variant) }, member);
    }
    // Returns the part of the page that the choice of a variant shows (variant-choice.behaviour.ts).
    const partOf = (html: string, variant: { publicId: string }) => {
      const part = html.slice(html.indexOf(`data-variant="${variant.publicId}"`));
      return part.slice(0, part.indexOf("</form>"));
    };
    const pressed = (part: string) => tag(part, "button", 'aria-pressed="true"');
    const pages = async () =>
      await Promise.all(
        [offer.path, pathOf(adult), pathOf(child)].map(async (path) => await (await club.get(path, { member })).text()),
      );

    for (const html of await pages()) {
      for (const variant of variants) {
        const action = /action="([^"]*)"/.exec(tag(partOf(html, variant), "form", "did-it-work"))?.[1];
        expect(action?.replaceAll("&amp;", "&")).toBe(pathOf(variant));
        expect(pressed(partOf(html, variant))).toBe("");
      }
    }
    await club.post(pathOf(child), { vote: "failed" }, { member });
    const votes = await db
      .selectFrom("code_votes")
      .innerJoin("offer_codes", "offer_codes.id", "code_votes.code_id")
      .select("offer_codes.code")
      .where("code_votes.member_id", "=", member.id)
      .execute();
    expect(votes).toEqual([{ code: "CHILD2" }]);
    for (const html of await pages()) {
      expect(pressed(partOf(html, child))).toContain('value="failed"');
      expect(textOf(partOf(html, child))).toContain("You said today that it did not work");
      expect(pressed(partOf(html, adult))).toBe("");
      expect(textOf(partOf(html, adult))).not.toContain("You said today");
    }
  });
});
