import { makePartner } from "@farthing/core/partners/partners.testing.ts";
import { openWidgetSession } from "@farthing/core/partners/widget-session.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { describe, expect, test } from "vitest";
import { widgetSessions } from "../partners/widget-sessions.ts";
import { frameCaller } from "./frame-caller.ts";

const { db } = await testDatabase();
const now = new Date("2026-11-20T10:00:00Z");
const partner = await makePartner(db);
const { bearer, id } = await openWidgetSession(db, {
  partnerId: partner.id,
  origin: partner.origin,
  reference: null,
  now,
});
const services = {
  sessions: widgetSessions({ db, publicScheme: "http", now: () => now }),
  config: { publicScheme: "http", trustProxy: false } as const,
};
const call = (method: string, headers: Record<string, string>) =>
  frameCaller({ method, header: (name) => ({ host: "one.test", ...headers })[name] }, services);
const outcome = async (method: string, headers: Record<string, string>) => {
  const caller = await call(method, headers);
  return caller.ok ? caller.session.id : caller.problem.status;
};
const cookie = `farthing_widget=${bearer}`;

describe("W9 the caller of an API in a frame", () => {
  test("W9 a bearer token is sufficient, without any other header", async () => {
    expect(await outcome("POST", { authorization: `Bearer ${bearer}` })).toBe(id);
    expect(await outcome("POST", { authorization: `bearer ${bearer}`, "sec-fetch-site": "same-origin" })).toBe(id);
  });

  test("W9 a cookie is accepted for reads, and for posts of our own pages", async () => {
    expect(await outcome("GET", { cookie })).toBe(id);
    expect(await outcome("POST", { cookie, "sec-fetch-site": "same-origin" })).toBe(id);
    expect(await outcome("POST", { cookie, origin: "http://one.test" })).toBe(id);
  });

  test.each([
    { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
    { "sec-fetch-site": "same-site", origin: "http://two.test" },
    { origin: "https://evil.example" },
    { origin: "null" },
    {},
  ])("S1 a post with the cookie and the headers %j is refused", async (headers) => {
    expect(await outcome("POST", { cookie, ...headers })).toBe(403);
  });

  test("W9 a missing, wrong or malformed session is 401", async () => {
    expect(await outcome("POST", {})).toBe(401);
    expect(await outcome("POST", { authorization: `Bearer ${"A".repeat(43)}`, cookie })).toBe(401);
    expect(await outcome("POST", { authorization: "Basic abc" })).toBe(401);
    expect(await outcome("GET", { cookie: `farthing_widget=; other=${bearer}` })).toBe(401);
  });
});
