import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { describe, expect, test } from "vitest";
import { daysFromNow, insertCode, insertVariant, NOW } from "../catalogue/catalogue.testing.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertSignedInMember } from "../testing/insert-signed-in-member.testing.ts";
import { openReveals, TOKEN_SECRET } from "./reveals.testing.ts";
import { issueRevealToken, REVEAL_TOKEN_LIFETIME_MS } from "./token.ts";

const { db } = await testDatabase({ max: 25 });
const { brandId, person, makeOffer, reveal, reveals } = await openReveals(db);

describe("O3 a reveal", () => {
  test("O3 shows the shared code to any member who holds a token", async () => {
    const offer = await makeOffer();
    await insertCode(db, { offerId: offer.id, code: "SAVE10" });
    expect(await reveal(await person(), offer)).toEqual({
      outcome: "revealed",
      code: "SAVE10",
      codeKind: "shared",
      variant: null,
    });
    expect(await reveal(await person(), offer)).toMatchObject({ outcome: "revealed", code: "SAVE10" });
    expect(await reveals(offer.id)).toBe(2);
  });

  test("Y5 a token is valid for one reveal, also when it is used fifty times at once", async () => {
    const offer = await makeOffer();
    await insertCode(db, { offerId: offer.id, code: "ONCE" });
    const member = await person();
    const token = issueRevealToken({ secret: TOKEN_SECRET, sessionId: member.sessionId, offerId: offer.id, now: NOW });
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => reveal(member, offer, { token })));
    expect(outcomes.filter(({ outcome }) => outcome === "revealed")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome.outcome === "refused" && outcome.reason === "spent")).toHaveLength(49);
    expect(await reveals(offer.id)).toBe(1);
  });

  test("Y5 a missing, stale, altered, other session's or other offer's token reveals nothing", async () => {
    const offer = await makeOffer();
    const other = await makeOffer();
    await insertCode(db, { offerId: offer.id, code: "HIDDEN" });
    const member = await person();
    const stranger = await person();
    const issue = (more: object) =>
      issueRevealToken({ secret: TOKEN_SECRET, sessionId: member.sessionId, offerId: offer.id, now: NOW, ...more });
    const refused = async (token: string | null) => expect.soft(await reveal(member, offer, { token }));
    (await refused(null)).toEqual({ outcome: "refused", reason: "invalid" });
    (await refused("")).toEqual({ outcome: "refused", reason: "invalid" });
    (await refused("a".repeat(115))).toEqual({ outcome: "refused", reason: "invalid" });
    (await refused(issue({ secret: "guessed" }))).toEqual({ outcome: "refused", reason: "invalid" });
    (await refused(issue({ now: new Date(NOW.getTime() - REVEAL_TOKEN_LIFETIME_MS - 1) }))).toEqual({
      outcome: "refused",
      reason: "stale",
    });
    (await refused(issue({ sessionId: stranger.sessionId }))).toEqual({ outcome: "refused", reason: "foreign" });
    (await refused(issue({ offerId: other.id }))).toEqual({ outcome: "refused", reason: "foreign" });
    expect(await reveals(offer.id)).toBe(0);
  });

  test("Y5 a session that is not the member's, a suspended member and one of another brand are refused", async () => {
    const offer = await makeOffer();
    await insertCode(db, { offerId: offer.id, code: "HIDDEN" });
    const member = await person();
    const stranger = await person();
    expect(await reveal({ id: stranger.id, sessionId: member.sessionId }, offer)).toEqual({
      outcome: "refused",
      reason: "foreign",
    });
    expect(await reveal(await insertSignedInMember(db, { brandId, suspendedAt: NOW }), offer)).toEqual({
      outcome: "refused",
      reason: "foreign",
    });
    const elsewhere = await insertSignedInMember(db, { brandId: (await insertBrand(db)).id });
    expect(await reveal(elsewhere, offer)).toEqual({ outcome: "refused", reason: "foreign" });
  });

  test("O1 an ended, future, withdrawn, unknown or other brand's offer reveals nothing", async () => {
    const member = await person();
    const elsewhere = await insertBrand(db);
    for (const more of [
      { endsAt: daysFromNow(-1) },
      { startsAt: daysFromNow(1) },
      { status: "withdrawn" as const },
      { onlyBrandIds: [elsewhere.id] },
    ]) {
      const offer = await makeOffer(more);
      await insertCode(db, { offerId: offer.id, code: "HIDDEN" });
      expect.soft(await reveal(member, offer)).toEqual({ outcome: "not-live" });
    }
    expect(await reveal(member, { id: "none", publicId: "none" })).toEqual({ outcome: "not-live" });
  });

  test("O3 an offer without codes reports that", async () => {
    expect(await reveal(await person(), await makeOffer({ kind: "deal" }))).toEqual({ outcome: "no-code" });
  });

  test("O4 a code offer without any code counts as an empty pool", async () => {
    expect(await reveal(await person(), await makeOffer({ kind: "code" }))).toEqual({ outcome: "pool-empty" });
  });
});

describe("O2 variants", () => {
  test("O2 each variant has its code; a missing or unknown variant means the first", async () => {
    const offer = await makeOffer();
    const child = await insertVariant(db, { offerId: offer.id, label: "Child", position: 2 });
    const adult = await insertVariant(db, { offerId: offer.id, label: "Adult", position: 1 });
    await insertCode(db, { offerId: offer.id, variantId: child.id, code: "CHILD" });
    await insertCode(db, { offerId: offer.id, variantId: adult.id, code: "ADULT" });
    const member = await person();
    expect(await reveal(member, offer, { variantPublicId: child.publicId })).toMatchObject({
      code: "CHILD",
      variant: { label: "Child" },
    });
    expect(await reveal(member, offer, { variantPublicId: null })).toMatchObject({
      code: "ADULT",
      variant: { label: "Adult" },
    });
    expect(await reveal(member, offer, { variantPublicId: "made-up" })).toMatchObject({ code: "ADULT" });
  });

  test("O2 a code for every variant serves variants without their own", async () => {
    const offer = await makeOffer();
    const online = await insertVariant(db, { offerId: offer.id, label: "Online", position: 1 });
    const outlet = await insertVariant(db, { offerId: offer.id, label: "In the outlet", position: 2 });
    await insertCode(db, { offerId: offer.id, code: "ANYWHERE" });
    await insertCode(db, { offerId: offer.id, variantId: outlet.id, code: "OUTLET" });
    const member = await person();
    expect(await reveal(member, offer, { variantPublicId: online.publicId })).toMatchObject({ code: "ANYWHERE" });
    expect(await reveal(member, offer, { variantPublicId: outlet.publicId })).toMatchObject({ code: "OUTLET" });
  });
});
