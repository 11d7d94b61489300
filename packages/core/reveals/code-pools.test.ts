import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { insertCode, insertVariant, NOW } from "../catalogue/catalogue.testing.ts";
import type { RevealOutcome } from "./operations.server.ts";
import { countPoolAlarms } from "./pool-alarms.server.ts";
import { openReveals, TOKEN_SECRET } from "./reveals.testing.ts";
import { issueRevealToken } from "./token.ts";

const { db } = await testDatabase({ max: 25 });
const { person, makeOffer, makePool, reveal, reveals } = await openReveals(db);

describe("O4 pools", () => {
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
    const token = issueRevealToken({ secret: TOKEN_SECRET, sessionId: member.sessionId, offerId: offer.id, now: NOW });
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
