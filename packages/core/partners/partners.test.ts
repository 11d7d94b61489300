import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { exchangeToken, type OpenedSession } from "./exchange-token.server.ts";
import { forgetOldTokens, mintToken } from "./mint-token.server.ts";
import {
  addApiKey,
  allowOrigin,
  createPartner,
  revokeApiKey,
  suspendPartner,
  TooManyApiKeysError,
  withdrawOrigin,
} from "./operations.server.ts";
import { makePartner, type TestPartner } from "./partners.testing.ts";
import { forgetOldWidgetSessions, resolveWidgetSession } from "./widget-session.server.ts";

const { db } = await testDatabase();
const signingKey = "the server's key";
const start = new Date("2026-11-20T10:00:00Z");
const later = (seconds: number) => new Date(start.getTime() + seconds * 1000);

async function minted(partner: TestPartner, reference: string | null = null, now = start): Promise<string> {
  const outcome = await mintToken(db, { apiKey: partner.key, origin: partner.origin, reference, signingKey, now });
  if (outcome.outcome !== "minted") throw new Error(`Not minted: ${outcome.outcome}`);
  return outcome.token;
}

async function opened(token: string, now = later(1)): Promise<OpenedSession> {
  const outcome = await exchangeToken(db, { token, signingKey, now });
  if (outcome.outcome !== "opened") throw new Error(`Not opened: ${outcome.outcome}`);
  return outcome.session;
}

const outcomeOf = async (token: string, now = later(1)) =>
  (await exchangeToken(db, { token, signingKey, now })).outcome;

describe("W10 API keys", () => {
  test("W10 the database has no whole key, and the prefix finds its hash", async () => {
    const partner = await makePartner(db);
    const { rows } = await sql<{
      text: string;
    }>`select k::text as text from partner_api_keys k where partner_id = ${partner.id}`.execute(db);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.text).toContain(partner.prefix);
    expect(rows[0]?.text).not.toContain(partner.key.split("_").slice(2).join("_"));
  });

  test("W10 a key with a known prefix and another secret is unknown, like a revoked one", async () => {
    const partner = await makePartner(db);
    const mint = (apiKey: string) =>
      mintToken(db, { apiKey, origin: partner.origin, reference: null, signingKey, now: start });
    const forged = `fpk_${partner.prefix}_${"A".repeat(43)}`;
    expect(await mint(forged)).toEqual({ outcome: "unknown-key" });
    expect(await mint(`${partner.key}x`)).toEqual({ outcome: "unknown-key" });
    await revokeApiKey(db, { prefix: partner.prefix, now: start });
    expect(await mint(partner.key)).toEqual({ outcome: "unknown-key" });
  });

  test("W10 two keys work at the same time, so that keys can be rotated without a pause", async () => {
    const partner = await makePartner(db);
    const second = await addApiKey(db, { partnerId: partner.id });
    expect(await minted({ ...partner, key: second.key })).toBeTruthy();
    await revokeApiKey(db, { prefix: partner.prefix, now: start });
    expect(await minted({ ...partner, key: second.key })).toBeTruthy();
  });

  test("W10 a third key is refused until one is revoked, also when ten are asked for at once", async () => {
    const partner = await makePartner(db);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => addApiKey(db, { partnerId: partner.id })),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === "rejected") expect(outcome.reason).toBeInstanceOf(TooManyApiKeysError);
    await revokeApiKey(db, { prefix: partner.prefix, now: start });
    await addApiKey(db, { partnerId: partner.id });
    await expect(addApiKey(db, { partnerId: partner.id })).rejects.toThrow(TooManyApiKeysError);
  });
});

describe("W9 exchange of a token", () => {
  test("W9 opens a session of its partner and origin, with the reference it was minted with", async () => {
    const partner = await makePartner(db);
    const session = await opened(await minted(partner, "basket-7"));
    expect(await resolveWidgetSession(db, { cookie: null, bearer: session.bearer, now: later(2) })).toEqual({
      id: session.id,
      partner: {
        id: partner.id,
        publicId: partner.publicId,
        name: "Test shop",
      },
      origin: "https://shop.example",
      reference: "basket-7",
      mode: "live",
      price: null,
      member: null,
      expiresAt: later(1 + 30 * 60),
    });
  });

  test("W9 of twenty concurrent exchanges one succeeds", async () => {
    const partner = await makePartner(db);
    const token = await minted(partner);
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcomeOf(token)));
    expect(outcomes.filter((outcome) => outcome === "opened")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "spent")).toHaveLength(19);
    const { rows } = await sql`select from widget_sessions where partner_id = ${partner.id}`.execute(db);
    expect(rows).toHaveLength(1);
  });

  test("W9 a token is valid for exactly a minute", async () => {
    const partner = await makePartner(db);
    const [inTime, late] = [await minted(partner), await minted(partner)];
    expect(await outcomeOf(inTime, later(59.999))).toBe("opened");
    expect(await exchangeToken(db, { token: late, signingKey, now: later(60) })).toEqual({
      outcome: "expired",
      origin: partner.origin,
    });
  });

  test("W9 another server's signature opens nothing", async () => {
    const partner = await makePartner(db);
    const token = await minted(partner);
    expect(await exchangeToken(db, { token, signingKey: "another", now: later(1) })).toEqual({ outcome: "invalid" });
    expect(await outcomeOf(token)).toBe("opened");
  });

  test("W9 a token whose partner, key or origin was withdrawn opens nothing, and its origin is not revealed", async () => {
    const suspended = await makePartner(db);
    const withoutOrigin = await makePartner(db);
    const revoked = await makePartner(db);
    const tokens = await Promise.all([suspended, withoutOrigin, revoked].map((partner) => minted(partner)));
    await suspendPartner(db, { partnerId: suspended.id, now: start });
    await withdrawOrigin(db, { partnerId: withoutOrigin.id, origin: withoutOrigin.origin });
    await revokeApiKey(db, { prefix: revoked.prefix, now: start });
    for (const token of tokens)
      expect(await exchangeToken(db, { token, signingKey, now: later(1) })).toEqual({ outcome: "withdrawn" });
  });
});

describe("W9 widget sessions", () => {
  const find = (bearer: string | null, cookie: string | null = null, now = later(2)) =>
    resolveWidgetSession(db, { bearer, cookie, now });

  test("W9 cookie and bearer open the same session, and a cookie does not replace a wrong bearer", async () => {
    const { bearer, id } = await opened(await minted(await makePartner(db)));
    expect((await find(null, bearer))?.id).toBe(id);
    expect((await find(bearer))?.id).toBe(id);
    expect(await find("A".repeat(43), bearer)).toBeNull();
    expect(await find(null)).toBeNull();
    expect(await find("short")).toBeNull();
  });

  test("W9 the database has no bearer", async () => {
    const { bearer, id } = await opened(await minted(await makePartner(db)));
    const { rows } = await sql<{
      text: string;
    }>`select s::text as text from widget_sessions s where id = ${id}`.execute(db);
    expect(rows[0]?.text).not.toContain(bearer);
    expect(rows[0]?.text).not.toContain(Buffer.from(bearer).toString("hex"));
  });

  test("W9 a session ends after half an hour", async () => {
    const { bearer } = await opened(await minted(await makePartner(db)));
    expect(await find(bearer, null, later(1 + 30 * 60 - 1))).not.toBeNull();
    expect(await find(bearer, null, later(1 + 30 * 60))).toBeNull();
  });

  test("W10 open frames of a suspended partner or a withdrawn origin stop at once", async () => {
    const partner = await makePartner(db, { origins: ["https://one.example", "https://two.example"] });
    const { bearer } = await opened(await minted(partner));
    await withdrawOrigin(db, { partnerId: partner.id, origin: "https://one.example" });
    expect(await find(bearer)).toBeNull();
    await allowOrigin(db, { partnerId: partner.id, origin: "https://one.example" });
    expect(await find(bearer)).not.toBeNull();
    await suspendPartner(db, { partnerId: partner.id, now: start });
    expect(await find(bearer)).toBeNull();
  });
});

describe("W10 limits and cleaning up", () => {
  const mint = (partner: TestPartner, now: Date) =>
    mintToken(db, { apiKey: partner.key, origin: partner.origin, reference: null, signingKey, now });

  test("W10 a partner that has used its tokens of a minute waits for the next minute, also under concurrent requests", async () => {
    const partner = await makePartner(db, { mintsPerMinute: 5 });
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => mint(partner, later(20))));
    expect(outcomes.filter(({ outcome }) => outcome === "minted")).toHaveLength(5);
    expect(outcomes.find(({ outcome }) => outcome !== "minted")).toEqual({
      outcome: "slow-down",
      retryAfterSeconds: 40,
    });
    expect((await mint(partner, later(60))).outcome).toBe("minted");
  });

  test("W10 a process whose clock is behind does not restart the minute", async () => {
    const partner = await makePartner(db, { mintsPerMinute: 2 });
    await mint(partner, later(61));
    await mint(partner, later(59));
    expect((await mint(partner, later(61))).outcome).toBe("slow-down");
  });

  test("W10 one partner's requests do not limit another partner", async () => {
    const [greedy, modest] = [await makePartner(db, { mintsPerMinute: 1 }), await makePartner(db)];
    await mint(greedy, start);
    expect((await mint(greedy, start)).outcome).toBe("slow-down");
    expect((await mint(modest, start)).outcome).toBe("minted");
  });

  test("W9 removes tokens and sessions long after they end, and keeps others", async () => {
    const partner = await makePartner(db);
    const token = await minted(partner);
    const { id } = await opened(token);
    await forgetOldTokens(db, { now: later(60 * 60) });
    expect(await outcomeOf(token)).toBe("spent");
    await forgetOldTokens(db, { now: later(2 * 60 * 60) });
    expect(await outcomeOf(token)).toBe("expired");
    await forgetOldWidgetSessions(db, { now: later(29 * 24 * 60 * 60) });
    expect(await db.selectFrom("widget_sessions").select("id").where("id", "=", id).execute()).toHaveLength(1);
    await forgetOldWidgetSessions(db, { now: later(31 * 24 * 60 * 60) });
    expect(await db.selectFrom("widget_sessions").select("id").where("id", "=", id).execute()).toHaveLength(0);
  });
});

describe("W10 constraints of the database", () => {
  test.each(["https://*.shop.example", "https://shop.example/", "https://shop.example; script-src *", "https://a,b"])(
    "W10 the database refuses %s as an allowed origin",
    async (origin) => {
      const { id } = await makePartner(db);
      await expect(createPartner(db, { name: "Other", origins: [origin] })).rejects.toThrow(/origin/i);
      await expect(db.insertInto("partner_origins").values({ partner_id: id, origin }).execute()).rejects.toThrow(
        /check/,
      );
    },
  );

  test("W10 the database refuses a token of one partner with another's key", async () => {
    const [one, two] = [await makePartner(db), await makePartner(db)];
    const { id: keyOfTwo } = await db
      .selectFrom("partner_api_keys")
      .select("id")
      .where("partner_id", "=", two.id)
      .executeTakeFirstOrThrow();
    const row = {
      id: one.id,
      partner_id: one.id,
      api_key_id: keyOfTwo,
      origin: one.origin,
      minted_at: start,
      expires_at: later(60),
    };
    await expect(db.insertInto("partner_tokens").values(row).execute()).rejects.toThrow(/foreign key/);
  });
});
