import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { describe, expect, test } from "vitest";
import { insertCode, NOW } from "../catalogue/catalogue.testing.ts";
import { findNextReveal } from "./next-reveal.server.ts";
import { openReveals, type Person, TOKEN_SECRET } from "./reveals.testing.ts";
import { revealLimits } from "./rules.ts";
import { issueRevealToken } from "./token.ts";

const { db } = await testDatabase({ max: 25 });
const { person, makeOffer, reveal } = await openReveals(db);

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
    const token = issueRevealToken({
      secret: TOKEN_SECRET,
      sessionId: member.sessionId,
      offerId: last.id,
      now: issuedAt,
    });
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
