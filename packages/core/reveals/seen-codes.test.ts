import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { describe, expect, test } from "vitest";
import { insertCode, insertVariant, NOW } from "../catalogue/catalogue.testing.ts";
import { findSeenCodes } from "./queries.server.ts";
import { openReveals } from "./reveals.testing.ts";

const { db } = await testDatabase();
const { person, makeOffer, reveal } = await openReveals(db);

describe("O3 revealed codes", () => {
  test("O3 a revealed code is found again with its day, only for the member who revealed it", async () => {
    const offer = await makeOffer();
    await insertCode(db, { offerId: offer.id, code: "AGAIN" });
    const [member, stranger] = [await person(), await person()];
    expect(await findSeenCodes(db, { memberId: member.id, offerId: offer.id })).toEqual([]);
    await reveal(member, offer);
    expect(await findSeenCodes(db, { memberId: member.id, offerId: offer.id })).toEqual([
      { variant: null, code: "AGAIN", codeKind: "shared", revealedAt: NOW },
    ]);
    expect(await findSeenCodes(db, { memberId: stranger.id, offerId: offer.id })).toEqual([]);
  });

  test("O3 a replaced or withdrawn shared code is marked as no longer valid, and the next reveal shows the new one", async () => {
    const offer = await makeOffer();
    await insertCode(db, { offerId: offer.id, code: "SPRING" });
    const member = await person();
    await reveal(member, offer);
    await db.deleteFrom("offer_codes").where("offer_id", "=", offer.id).execute();
    expect(await findSeenCodes(db, { memberId: member.id, offerId: offer.id })).toMatchObject([
      { code: "SPRING", codeKind: null },
    ]);
    await insertCode(db, { offerId: offer.id, code: "SUMMER" });
    expect(await findSeenCodes(db, { memberId: member.id, offerId: offer.id })).toMatchObject([{ codeKind: null }]);
    expect(await reveal(member, offer, { now: new Date(NOW.getTime() + 1) })).toMatchObject({ code: "SUMMER" });
    expect(await findSeenCodes(db, { memberId: member.id, offerId: offer.id })).toMatchObject([
      { code: "SUMMER", codeKind: "shared" },
    ]);
  });

  test("O4 a pool's code that now belongs to another member is no longer valid", async () => {
    const offer = await makeOffer();
    await insertCode(db, { offerId: offer.id, codeKind: "pool", code: "MINE" });
    const [member, other] = [await person(), await person()];
    await reveal(member, offer);
    expect(await findSeenCodes(db, { memberId: member.id, offerId: offer.id })).toMatchObject([{ codeKind: "pool" }]);
    await db.updateTable("offer_codes").set({ member_id: other.id }).where("offer_id", "=", offer.id).execute();
    expect(await findSeenCodes(db, { memberId: member.id, offerId: offer.id })).toMatchObject([{ codeKind: null }]);
  });

  test("O2 finds each revealed variant and no other", async () => {
    const offer = await makeOffer();
    const variants = [];
    for (const label of ["Adult", "Child", "Senior"])
      variants.push(await insertVariant(db, { offerId: offer.id, label, position: variants.length }));
    for (const variant of variants)
      await insertCode(db, { offerId: offer.id, variantId: variant.id, code: variant.id });
    const member = await person();
    await reveal(member, offer, { variantPublicId: variants[0]!.publicId });
    await reveal(member, offer, { variantPublicId: variants[2]!.publicId });
    const seen = await findSeenCodes(db, { memberId: member.id, offerId: offer.id });
    expect(new Map(seen.map(({ variant, code }) => [variant, code]))).toEqual(
      new Map([variants[0]!, variants[2]!].map(({ publicId, id }) => [publicId, id])),
    );
  });
});
