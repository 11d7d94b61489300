import { keepHousePartner } from "@farthing/core/partners/house-partner.server.ts";
import { makePartner } from "@farthing/core/partners/partners.testing.ts";
import { resolveWidgetSession } from "@farthing/core/partners/widget-session.server.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertSignedInMember } from "@farthing/core/testing/insert-signed-in-member.testing.ts";
import type { Brand } from "@farthing/core/brands/brand.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import type { SignedInMember, Visit } from "@farthing/site/server/visit.ts";
import { describe, expect, test } from "vitest";
import { htmlPage, testApp } from "../app.testing.ts";
import { partnerApi } from "./partner-api.ts";
import { noCardAccounts } from "@farthing/core/payments/card-accounts.ts";
import { portalTokens } from "./portal-tokens.ts";
import { redirectRoutes } from "./redirect-routes.ts";
import { widgetSessions } from "./widget-sessions.ts";

const { db } = await testDatabase();
const now = () => new Date("2026-11-20T10:00:00Z");
const tokenKey = "the server's key";
const config = { publicScheme: "https", trustProxy: false, metricsToken: null } as const;

const selling = (brand: Brand): Brand => ({ ...brand, features: { ...brand.features, giftCards: true } });
const one = selling(await insertBrand(db, { slug: "one" }));
const two = selling(await insertBrand(db, { slug: "two" }));
const without = await insertBrand(db, { slug: "without" });
const hosts = new Map([one, two, without].map((brand) => [brand.mainHost, brand]));
const brands = async (host: string) => hosts.get(host) ?? null;
const originOf = (host: string) => `https://${host}`;
await keepHousePartner(db, { originOf });

const signedIn = await insertSignedInMember(db, { brandId: one.id, email: "robin@one.test" });
const robin: SignedInMember = { ...signedIn, name: "Robin", email: "robin@one.test", verification: "verified" };
const accounts = {
  memberOf: async (brand: Brand, cookie: string | undefined) =>
    brand.id === one.id && cookie?.includes("farthing_session=good") ? robin : null,
};

const sessions = widgetSessions({ db, publicScheme: "https", now });
const tinySite = async (request: Request, visit: Visit) =>
  htmlPage(`${new URL(request.url).pathname} for ${visit.member?.name ?? "a stranger"}`, visit);
const { logger } = testApp([one], tinySite);
const api = { db, brands, config, tokenKey, webhookKey: "the webhooks' key", cards: noCardAccounts, logger, now };
let clock = 1;
const { app, pages } = testApp([one, two, without], tinySite, {
  config,
  brands,
  accounts,
  widgetSessions: sessions,
  redirectRoutes: redirectRoutes({
    db,
    tokenKey,
    sessions,
    renderInFrame: (...all) => pages.answerInFrame(...all),
    cards: null,
    logger,
    now,
  }),
  apiRoutes: [
    portalTokens({ db, brands, accounts, config, tokenKey, originOf, now, clock: () => clock }),
    partnerApi(api),
  ],
});

const ask = async (headers: Record<string, string> = {}, host = "one.test", method = "POST") =>
  app.request(`https://${host}/api/portal/token`, {
    method,
    headers: { host, "sec-fetch-site": "same-origin", ...headers },
  });
const cookie = "farthing_session=good";
async function tokenFor(headers: Record<string, string> = {}, host = "one.test"): Promise<string> {
  const answer = await ask(headers, host);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { token: string }).token;
}
const open = (token: string, host = "one.test", headers: Record<string, string> = {}) =>
  app.request(`https://${host}/redirect?path=%2Fretailers&token=${encodeURIComponent(token)}`, {
    headers: { host, ...headers },
  });
const bearerOf = (response: Response) => /=([A-Za-z0-9_-]{43});/.exec(response.headers.get("set-cookie") ?? "")?.[1];
async function memberIn(token: string, host?: string) {
  const bearer = bearerOf(await open(token, host));
  return (await resolveWidgetSession(db, { cookie: null, bearer: bearer ?? "", now: now() }))?.member;
}

describe("G1 the token of the site's own gift-card page", () => {
  test("G1 names the member who is signed in, and nobody for a visitor", async () => {
    expect(await memberIn(await tokenFor({ cookie }))).toEqual({ id: robin.id, brandId: one.id });
    expect(await memberIn(await tokenFor())).toBeNull();
    expect(await memberIn(await tokenFor({ cookie }, "two.test"), "two.test")).toBeNull(); // signed in at another brand
  });

  test("G1 S1 no cache keeps the answer, and no other origin can read it", async () => {
    const answer = await ask({ cookie, origin: "https://one.test" });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("G1 each load has a token of its own", async () => {
    expect(new Set(await Promise.all([tokenFor(), tokenFor(), tokenFor()])).size).toBe(3);
  });

  test("G1 W9 the frame may be held by the page's own origin only, and does not see the member", async () => {
    const answer = await open(await tokenFor({ cookie }), "one.test", { cookie });
    expect(answer.headers.get("content-security-policy")).toContain("frame-ancestors https://one.test;");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await answer.text()).toContain("for a stranger");
  });

  test.each([
    ["another site", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }],
    ["another brand", { "sec-fetch-site": "same-site", origin: "https://two.test" }],
    ["an old browser's page of another site", { "sec-fetch-site": "", origin: "https://evil.example" }],
  ])("S1 %s gets none", async (_, headers) => {
    expect((await ask({ cookie, ...headers })).status).toBe(403);
  });

  test("S1 a request without a witness of its origin gets none", async () => {
    const answer = await app.request("https://one.test/api/portal/token", {
      method: "POST",
      headers: { host: "one.test", cookie },
    });
    expect(answer.status).toBe(403);
    expect(answer.headers.get("content-type")).toContain("application/problem+json");
  });

  test("Z5 a brand that sells no gift cards, an unknown host, another port and another method get a problem", async () => {
    expect((await ask({}, "without.test")).status).toBe(404);
    expect((await ask({}, "nobody.test")).status).toBeGreaterThanOrEqual(400);
    expect((await ask({}, "one.test:444")).status).toBe(409);
    const read = await ask({}, "one.test", "GET");
    expect([read.status, read.headers.get("allow")]).toEqual([405, "POST"]);
  });

  test("S1 one address can't mint without end", async () => {
    clock += 60_000; // a full allowance
    const answers = await Promise.all(Array.from({ length: 70 }, async () => ask()));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(10);
    expect(Number(refused[0]!.headers.get("retry-after"))).toBeGreaterThan(0);
    clock += 60_000;
    expect((await ask()).status).toBe(200);
  });

  test("G1 B3 a brand's host that was added since the start is served", async () => {
    await db.insertInto("brand_hosts").values({ host: "late.test", brand_id: two.id }).execute();
    hosts.set("late.test", two);
    expect(await memberIn(await tokenFor({}, "late.test"), "late.test")).toBeNull();
  });

  test("G1 B4 a member's token opens nothing at another brand", async () => {
    const answer = await open(await tokenFor({ cookie }), "two.test");
    expect(answer.status).toBe(401);
    expect(answer.headers.get("set-cookie")).toBeNull();
  });

  test("G1 B4 a member's frame session counts at their own brand only", async () => {
    const bearer = bearerOf(await open(await tokenFor({ cookie })));
    const walk = (host: string) =>
      app.request(`https://${host}/retailers`, {
        headers: { host, "sec-fetch-dest": "iframe", authorization: `Bearer ${bearer}` },
      });
    expect((await walk("one.test")).status).toBe(200);
    expect(await (await walk("two.test")).text()).toContain("session");
  });
});

describe("G1 S1 a partner abroad can't name a member", () => {
  test.each([
    { memberId: signedIn.id },
    { member: { id: signedIn.id, brandId: one.id } },
    { memberSessionId: signedIn.sessionId },
    { member_session_id: signedIn.sessionId },
    { login: signedIn.sessionId },
  ])("G1 its token with %j is refused", async (field) => {
    const partner = await makePartner(db);
    const answer = await app.request("https://one.test/api/partner/sessions", {
      method: "POST",
      headers: {
        host: "one.test",
        cookie,
        authorization: `Bearer ${partner.key}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ origin: partner.origin, ...field }),
    });
    expect(answer.status).toBe(422);
  });

  test("G1 a partner's visit has no member, with the member's cookie at the exchange too", async () => {
    const partner = await makePartner(db);
    const answer = await app.request("https://one.test/api/partner/sessions", {
      method: "POST",
      headers: { host: "one.test", authorization: `Bearer ${partner.key}`, "content-type": "application/json" },
      body: JSON.stringify({ origin: partner.origin }),
    });
    const { token } = (await answer.json()) as { token: string };
    const bearer = bearerOf(await open(token, "one.test", { cookie }));
    const session = await resolveWidgetSession(db, { cookie: null, bearer: bearer ?? "", now: now() });
    expect(session).toMatchObject({ member: null, partner: { publicId: partner.publicId } });
  });
});
