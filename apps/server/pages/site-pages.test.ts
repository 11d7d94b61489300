import { readFileSync } from "node:fs";
import type { Brand } from "@farthing/core/brands/brand.ts";
import type { Visit } from "@farthing/site/server/visit.ts";
import { describe, expect, test } from "vitest";
import { htmlPage } from "../app.testing.ts";
import { securityHeaders } from "../http/security-headers.ts";
import { sessionCookie } from "../sign-in/session-cookie.ts";
import { sitePages, type SitePagesOptions, strangersVisit } from "./site-pages.ts";

const brand = { id: "one", slug: "one", name: "One" } as Brand;
const origin = "http://one.test";
const member = { id: "m", sessionId: "s", name: "Ann", email: "ann@one.test", verification: "verified" } as const;

/**
 * Pages of a tiny site that echoes the requested address. The test ends the rendering of addresses that contain "slow".
 */
function openPages(limits: SitePagesOptions["limits"] = {}, more: Partial<SitePagesOptions> = {}) {
  const clock = { now: 0 };
  const rendered: string[] = [];
  const refused: string[] = [];
  const slow = Promise.withResolvers<void>();
  const pages = sitePages({
    site: async (request, visit) => {
      const { pathname, search } = new URL(request.url);
      rendered.push(pathname + search);
      if (pathname.includes("slow")) await slow.promise;
      const init = { status: pathname === "/refused" ? (visit.refusal?.status ?? 500) : 200 };
      return htmlPage(`page of ${pathname}${search}`, visit, init);
    },
    strangerAt: async () => strangersVisit(brand, origin),
    publicScheme: "http",
    sessionCookie: sessionCookie("http"),
    headers: securityHeaders({ publicScheme: "http" }),
    favouritesOf: async () => [],
    moneyOf: async () => "",
    onCache: () => {},
    onError: () => {},
    onRefused: (reason) => refused.push(reason),
    now: () => clock.now,
    limits,
    ...more,
  });
  const ask = (path: string, { visit = {}, ...init }: RequestInit & { visit?: Partial<Visit> } = {}) =>
    pages.answer(new Request(origin + path, init), {
      ...strangersVisit(brand, origin),
      clientAddress: "192.0.2.1",
      ...visit,
    });
  return { pages, clock, rendered, refused, slow, ask };
}

/** Returns the sources of payments that our guide for wallets gives. */
function sourcesOfGuide(): string[] {
  const guide = readFileSync(new URL("../../../docs/widget/wallets.md", import.meta.url), "utf8");
  const sources = /^Permissions-Policy: payment=\((.+)\)$/m.exec(guide)?.[1]?.split(" ") ?? [];
  expect(sources.length).toBeGreaterThan(1);
  return sources;
}

describe("S1 G1 the content security policy", () => {
  const cards = { script: ["https://cards.test"], frame: ["https://frames.test"], connect: ["https://api.test"] };
  const headersOf = async (path: string, visit: Partial<Visit> = {}) =>
    (await openPages({}, { cardForm: cards }).ask(path, { visit })).headers;

  test.each([
    ["a visitor", {}],
    ["a member", { member }],
  ])("S1 G1 of the gift-card page allows the card form to %s, and wallets in it", async (_, visit) => {
    const headers = await headersOf("/gift-cards?order=0123456789abcdef", visit);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/; script-src 'self' 'sha256-[^;]* https:\/\/cards\.test;/);
    expect(policy).toContain("; frame-src 'self' https://frames.test;");
    expect(policy).toContain("; connect-src 'self' https://api.test;");
    expect(policy).not.toContain("unsafe");
    const [, sent = ""] = /payment=\(([^)]*)\)/.exec(headers.get("permissions-policy") ?? "") ?? [];
    expect(sent.split(" "), "as our guide tells partners").toEqual(expect.arrayContaining(sourcesOfGuide()));
    expect(headers.get("permissions-policy")).toContain("camera=()");
  });

  test.each(["/", "/gift-cards-of-others", "/offers/x", "/faq"])("S1 of %s allows none of it", async (path) => {
    const headers = await headersOf(path);
    expect(headers.get("content-security-policy")).not.toMatch(/\.test/);
    expect(headers.get("permissions-policy")).toContain("payment=()");
  });
});

describe("S1 pages for visitors without a session", () => {
  test("S1 a page does not receive parameters that it does not declare, cached or not", async () => {
    const { ask, rendered } = openPages();
    const address = "/search?evil=%3Cscript%3E&page=2&q=boots";
    for (const options of [
      {},
      { headers: { cookie: "farthing_banner=x" } },
      { headers: { authorization: "Basic eA==" } },
      { visit: { member } },
      { method: "HEAD" },
    ])
      expect(await (await ask(address, options)).text()).not.toContain("evil");
    expect(new Set(rendered)).toEqual(new Set(["/search?q=boots&page=2"]));
  });

  test("S1 an address without allowance gets a page that says how long to wait, and no other address does", async () => {
    const { ask, clock, refused, rendered } = openPages({ burst: 3, perSecond: 1 });
    const statuses = [];
    for (let number = 0; number < 5; number += 1) statuses.push((await ask(`/search?q=${number}`)).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    const refusal = await ask("/search?q=again");
    expect(refusal.headers.get("retry-after")).toBe("1");
    expect(refusal.headers.get("cache-control")).toBe("no-store");
    expect(await refusal.text()).toContain("Wait a second, then load this page again");
    expect(rendered).toHaveLength(3);
    expect(refused).toHaveLength(3);
    expect((await ask("/search?q=1")).status, "what is stored").toBe(200);
    expect((await ask("/search?q=other", { visit: { clientAddress: "192.0.2.2" } })).status).toBe(200);
    expect((await ask("/search?q=member", { visit: { member } })).status).toBe(200);
    clock.now += 1_000;
    expect((await ask("/search?q=later")).status).toBe(200);
  });

  test.each([
    ["a cookie that bypasses the cache", { headers: { cookie: "farthing_banner=x" } }],
    ["credentials that were not requested", { headers: { authorization: "Basic eA==" } }],
    ["a forged session cookie", { headers: { cookie: "farthing_session=forged" } }],
    ["HEAD", { method: "HEAD" }],
  ])("S1 %s does not bypass the limits", async (_, options) => {
    const { ask } = openPages({ burst: 2, perSecond: 0.001 });
    const statuses = [];
    for (let number = 0; number < 4; number += 1) statuses.push((await ask(`/search?q=${number}`, options)).status);
    expect(statuses).toEqual([200, 200, 429, 429]);
  });

  test("S1 forms have a limit of their own: after many pages a visitor can still log in", async () => {
    const { ask } = openPages({ burst: 1, perSecond: 0.001 });
    await ask("/search?q=1");
    expect((await ask("/search?q=2")).status).toBe(429);
    const post = () => ask("/login", { method: "POST", body: new URLSearchParams({ email: "a@b.c" }) });
    const statuses = [];
    for (let number = 0; number < 150; number += 1) statuses.push((await post()).status);
    expect(statuses.slice(0, 120).every((status) => status === 200)).toBe(true);
    expect(statuses.slice(120).every((status) => status === 429)).toBe(true);
  });

  test("S1 if too many pages wait, the next stranger is refused at once; members and stored pages are served", async () => {
    const { ask, slow, pages } = openPages({ concurrent: 1, waiting: 2, burst: 1_000 });
    await ask("/");
    const waiting = ["a", "b", "c"].map((name) => ask(`/retailers/slow-${name}`));
    await new Promise((resolve) => setImmediate(resolve));
    const busy = await ask("/retailers/slow-d");
    expect({ status: busy.status, retryAfter: busy.headers.get("retry-after") }).toEqual({
      status: 503,
      retryAfter: "2",
    });
    expect(await busy.text()).toContain("Wait 2 seconds");
    expect((await ask("/")).status).toBe(200);
    expect((await ask("/profile", { visit: { member } })).status).toBe(200);
    expect(pages.cache.flights).toBe(3);
    slow.resolve();
    for (const answer of await Promise.all(waiting)) expect(answer.status).toBe(200);
  });

  test.each([
    ["a stranger", {}],
    ["a member", { visit: { member } }],
    ["a form", { method: "POST", body: "x" }],
  ])("S1 a path deeper than any page's never reaches the router: for %s", async (_, options) => {
    const { ask, rendered } = openPages();
    for (const path of [
      "/a".repeat(20_000),
      `/faq${"/a".repeat(20)}`,
      `/a${"/b".repeat(300)}.data`,
      `/x${"/".repeat(5_000)}y`,
    ])
      expect((await ask(path, options)).status).toBe(404);
    expect(new Set(rendered)).toEqual(new Set(["/refused"]));
    expect((await ask("/a/b/c/d/e/f/g/h", options)).status).toBe(200);
  });

  test("S1 a member's slow form delays no stranger", async () => {
    const { ask, slow } = openPages();
    const upload = ask("/verification/slow", { method: "POST", body: "x", visit: { member } });
    expect((await ask("/retailers")).status).toBe(200);
    slow.resolve();
    expect((await upload).status).toBe(200);
  });

  test("S1 a refusal in the brand's design is charged like a page; without allowance it is plain", async () => {
    const { pages, rendered } = openPages({ burst: 2, perSecond: 0.001 });
    const refuse = () =>
      pages.answerRefusal(
        new Request(`${origin}/x`),
        { origin, address: "192.0.2.1" },
        { status: 405, title: "No", text: "No." },
      );
    expect([(await refuse())?.status, (await refuse())?.status, await refuse(), await refuse()]).toEqual([
      405,
      405,
      null,
      null,
    ]);
    expect(rendered).toHaveLength(2);
  });
});
