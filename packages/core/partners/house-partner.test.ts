import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { suspendMember } from "../members/suspension.server.ts";
import { erasePersonalData } from "../personal-data/erase-member.server.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertSignedInMember } from "../testing/insert-signed-in-member.testing.ts";
import { exchangeToken } from "./exchange-token.server.ts";
import { keepHousePartner, mintHouseToken } from "./house-partner.server.ts";
import { HOUSE_PARTNER } from "./house-partner.ts";
import { addApiKey, NoKeysOfHouseError, revokeApiKey, suspendPartner, resumePartner } from "./operations.server.ts";
import { makePartner } from "./partners.testing.ts";
import { openWidgetSession, resolveWidgetSession } from "./widget-session.server.ts";

const { db } = await testDatabase();
const signingKey = "the server's key";
const now = new Date("2026-11-20T10:00:00Z");
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const originOf = (host: string) => `https://${host}`;
const origin = "https://one.test";
let brandId: string;

beforeAll(async () => {
  brandId = (await insertBrand(db, { slug: "one" })).id;
  await keepHousePartner(db, { originOf });
});

const house = () => db.selectFrom("partners").selectAll().where("is_house", "=", true).executeTakeFirstOrThrow();
const originsOf = async (partnerId: string) =>
  (await db.selectFrom("partner_origins").select("origin").where("partner_id", "=", partnerId).execute())
    .map((row) => row.origin)
    .toSorted();
let people = 0;
const signIn = () => insertSignedInMember(db, { brandId, email: `person-${(people += 1)}@one.example` });
const minted = async (memberSessionId: string | null) =>
  (await mintHouseToken(db, { origin, memberSessionId, signingKey, now }))!;
async function opened(memberSessionId: string | null) {
  const exchange = await exchangeToken(db, { token: await minted(memberSessionId), signingKey, now: later(1) });
  if (exchange.outcome !== "opened") throw new Error(exchange.outcome);
  return exchange.session;
}
const resolved = (bearer: string, at = later(2)) => resolveWidgetSession(db, { cookie: null, bearer, now: at });

describe("G1 the house partner", () => {
  test("G1 is made once, by any number of processes, with one key that nobody has and the brands' origins", async () => {
    await Promise.all(Array.from({ length: 5 }, () => keepHousePartner(db, { originOf })));
    const { id, name, public_id } = await house();
    expect({ name, publicId: public_id }).toEqual(HOUSE_PARTNER);
    const keys = await db.selectFrom("partner_api_keys").select("id").where("partner_id", "=", id).execute();
    expect(keys).toHaveLength(1);
    expect(await originsOf(id)).toEqual([origin]);
    await expect(addApiKey(db, { partnerId: id })).rejects.toThrow(NoKeysOfHouseError);
  });

  test("G1 follows the brands' hosts, keeps other ports of a host, and replaces a revoked key", async () => {
    const { id } = await house();
    const two = await insertBrand(db, { slug: "two" });
    await keepHousePartner(db, { originOf: (host) => `http://${host}:3000` });
    expect(await originsOf(id)).toEqual(["http://one.test:3000", "http://two.test:3000", origin].toSorted());
    await db.deleteFrom("brand_hosts").where("brand_id", "=", two.id).execute();
    const { prefix } = await db
      .selectFrom("partner_api_keys")
      .select("prefix")
      .where("partner_id", "=", id)
      .executeTakeFirstOrThrow();
    await revokeApiKey(db, { prefix, now });
    expect(await mintHouseToken(db, { origin, memberSessionId: null, signingKey, now })).toBeNull();
    await keepHousePartner(db, { originOf });
    expect(await originsOf(id)).toEqual(["http://one.test:3000", origin].toSorted());
    expect(await mintHouseToken(db, { origin, memberSessionId: null, signingKey, now })).not.toBeNull();
  });

  test("G1 a host that no header can hold is left out", async () => {
    await expect(keepHousePartner(db, { originOf: (host) => `https://_${host};` })).resolves.toBeUndefined();
  });

  test("G1 mints for the brands' origins only, and nothing while it is suspended", async () => {
    const mint = (at: string) => mintHouseToken(db, { origin: at, memberSessionId: null, signingKey, now });
    expect(await mint("https://evil.example")).toBeNull();
    const { id } = await house();
    await suspendPartner(db, { partnerId: id, now });
    expect(await mint(origin)).toBeNull();
    await resumePartner(db, { partnerId: id, now });
    expect(await mint(origin)).not.toBeNull();
  });
});

describe("G1 a visit of the gift-card page", () => {
  test("G1 knows the member who is signed in, with the brand, and a visitor as nobody", async () => {
    const { id, sessionId } = await signIn();
    const mine = await opened(sessionId);
    expect(mine.member).toEqual({ id, brandId });
    expect((await resolved(mine.bearer))?.member).toEqual({ id, brandId });
    const visitors = await opened(null);
    expect(visitors.member).toBeNull();
    expect(await resolved(visitors.bearer)).toMatchObject({ member: null, origin });
  });

  test("G1 W9 a token opens one visit, within a minute", async () => {
    const { sessionId } = await signIn();
    const token = await minted(sessionId);
    const outcome = async (at: Date) => (await exchangeToken(db, { token, signingKey, now: at })).outcome;
    expect(await outcome(later(60))).toBe("expired");
    expect(await outcome(later(59))).toBe("opened");
    expect(await outcome(later(59))).toBe("spent");
  });

  test.each([
    [
      "signing out",
      (_: string, session: string) => db.deleteFrom("member_sessions").where("id", "=", session).execute(),
    ],
    ["a suspension", (member: string) => suspendMember(db, { brandId, memberId: member, now })],
    [
      "closing the account",
      (member: string) => db.transaction().execute((trx) => erasePersonalData(trx, { memberId: member, now })),
    ],
  ])("G1 M5 %s ends the member's visits, and tokens that are not spent open none", async (_, end) => {
    const { id, sessionId } = await signIn();
    const other = await opened((await signIn()).sessionId);
    const visit = await opened(sessionId);
    const token = await minted(sessionId);
    await end(id, sessionId);
    expect(await resolved(visit.bearer)).toBeNull();
    expect((await exchangeToken(db, { token, signingKey, now: later(1) })).outcome).not.toBe("opened");
    expect(await resolved(other.bearer)).not.toBeNull();
  });

  test("G1 a login that has expired ends its visits", async () => {
    const { sessionId } = await signIn();
    const visit = await opened(sessionId);
    await db
      .updateTable("member_sessions")
      .set({ expires_at: later(10) })
      .where("id", "=", sessionId)
      .execute();
    expect(await resolved(visit.bearer, later(9))).not.toBeNull();
    expect(await resolved(visit.bearer, later(10))).toBeNull();
  });

  test("G1 closing the account leaves nothing of its visits", async () => {
    const { id, sessionId } = await signIn();
    await opened(sessionId);
    await db.transaction().execute((trx) => erasePersonalData(trx, { memberId: id, now }));
    expect(await db.selectFrom("widget_sessions").select("id").where("member_id", "=", id).execute()).toEqual([]);
  });
});

describe("G1 S1 a partner's visitors are never members, whatever its server sends", () => {
  test("G1 the database refuses a token and a session with a member for every other partner", async () => {
    const partner = await makePartner(db);
    const { id: memberId, sessionId } = await signIn();
    const { id: keyId } = await db
      .selectFrom("partner_api_keys")
      .select("id")
      .where("partner_id", "=", partner.id)
      .executeTakeFirstOrThrow();
    const token = {
      id: newId(),
      partner_id: partner.id,
      api_key_id: keyId,
      origin: partner.origin,
      minted_at: now,
      expires_at: later(60),
    };
    const tokens = () => db.insertInto("partner_tokens");
    await expect(
      tokens()
        .values({ ...token, member_session_id: sessionId })
        .execute(),
    ).rejects.toThrow("not the club");
    await tokens().values(token).execute();
    await expect(
      db.updateTable("partner_tokens").set({ member_session_id: sessionId }).where("id", "=", token.id).execute(),
    ).rejects.toThrow("not the club");
    const visit = { partnerId: partner.id, origin: partner.origin, reference: null, now };
    await expect(openWidgetSession(db, { ...visit, login: { sessionId, memberId, brandId } })).rejects.toThrow(
      "not the club",
    );
    const { id } = await openWidgetSession(db, visit);
    await expect(
      db.updateTable("widget_sessions").set({ member_id: memberId }).where("id", "=", id).execute(),
    ).rejects.toThrow("not the club");
  });

  test("G1 a visit of the house can't be moved to a partner", async () => {
    const partner = await makePartner(db);
    const { id } = await opened((await signIn()).sessionId);
    await expect(
      db.updateTable("widget_sessions").set({ partner_id: partner.id }).where("id", "=", id).execute(),
    ).rejects.toThrow("not the club");
  });
});
