import { insertOperator } from "@farthing/admin/testing/admin.testing.ts";
import { issueTicket } from "@farthing/core/account-access/acting.server.ts";
import { answerAccess, askForAccess, endAccessRequest } from "@farthing/core/account-access/request-access.server.ts";
import { makeShop, type ShopForTests } from "@farthing/core/clicks/clicks.testing.ts";
import { seedMemberTypes } from "@farthing/core/member-types/reference-data/seed-member-types.server.ts";
import { endOperatorSession } from "@farthing/core/operators/sessions.server.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { actingPages, actingServerPaths } from "@farthing/site/acting-pages.ts";
import { pageEntries } from "@farthing/site/pages.ts";
import { siteRoutes } from "@farthing/site/testing/site.testing.ts";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { insertMemberWithPassword, testPassword } from "../sign-in/accounts.testing.ts";
import { cookieOf, newAddress, realServer, type Answer } from "../attacks/real-server.testing.ts";

// An operator in the members' site, over HTTP: the server as it starts, on a port.

const errorLines: string[] = [];
const server = await realServer({ onErrorLine: (line) => void errorLines.push(line.slice(0, 800)) });
const { db } = server;
const host = "one.test";
const one = await insertBrand(db, { slug: "one", isDefault: true });
const two = await insertBrand(db, { slug: "two" });
let shop: ShopForTests;
beforeAll(async () => {
  await seedMemberTypes(db);
  await db
    .updateTable("brands")
    .set({ features: JSON.stringify({ telemetry: true, giftCards: true }) })
    .where("id", "=", one.id)
    .execute();
  const networkId = (await insertNetwork(db, { slug: "awin" })).id;
  shop = await makeShop(db, { brandId: one.id, networkId, offer: { kind: "code" } });
});
beforeEach(() => void errorLines.splice(0));

let people = 0;

/** A member of the brand who has said yes to an operator, and the link that the admin shows. */
async function allowed() {
  people += 1;
  const now = new Date();
  const email = `rosa-${people}@one.test`;
  const memberId = await insertMemberWithPassword(db, one, email);
  await db
    .updateTable("members")
    .set({ name: `Rosa Quill ${people}` })
    .where("id", "=", memberId)
    .execute();
  const operator = await insertOperator(db, { role: "support", name: "Ada Club", now });
  const asked = await askForAccess(db, { memberId, operator, reason: "to look at your claims", now });
  if (asked.outcome !== "asked") throw new Error(asked.outcome);
  const { publicId } = asked;
  const own = { publicId, brandId: one.id, memberId };
  await answerAccess(db, { ...own, answer: "yes", now });
  const { id, sessionId } = operator;
  const ticket = (await issueTicket(db, { publicId, operator: { id, sessionId }, now })) ?? "";
  return { email, memberId, name: `Rosa Quill ${people}`, operator, publicId, own, ticket };
}

const cookiesIn = ({ cookies }: Answer) => cookies.map((line) => line.split(";")[0]).join("; ");
const start = (ticket: string, changed: object = {}) =>
  server.post("/acting", { host, form: { ticket }, from: newAddress(), ...changed });

/** The same, with the operator's browser in the session. */
async function acting() {
  const scene = await allowed();
  const started = await start(scene.ticket);
  expect([started.status, started.headers.location]).toEqual([303, "/"]);
  const cookie = cookiesIn(started);
  return {
    ...scene,
    cookie,
    get: (path: string) => server.get(path, { host, cookie }),
    post: (path: string, form: Record<string, string> = {}) => server.post(path, { host, cookie, form }),
  };
}

const entriesOf = (publicId: string) =>
  db
    .selectFrom("audit_entries")
    .selectAll()
    .where("subject_type", "=", "account-access")
    .where("subject_id", "=", publicId)
    .orderBy("seq")
    .execute();

/** What a request writes besides its entry in the log. */
async function withoutTheLog() {
  const { audit_entries: _, account_access_requests: __, ...rest } = await server.everything();
  return rest;
}
const BANNER = /acting-banner/;

describe("A3 an operator in the site as a member", () => {
  test("A3 reading the link starts nothing; the button does, once, with the cookie of its own", async () => {
    const { ticket, name, publicId } = await allowed();
    const shown = await server.get(`/acting?ticket=${ticket}`, { host });
    expect(shown.status).toBe(200);
    expect(shown.text).toContain(`Act as ${name}?`);
    expect(shown.headers).toMatchObject({ "referrer-policy": "same-origin", "cache-control": "no-store" });
    expect(shown.cookies).toEqual([]);
    const started = await start(ticket);
    expect(started.cookies.join()).toMatch(/^farthing_acting=[^;]+;.*HttpOnly; SameSite=Lax$/);
    expect((await start(ticket)).status, "once").toBe(410);
    expect((await server.get(`/acting?ticket=${ticket}`, { host })).status).toBe(410);
    expect((await entriesOf(publicId)).map(({ action }) => action)).toEqual(["account-access.start"]);
  });

  test("A3 every page says who acts as whom and for how long, and is in the log before it is sent", async () => {
    const { get, post, publicId, name, operator } = await acting();
    const money = await get("/money/purchases?q=secret+present");
    expect(money.status).toBe(200);
    const banner = /<aside class="acting-banner"[^]*?<\/aside>/.exec(money.text)?.[0].replaceAll(/<!-- -->/g, "") ?? "";
    expect(banner).toContain(`<b>Ada Club</b> is acting as <b>${name}</b>: 30 minutes left.`);
    expect(banner).toContain('<form action="/acting/stop" method="post">');
    expect((await post("/favourites", { add: `retailer/${shop.retailerSlug}` })).status).toBeLessThan(400);
    const [, seen, changed] = await entriesOf(publicId);
    expect(seen).toMatchObject({
      action: "account-access.see",
      actor: operator.email,
      operator_id: operator.id,
      request_id: money.headers["x-request-id"],
      before: { pages_seen: 0, last_request: null },
      after: { pages_seen: 1, last_request: "GET /money/purchases" },
    });
    expect(changed).toMatchObject({
      action: "account-access.change",
      after: { changes_made: 1, last_request: "POST /favourites" },
    });
    expect(JSON.stringify(await entriesOf(publicId))).not.toMatch(/present|Rosa/);
  });

  // Generated from pages.ts: a new page is asked as soon as it is there.
  const filledIn = (path: string) => path.replace("/*", "/no-such-page").replaceAll(/:\w+\??/g, "x");
  const hasForm = (path: string) => siteRoutes().some((route) => route.path === path && route.hasAction);
  const isFramed = (path: string) => path === "/pay" || path.startsWith("/portal");
  const expectActed = (answer: Answer, label: string) => {
    expect(answer.status, label).toBeLessThan(500);
    expect(answer.headers["cache-control"], label).toBe("private, no-store");
    const isPage = /text\/html/.test(String(answer.headers["content-type"])) && answer.text !== "";
    if (isPage) expect(answer.text, label).toMatch(BANNER);
  };

  test("A3 each page that the table refuses gets 403 in words, reads nothing out and does nothing", async () => {
    const { get, post } = await acting();
    const refused = pageEntries.map(([path]) => path).filter((path) => typeof actingPages[path] === "object");
    const before = await withoutTheLog();
    for (const path of refused)
      for (const answer of [
        await get(filledIn(path)),
        ...(hasForm(path) ? [await post(filledIn(path), anything)] : []),
      ]) {
        // A page that is made for frames is refused outside of one, before anybody asks who it is.
        if (isFramed(path)) {
          expect(answer.status, path).toBe(401);
          continue;
        }
        expectActed(answer, path);
        expect(answer.status, path).toBe(403);
        expect(answer.text, path).toContain("Not while you act as a member");
      }
    expect(await withoutTheLog()).toEqual(before);
    expect(refused.length).toBeGreaterThan(40);
    expect(errorLines).toEqual([]);
  }, 120_000);

  test("A3 each page that the table allows is shown with the banner, and its forms only where it says so", async () => {
    const { get, post } = await acting();
    for (const [path] of pageEntries) {
      const rule = actingPages[path];
      if (typeof rule === "object") continue;
      const seen = await get(filledIn(path));
      expectActed(seen, path);
      expect([401, 403], path).not.toContain(seen.status);
      if (rule === "all" || !hasForm(path)) continue;
      const posted = await post(filledIn(path), anything);
      expectActed(posted, path);
      expect(posted.status, path).toBe(403);
    }
    expect(errorLines).toEqual([]);
  }, 120_000);
  const anything = {
    intent: "end-all",
    answer: "yes",
    vote: "worked",
    password: testPassword,
    sure: "on",
    purposes: "all",
  };

  test("A3 the server's own addresses on a brand's host each have a rule", async () => {
    const paths = server.started().app.routes.map(({ path }) => path);
    // Those of the brand's host come after the visit is opened, and /acting is the first of them.
    const ofBrand = paths.slice(paths.indexOf("/acting")).filter((path) => path !== "/*");
    const own = ofBrand.map((path) => path.split("/")[1] ?? "");
    expect([...new Set(own)].toSorted()).toEqual(Object.keys(actingServerPaths).toSorted());
  });

  test("A3 C1 no shop is visited and no code revealed: nothing that would earn", async () => {
    const { get, memberId } = await acting();
    const before = await withoutTheLog();
    for (const path of [
      `/go/offers/${shop.offerPublicId}`,
      `/go/retailers/${shop.retailerSlug}`,
      `/go/offers/${shop.offerPublicId}/pre-flight`,
      `/offers/${shop.offerSlug}?offer=${shop.offerPublicId}&reveal_code=x`,
    ])
      expect((await get(path)).status, path).toBe(403);
    expect(await withoutTheLog()).toEqual(before);
    const clicks = await db.selectFrom("clicks").select("id").where("member_id", "=", memberId).execute();
    expect(clicks).toEqual([]);
  });

  test("T2 T6 nothing of the session is measured, and nobody is asked for consent", async () => {
    const { get, email } = await acting();
    const page = await get(`/retailers/${shop.retailerSlug}`);
    expect(page.text).not.toMatch(/id="page-variables"|data-consent-asks|class="consent-banner/);
    const own = await cookieOf(server, { host, email, password: testPassword });
    const members = await server.get(`/retailers/${shop.retailerSlug}`, { host, cookie: own });
    expect(members.text, "the control: a member's page has them").toMatch(/id="page-variables"/);
  });

  test("A3 no page is kept for anybody else, and none comes from what is kept", async () => {
    const { get, email, name } = await acting();
    const own = await cookieOf(server, { host, email, password: testPassword });
    for (const path of ["/", "/retailers", `/retailers/${shop.retailerSlug}`]) {
      const visitors = () => server.get(path, { host, from: newAddress() });
      const members = () => server.get(path, { host, cookie: own });
      await Promise.all([visitors(), members()]);
      const acted = await get(path);
      expect(acted.text, path).toMatch(BANNER);
      expect(acted.text, path).toContain(name);
      expect(acted.headers["cache-control"]).toBe("private, no-store");
      for (const answer of [await visitors(), await members()]) expect(answer.text, path).not.toMatch(/Ada Club/);
      expect((await visitors()).text, path).not.toContain(name);
    }
  });
});

describe("A3 the end of a session", () => {
  const isOver = (answer: Answer) => {
    expect(answer.status).toBe(403);
    expect(answer.text).toContain("Your access to this account has ended");
    expect(answer.cookies.join()).toMatch(/^farthing_acting=;.*Max-Age=0/);
    expect(answer.whole).not.toContain("Rosa");
  };

  test("A3 Stop ends it, and is in the log", async () => {
    const { post, get, publicId, memberId } = await acting();
    const stopped = await post("/acting/stop");
    expect(stopped.status).toBe(200);
    expect(stopped.text).toContain(`/admin/members/${memberId}/access`);
    expect(stopped.cookies.join()).toMatch(/^farthing_acting=;/);
    isOver(await get("/money"));
    expect((await entriesOf(publicId)).at(-1)).toMatchObject({
      action: "account-access.stop",
      after: { state: "ended", ended_by: "operator" },
    });
    expect((await post("/acting/stop")).status, "twice").toBe(200);
  });

  test("A3 the member ends it at once: the next page and the next form do nothing", async () => {
    const { post, get, own } = await acting();
    await endAccessRequest(db, { publicId: own.publicId, whose: own, by: "member", now: new Date() });
    const before = await withoutTheLog();
    isOver(await get("/money"));
    isOver(await post("/favourites", { add: `retailer/${shop.retailerSlug}` }));
    isOver(await get("/go/offers/x"));
    expect(await withoutTheLog()).toEqual(before);
  });

  test("A3 the operator's sign-out and the end of their role end it", async () => {
    const [signedOut, demoted] = [await acting(), await acting()];
    await endOperatorSession(db, { sessionId: signedOut.operator.sessionId });
    isOver(await signedOut.get("/"));
    await db.updateTable("operators").set({ role: "finance" }).where("id", "=", demoted.operator.id).execute();
    isOver(await demoted.get("/"));
    isOver(await demoted.post("/money/claims/new"));
  });
});

describe("S1 attacks on acting", () => {
  test("S1 posts of other sites start and stop nothing", async () => {
    const { ticket } = await allowed();
    const { cookie, get } = await acting();
    for (const headers of [{ origin: "https://evil.example" }, { origin: undefined, "sec-fetch-site": "cross-site" }]) {
      expect((await start(ticket, { headers })).status).toBe(403);
      expect((await server.post("/acting/stop", { host, cookie, headers })).status).toBe(403);
      expect((await server.post("/favourites", { host, cookie, headers, form: { clear: "viewed" } })).status).toBe(403);
    }
    expect((await get("/money")).status, "it still runs").toBe(200);
    expect((await start(ticket)).status, "the ticket is still good").toBe(303);
  });

  test("S1 a browser with a member in it does not start, so that no form is sent as somebody else", async () => {
    const { ticket, email } = await allowed();
    const cookie = await cookieOf(server, { host, email, password: testPassword });
    for (const answer of [
      await server.get(`/acting?ticket=${ticket}`, { host, cookie }),
      await start(ticket, { cookie }),
    ]) {
      expect(answer.status).toBe(409);
      expect(answer.text).toContain("Log out first");
    }
    const running = await acting();
    expect((await start(ticket, { cookie: running.cookie })).status, "nor one that acts already").toBe(409);
    expect((await start(ticket)).status, "the control").toBe(303);
  });

  test("S1 B4 the cookie is nobody's session: not at another brand, not as a member's, not in the admin, not unsigned", async () => {
    const { cookie, ticket } = { ...(await acting()), ...(await allowed()) };
    const value = cookie.slice(cookie.indexOf("=") + 1);
    const [token = ""] = value.split(".");
    for (const forged of [token, `${token}.AAAA`, `${token}.`, `${token.slice(1)}x.${value.split(".")[1]}`, ".", "x"]) {
      const answer = await server.get("/money", { host, cookie: `farthing_acting=${forged}` });
      expect(answer.status, forged).toBe(403);
      expect(answer.whole).not.toContain("Rosa");
    }
    expect((await server.get("/money", { host: "two.test", cookie })).text).toContain("has ended");
    const asMember = await server.get("/money", { host, cookie: `farthing_session=${value}` });
    expect([asMember.status, asMember.headers.location]).toEqual([302, "/login?next=%2Fmoney"]);
    const atTwo = await server.post("/acting", { host: "two.test", form: { ticket } });
    expect(atTwo.status, two.slug).toBe(410);
  });

  test("S2 odd tickets and cookies get an answer in words", async () => {
    const odd = ["", "x", "a".repeat(5_000), "%00", "\ud83d", "../..", "[object Object]", "__proto__"];
    for (const text of odd) {
      const answer = await start(text);
      expect([400, 410, 413], JSON.stringify(text.slice(0, 20))).toContain(answer.status);
      const cookie = `farthing_acting=${encodeURIComponent(text.replaceAll("\ud83d", "u"))}`;
      expect((await server.get("/", { host, cookie })).status).toBeLessThan(500);
    }
    for (const body of ["ticket=%00", "ticket=%ED%A0%80", "ticket=%", "ticket", "ticket=a&ticket=b"]) {
      const headers = { "content-type": "application/x-www-form-urlencoded", origin: server.origin(host) };
      expect((await server.raw("POST", "/acting", { host, body, headers })).status, body).toBeLessThan(500);
    }
    expect(errorLines).toEqual([]);
  });
});
