import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { insertCode, insertOffer, insertRetailer, insertVariant, NOW } from "../catalogue/catalogue.testing.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertSignedInMember } from "../testing/insert-signed-in-member.testing.ts";
import { insertNetwork } from "../testing/insert-network.testing.ts";
import { revealCode } from "../reveals/operations.server.ts";
import { issueRevealToken } from "../reveals/token.ts";
import { castVote } from "./operations.server.ts";
import { demoteFailing, findCodeHealth } from "./code-health.server.ts";
import type { VoteOutcome } from "./rules.ts";

const { db } = await testDatabase({ max: 20 });

let brandId: string;
let networkId: string;
let retailerId: string;
beforeAll(async () => {
  brandId = (await insertBrand(db)).id;
  networkId = (await insertNetwork(db)).id;
  retailerId = (await insertRetailer(db, { brandIds: [brandId] })).id;
});

const HOUR = 3_600_000;
const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * HOUR);

async function newCode() {
  const offer = await insertOffer(db, { networkId, retailerId, kind: "code" });
  await insertCode(db, { offerId: offer.id, code: "SAVE" });
  return offer;
}

async function memberWhoSaw(offer: { id: string }, variantId: string | null = null, code: string | null = null) {
  const member = await insertSignedInMember(db, { brandId });
  await db
    .insertInto("code_reveals")
    .values({
      id: newId(),
      token_hash: newId(),
      member_id: member.id,
      offer_id: offer.id,
      variant_id: variantId,
      code,
      revealed_at: NOW,
    })
    .execute();
  return member;
}

function vote(member: { id: string }, offer: { publicId: string }, outcome: VoteOutcome, more: object = {}) {
  return castVote(db, {
    brandId,
    memberId: member.id,
    offerPublicId: offer.publicId,
    variantPublicId: null,
    outcome,
    now: NOW,
    ...more,
  });
}
const health = async (offer: { publicId: string }, now = NOW) =>
  (await findCodeHealth(db, { brandId, publicIds: [offer.publicId], now })).get(offer.publicId);

describe("O4 a vote is about the code that was revealed", () => {
  const kinds = ["pool of the variant", "pool of the offer", "shared of the variant", "shared of the offer"] as const;
  const pairs = kinds.flatMap((one) => kinds.filter((other) => other !== one).map((other) => [one, other] as const));

  test.each(pairs)("O4 with a code of the %s and then one of the %s", async (...held) => {
    const offer = await insertOffer(db, { networkId, retailerId, kind: "code" });
    const variant = await insertVariant(db, { offerId: offer.id, label: "Adult", position: 1 });
    const member = await insertSignedInMember(db, { brandId });
    for (const code of held) {
      const codeKind = code.startsWith("pool") ? "pool" : "shared";
      const variantId = code.endsWith("variant") ? { variantId: variant.id } : {};
      await insertCode(db, { offerId: offer.id, code, codeKind, ...variantId });
    }
    const secret = "a secret of tests";
    const { id: memberId, sessionId } = member;
    const token = issueRevealToken({ secret, sessionId, offerId: offer.id, now: NOW });
    const asked = { offerPublicId: offer.publicId, variantPublicId: variant.publicId, now: NOW };
    const revealed = await revealCode(db, { secret, token, sessionId, memberId, brandId, ...asked });
    for (const variantPublicId of [variant.publicId, null, "unknown"])
      expect(await vote(member, offer, "worked", { variantPublicId })).toBe("counted");
    const votes = await db
      .selectFrom("code_votes")
      .innerJoin("offer_codes", "offer_codes.id", "code_votes.code_id")
      .select("offer_codes.code")
      .where("code_votes.member_id", "=", memberId)
      .execute();
    expect(votes.map(({ code }) => code)).toEqual([revealed.outcome === "revealed" ? revealed.code : "none"]);
  });
});

describe("O4 votes on codes", () => {
  test("O4 a member's last vote of a day counts, also when twenty are sent at once", async () => {
    const offer = await newCode();
    const member = await memberWhoSaw(offer);
    await Promise.all(Array.from({ length: 20 }, () => vote(member, offer, "worked")));
    expect(await vote(member, offer, "failed")).toBe("counted");
    expect(await db.selectFrom("code_votes").select("outcome").where("offer_id", "=", offer.id).execute()).toEqual([
      { outcome: "failed" },
    ]);
  });

  test("O4 S1 members without a reveal, of another brand, or suspended can't vote", async () => {
    const offer = await newCode();
    expect(await vote(await insertSignedInMember(db, { brandId }), offer, "failed")).toBe("not-revealed");
    const member = await memberWhoSaw(offer);
    expect(await vote(member, offer, "failed", { brandId: (await insertBrand(db)).id })).toBe("not-revealed");
    await db.updateTable("members").set({ suspended_at: NOW }).where("id", "=", member.id).execute();
    expect(await vote(member, offer, "failed")).toBe("not-revealed");
    expect(await health(offer)).toBeUndefined();
  });

  test("O4 a code that replaced the revealed one gets no vote", async () => {
    const offer = await newCode();
    const member = await memberWhoSaw(offer, null, "SAVE");
    expect(await vote(member, offer, "worked")).toBe("counted");
    await db.updateTable("offer_codes").set({ code: "OTHER" }).where("offer_id", "=", offer.id).execute();
    expect(await vote(member, offer, "failed")).toBe("not-revealed");
  });

  test("O4 the vote is about the member's own code of a pool, and of the variant it was shown for", async () => {
    const offer = await insertOffer(db, { networkId, retailerId, kind: "code" });
    const outlet = await insertVariant(db, { offerId: offer.id, label: "Outlet" });
    const member = await memberWhoSaw(offer, outlet.id);
    await insertCode(db, { offerId: offer.id, code: "SHARED" });
    await insertCode(db, { offerId: offer.id, code: "MINE", codeKind: "pool", variantId: outlet.id });
    await db
      .updateTable("offer_codes")
      .set({ member_id: member.id, assigned_at: NOW })
      .where("code", "=", "MINE")
      .execute();
    await vote(member, offer, "worked", { variantPublicId: outlet.publicId });
    const voted = await db
      .selectFrom("code_votes as v")
      .innerJoin("offer_codes as k", "k.id", "v.code_id")
      .select("k.code")
      .where("v.offer_id", "=", offer.id)
      .execute();
    expect(voted).toEqual([{ code: "MINE" }]);
  });

  test("O4 three failures in 24 hours put an offer behind the others until they are older", async () => {
    const [failing, fine] = [await newCode(), await newCode()];
    for (const hours of [1, 5, 23])
      await vote(await memberWhoSaw(failing), failing, "failed", { now: hoursAgo(hours) });
    const cards = [
      { publicId: failing.publicId, kind: "code" },
      { publicId: fine.publicId, kind: "code" },
    ];
    const order = async (now: Date) =>
      (await demoteFailing(db, { brandId, cards, now })).map(({ publicId }) => publicId);
    expect(await order(NOW)).toEqual([fine.publicId, failing.publicId]);
    expect(await order(new Date(NOW.getTime() + 2 * HOUR))).toEqual([failing.publicId, fine.publicId]);
  });

  test("O4 a member who votes every day of the week counts once", async () => {
    const offer = await newCode();
    const member = await memberWhoSaw(offer);
    for (let day = 0; day < 6; day += 1) await vote(member, offer, "worked", { now: hoursAgo(24 * day) });
    expect(await health(offer)).toMatchObject({ week: null, lastWorkedAt: NOW });
    for (let more = 0; more < 4; more += 1) await vote(await memberWhoSaw(offer), offer, "worked");
    expect(await health(offer)).toMatchObject({ week: { worked: 5, failed: 0 } });
  });
});
