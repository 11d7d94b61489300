import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import {
  daysFromNow,
  insertCode,
  insertOffer,
  insertRetailer,
  insertVariant,
  NOW,
  type NewOffer,
} from "../catalogue/catalogue.testing.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertSignedInMember } from "../testing/insert-signed-in-member.testing.ts";
import { insertNetwork } from "../testing/insert-network.testing.ts";
import { revealCode, type RevealArguments, type RevealOutcome } from "./operations.server.ts";
import { countPoolAlarms } from "./pool-alarms.server.ts";
import { findNextReveal, findSeenCodes } from "./queries.server.ts";
import { revealLimits } from "./rules.ts";
import { issueRevealToken, REVEAL_TOKEN_LIFETIME_MS } from "./token.ts";

const { db } = await testDatabase({ max: 25 });
const secret = "a secret of tests";

let brandId: string;
let networkId: string;
let retailerId: string;
beforeAll(async () => {
  brandId = (await insertBrand(db)).id;
  networkId = (await insertNetwork(db)).id;
  retailerId = (await insertRetailer(db, { brandIds: [brandId] })).id;
});

interface Person {
  id: string;
  sessionId: string;
}
const person = () => insertSignedInMember(db, { brandId });
const makeOffer = (more: Partial<NewOffer> = {}) => insertOffer(db, { networkId, retailerId, ...more });

function reveal(
  member: Person,
  offer: { id: string; publicId: string },
  more: Partial<RevealArguments> = {},
): Promise<RevealOutcome> {
  return revealCode(db, {
    secret,
    token: issueRevealToken({ secret, sessionId: member.sessionId, offerId: offer.id, now: NOW }),
    sessionId: member.sessionId,
    memberId: member.id,
    brandId,
    offerPublicId: offer.publicId,
    variantPublicId: null,
    now: NOW,
    ...more,
  });
}

async function reveals(offerId: string): Promise<number> {
  return (await db.selectFrom("code_reveals").select("id").where("offer_id", "=", offerId).execute()).length;
}

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
    const token = issueRevealToken({ secret, sessionId: member.sessionId, offerId: offer.id, now: NOW });
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
      issueRevealToken({ secret, sessionId: member.sessionId, offerId: offer.id, now: NOW, ...more });
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

describe("O4 pools", () => {
  async function makePool(size: number): Promise<{ id: string; publicId: string }> {
    const offer = await makeOffer();
    for (let index = 0; index < size; index += 1)
      await insertCode(db, { offerId: offer.id, codeKind: "pool", code: `POOL-${index}` });
    return offer;
  }
  const codes = (outcomes: RevealOutcome[]) =>
    outcomes.flatMap((outcome) => (outcome.outcome === "revealed" ? [outcome.code] : []));

  test("O4 fifty concurrent members share a pool of ten: ten get different codes, and forty are told that it is empty", async () => {
    const offer = await makePool(10);
    const members = await Promise.all(Array.from({ length: 50 }, person));
    const outcomes = await Promise.all(members.map((member) => reveal(member, offer)));
    expect(new Set(codes(outcomes)).size).toBe(10);
    expect(codes(outcomes)).toHaveLength(10);
    expect(outcomes.filter(({ outcome }) => outcome === "pool-empty")).toHaveLength(40);
    expect(await reveals(offer.id)).toBe(10);
  });

  test("O4 twenty concurrent reveals of one member take one code", async () => {
    const offer = await makePool(10);
    const member = await person();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => reveal(member, offer)));
    expect(codes(outcomes)).toHaveLength(20);
    expect(new Set(codes(outcomes)).size).toBe(1);
    const taken = await db
      .selectFrom("offer_codes")
      .select("code")
      .where("offer_id", "=", offer.id)
      .where("member_id", "is not", null)
      .execute();
    expect(taken).toHaveLength(1);
  });

  test("O4 a member keeps their code when the pool is empty for others", async () => {
    const offer = await makePool(1);
    const [first, second] = [await person(), await person()];
    const [code] = codes([await reveal(first, offer)]);
    expect(await reveal(second, offer)).toEqual({ outcome: "pool-empty" });
    expect(codes([await reveal(first, offer)])).toEqual([code]);
  });

  test("Y5 a token is not spent on an empty pool, and works once there are codes again", async () => {
    const offer = await makePool(1);
    await reveal(await person(), offer);
    const member = await person();
    const token = issueRevealToken({ secret, sessionId: member.sessionId, offerId: offer.id, now: NOW });
    expect(await reveal(member, offer, { token })).toEqual({ outcome: "pool-empty" });
    await insertCode(db, { offerId: offer.id, codeKind: "pool", code: "REFILL" });
    expect(await reveal(member, offer, { token })).toMatchObject({ code: "REFILL" });
  });

  test("O4 each variant of an offer has its own pool", async () => {
    const offer = await makeOffer();
    const adult = await insertVariant(db, { offerId: offer.id, label: "Adult", position: 1 });
    const child = await insertVariant(db, { offerId: offer.id, label: "Child", position: 2 });
    await insertCode(db, { offerId: offer.id, variantId: adult.id, codeKind: "pool", code: "A1" });
    await insertCode(db, { offerId: offer.id, variantId: child.id, codeKind: "pool", code: "C1" });
    const member = await person();
    expect(await reveal(member, offer, { variantPublicId: adult.publicId })).toMatchObject({ code: "A1" });
    expect(await reveal(member, offer, { variantPublicId: child.publicId })).toMatchObject({ code: "C1" });
    expect(await reveal(await person(), offer, { variantPublicId: child.publicId })).toEqual({ outcome: "pool-empty" });
  });

  describe("O4 which code a member gets", () => {
    type Whose = "own" | "pool" | "shared";
    type Held = `${Whose} of the ${"variant" | "offer"}` | "another's" | "another variant's";

    /** From best to worst: the first that exists is used. */
    const order: Held[] = [
      "own of the variant",
      "own of the offer",
      "pool of the variant",
      "pool of the offer",
      "shared of the variant",
      "shared of the offer",
    ];

    /**
     * Creates an offer with these codes, inserted in this order, and a member to reveal one. A code's text names
     * its kind.
     */
    async function offerWith(held: readonly Held[]) {
      const offer = await makeOffer();
      const variant = await insertVariant(db, { offerId: offer.id, label: "Adult", position: 1 });
      const other = await insertVariant(db, { offerId: offer.id, label: "Child", position: 2 });
      const [member, stranger] = [await person(), await person()];
      for (const code of held) {
        const variantId = code.endsWith("of the offer") ? null : code === "another variant's" ? other.id : variant.id;
        await insertCode(db, {
          ...{ offerId: offer.id, code, codeKind: code.startsWith("shared") ? "shared" : "pool" },
          ...(variantId && { variantId }),
        });
        const owner = code.startsWith("own") ? member.id : code === "another's" ? stranger.id : null;
        if (owner)
          await db
            .updateTable("offer_codes")
            .set({ member_id: owner, assigned_at: NOW })
            .where("offer_id", "=", offer.id)
            .where("code", "=", code)
            .execute();
      }
      return () => reveal(member, offer, { variantPublicId: variant.publicId });
    }

    const pairs = order.flatMap((better, at) => order.slice(at + 1).map((worse) => [better, worse] as const));
    test.each([...pairs, ...pairs.map(([better, worse]) => [worse, better] as const)])(
      "O4 of two codes, inserted as %j and then %j, the member gets the better one, and gets it again",
      async (...held) => {
        const ask = await offerWith(held);
        const best = order.find((kind) => held.includes(kind));
        expect(await ask()).toMatchObject({ outcome: "revealed", code: best });
        expect(await ask()).toMatchObject({ outcome: "revealed", code: best });
      },
    );

    test("O4 each kind of code can be revealed alone, but never codes of other members or variants", async () => {
      for (const kind of order) {
        const ask = await offerWith(["another's", "another variant's", kind]);
        expect.soft(await ask()).toMatchObject({ outcome: "revealed", code: kind });
      }
      expect(await (await offerWith(["another's", "another variant's"]))()).toEqual({ outcome: "pool-empty" });
    });
  });

  test("O4 hundreds of concurrent reveals assign no code twice, lose none, leak none, and repeat each member's own", async () => {
    const offer = await makePool(150);
    const other = await makePool(5);
    const members = await Promise.all(Array.from({ length: 100 }, person));
    // Each member asks four times, interleaved.
    const asked = Array.from({ length: 4 }, () => members).flat();
    const outcomes = await Promise.all(asked.map((member) => reveal(member, offer)));
    const codeOf = new Map<string, Set<string>>();
    for (const [at, outcome] of outcomes.entries()) {
      if (outcome.outcome !== "revealed") expect.unreachable(outcome.outcome);
      else codeOf.set(asked[at]!.id, (codeOf.get(asked[at]!.id) ?? new Set()).add(outcome.code));
    }
    expect([...codeOf.values()].every((own) => own.size === 1)).toBe(true);
    expect(new Set([...codeOf.values()].flatMap((own) => [...own])).size).toBe(100);
    const { rows } = await sql<{ taken: number; members: number }>`
      select count(*)::integer as taken, count(distinct member_id)::integer as members
      from offer_codes where offer_id = ${offer.id} and member_id is not null`.execute(db);
    expect(rows).toEqual([{ taken: 100, members: 100 }]);
    expect(await taken(other.id)).toBe(0);
    const [first] = members;
    expect(codes([await reveal(first!, offer)])).toEqual([...codeOf.get(first!.id)!]);
  });

  const taken = async (offerId: string) =>
    (
      await db
        .selectFrom("offer_codes")
        .select("id")
        .where("offer_id", "=", offerId)
        .where("member_id", "is not", null)
        .execute()
    ).length;
  const alarms = (offerId: string) =>
    db
      .selectFrom("code_pool_alarms")
      .select(["level", "codes_free", "codes_total"])
      .where("offer_id", "=", offerId)
      .where("ended_at", "is", null)
      .execute();

  test("O4 a pool under 5 % or empty is recorded once, until it is refilled", async () => {
    const offer = await makePool(41);
    for (let given = 0; given < 38; given += 1) await reveal(await person(), offer);
    expect(await alarms(offer.id)).toEqual([]);
    await reveal(await person(), offer);
    expect(await alarms(offer.id)).toEqual([{ level: "low", codes_free: 2, codes_total: 41 }]);
    const member = await person();
    await reveal(member, offer);
    await reveal(await person(), offer);
    expect(await alarms(offer.id)).toEqual([{ level: "empty", codes_free: 0, codes_total: 41 }]);
    expect((await countPoolAlarms(db)).empty).toBeGreaterThan(0);
    await Promise.all(Array.from({ length: 10 }, async () => await reveal(await person(), offer)));
    expect(await alarms(offer.id)).toHaveLength(1);
    for (let index = 0; index < 30; index += 1)
      await insertCode(db, { offerId: offer.id, codeKind: "pool", code: `MORE-${index}` });
    await reveal(await person(), offer);
    expect(await alarms(offer.id)).toEqual([]);
  });

  test("O4 a code offer whose pool was never filled is recorded as empty", async () => {
    const offer = await makeOffer({ kind: "code" });
    await reveal(await person(), offer);
    expect(await alarms(offer.id)).toEqual([{ level: "empty", codes_free: 0, codes_total: 0 }]);
  });
});

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

describe("S1 the limit on new codes", () => {
  const [{ codes: hourly, windowMs }] = revealLimits.unverified;
  const [{ codes: verifiedHourly }] = revealLimits.verified;
  const later = (ms: number) => new Date(NOW.getTime() + ms);

  async function makePools(count: number): Promise<{ id: string; publicId: string }[]> {
    const offers = [];
    for (let index = 0; index < count; index += 1) {
      const offer = await makeOffer();
      await insertCode(db, { offerId: offer.id, codeKind: "pool", code: `LIMIT-${index}` });
      offers.push(offer);
    }
    return offers;
  }
  async function verifiedPerson(): Promise<Person> {
    const member = await person();
    await db.updateTable("members").set({ verification: "verified" }).where("id", "=", member.id).execute();
    return member;
  }
  const given = async (memberId: string) =>
    (await db.selectFrom("offer_codes").select("id").where("member_id", "=", memberId).execute()).length;

  test("S1 an unverified member is stopped at the limit, also under concurrent requests, and no code beyond it is used up", async () => {
    const offers = await makePools(hourly + 15);
    const member = await person();
    const outcomes = await Promise.all(offers.map((offer) => reveal(member, offer)));
    expect(outcomes.filter(({ outcome }) => outcome === "revealed")).toHaveLength(hourly);
    expect(outcomes.filter(({ outcome }) => outcome === "too-many")).toHaveLength(15);
    expect(outcomes.find(({ outcome }) => outcome === "too-many")).toEqual({
      outcome: "too-many",
      until: later(windowMs),
    });
    expect(await given(member.id)).toBe(hourly);
    expect(await findNextReveal(db, { memberId: member.id, verification: "unverified", now: NOW })).toEqual(
      later(windowMs),
    );
  });

  test("S1 a verified member has a higher limit", async () => {
    const offers = await makePools(verifiedHourly + 3);
    const member = await verifiedPerson();
    const outcomes = await Promise.all(offers.map((offer) => reveal(member, offer)));
    expect(outcomes.filter(({ outcome }) => outcome === "revealed")).toHaveLength(verifiedHourly);
    expect(await given(member.id)).toBe(verifiedHourly);
  });

  test("S1 seen codes show at the limit and do not count, nor do other members' reveals", async () => {
    const offers = await makePools(hourly + 1);
    const [first, last] = [offers[0]!, offers.at(-1)!];
    const member = await person();
    for (const offer of offers.slice(0, hourly - 1)) await reveal(member, offer);
    for (let again = 0; again < hourly; again += 1)
      expect(await reveal(member, first)).toMatchObject({ outcome: "revealed" });
    expect(await reveal(member, offers[hourly - 1]!)).toMatchObject({ outcome: "revealed" });
    expect(await reveal(member, last)).toMatchObject({ outcome: "too-many" });
    expect(await reveal(member, first)).toMatchObject({ outcome: "revealed" });
    expect(await reveal(await person(), last)).toMatchObject({ outcome: "revealed" });
  });

  test("S1 Y5 a token is not spent at the limit, and works afterwards", async () => {
    const offers = await makePools(hourly + 1);
    const last = offers.at(-1)!;
    const member = await person();
    for (const offer of offers.slice(0, hourly)) await reveal(member, offer);
    const issuedAt = later(windowMs - 1);
    const token = issueRevealToken({ secret, sessionId: member.sessionId, offerId: last.id, now: issuedAt });
    expect(await reveal(member, last, { token, now: issuedAt })).toEqual({
      outcome: "too-many",
      until: later(windowMs),
    });
    expect(await reveal(member, last, { token, now: later(windowMs) })).toMatchObject({ outcome: "revealed" });
  });

  test("S1 an offer without codes reports that and does not count", async () => {
    const member = await person();
    const empty = await makeOffer({ kind: "code" });
    for (let index = 0; index <= hourly; index += 1)
      expect(await reveal(member, empty)).toEqual({ outcome: "pool-empty" });
  });
});
