import { siteRoutes } from "@farthing/site/testing/site.testing.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { testPassword, insertMemberWithPassword } from "../sign-in/accounts.testing.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { cookieOf, realServer, type Answer } from "./real-server.testing.ts";

const server = await realServer();
const { db } = server;
const one = await insertBrand(db, { slug: "one", isDefault: true });
await insertBrand(db, { slug: "two" });
const host = "one.test";
await insertMemberWithPassword(db, one, "ada@one.test");
let cookie = "";
beforeAll(async () => {
  cookie = await cookieOf(server, { host, email: "ada@one.test", password: testPassword });
});

/** Server routes that take posts without a member's cookie, each with the proof it requires instead. */
const ownProof: Record<string, string> = {
  "/webhooks/stripe": "signed by the card provider",
  "/webhooks/:network/:secret": "the secret in its address, which only the network has",
  "/api/partner/sessions": "a partner's key",
  "/api/partner/sessions/:id/expire": "a partner's key",
  "/api/partner/payments/:id/refunds": "a partner's key",
  "/api/partner/payments/:id/cancel": "a partner's key",
  "/api/partner/webhooks/:id/rotate": "a partner's key",
  "/api/partner/webhooks/:id/test": "a partner's key",
  "/api/partner/webhook-deliveries/:id/replay": "a partner's key",
  "/api/Telemetry/batch": "a server's key",
  "/api/payments": "a frame's bearer; with its cookie, a witness of our own page (frame-caller.test.ts)",
};

/** Pages that accept posts from visitors, each with what it requires instead of a session. */
const forVisitors: Record<string, string> = {
  "/login": "is how one gets a session",
  "/login/code": "the cookie of the step before",
  "/login/passkey": "a signed challenge and its answer",
  "/forgotten-password": "is for those who can't log in",
  "/reset-password": "the token of a mail",
  "/confirm-email": "the token of a mail",
  "/undo-email-change": "the token of a mail",
  "/remove-bank-details": "the token of a mail",
  "/alerts/stop": "the token of a mail",
  "/gift/:token": "the token of a mail",
  "/unsubscribe": "the signed token of a mail",
  "/carer-migration/confirm": "the token of a mail",
  "/verification/work-email": "the token of a mail; without one, a session",
  "/logout": "a visitor without a session is already logged out",
  "/register": "is how one becomes a member",
  "/register/details": "the draft's cookie",
  "/register/draft": "the draft's cookie",
  "/register/sent": "this browser's own registration; without one, the page says how to get another mail",
  "/portal/cards/:slug": "a widget session, in a frame",
  "/portal/basket": "a widget session, in a frame",
  "/portal/orders/:order": "a widget session, in a frame",
  "/portal/orders/:order/payment": "a widget session, in a frame",
  "/cookies": "keeps a choice in this browser",
  "/banner-closed": "closes a notice in this browser, and keeps nothing here",
  "/*": "answers that there is nothing",
};

/** Posts by script, which get an answer for script instead of a redirect. */
const answersScript: Record<string, number> = {
  "/verification/attachment": 401,
  "/money/claims/:claim/evidence/file": 401,
  "/digital-id/device": 401,
};

const filledIn = (path: string) => path.replace("*", "no-such-page").replace(/:[a-z]+\??/gi, "x");
const actions = () => siteRoutes().filter(({ hasAction }) => hasAction);
/** A form that every page understands. */
const anything = {
  intent: "end-all",
  email: "ada@one.test",
  password: testPassword,
  add: "retailer/x",
  vote: "worked",
  token: "x",
  answer: "agree",
  sure: "on",
  clear: "viewed",
};

/** Headers of a post from another site: from current browsers, and from those that send Origin only. */
const foreignPages = () => ({
  "another site": { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
  "another site, old browser": { origin: "https://evil.example" },
  "another brand": { origin: server.origin("two.test"), "sec-fetch-site": "same-site" },
  "another brand, old browser": { origin: server.origin("two.test") },
});
const rarerForeignPages = () => ({
  "another port of this very host": { origin: "http://one.test:1", "sec-fetch-site": "same-site" },
  "a frame in a sandbox": { origin: "null", "sec-fetch-site": "cross-site" },
  "a frame in a sandbox, old browser": { origin: "null" },
  "one that claims to be ours": { origin: server.origin(host), "sec-fetch-site": "cross-site" },
});
/** Some three hundred pages are rendered in sequence. */
const TIMEOUT_MS = 180_000;

/** Expects 403, and no cookie. */
function expectRefused({ status, cookies }: Answer, what: string): void {
  expect({ status, cookies }, what).toEqual({ status: 403, cookies: [] });
}

describe("every post, listed from the routers", () => {
  test("S1 every page with an action is in the matrix, and every exception names a page", () => {
    const paths = new Set(actions().map(({ path }) => path));
    expect(paths.size).toBeGreaterThan(30);
    expect([...Object.keys(forVisitors), ...Object.keys(answersScript)].filter((path) => !paths.has(path))).toEqual([]);
  });

  test(
    "S1 CSRF: a page of another site or brand can't post as a member",
    async () => {
      const before = await server.everything();
      for (const { path } of actions())
        for (const [page, headers] of Object.entries(foreignPages())) {
          const answer = await server.post(filledIn(path), { host, cookie, headers, form: anything });
          expectRefused(answer, `${path}, posted by ${page}`);
        }
      for (const [page, headers] of Object.entries(rarerForeignPages())) {
        const answer = await server.post("/profile/security", { host, cookie, headers, form: anything });
        expectRefused(answer, page);
      }
      expect(await server.everything()).toEqual(before);
    },
    TIMEOUT_MS,
  );

  test(
    "S1 CSRF: a page of another brand can't post a file, or a body that is not a form, as a member",
    async () => {
      const before = await server.everything();
      const foreign = foreignPages()["another brand"];
      for (const { path } of actions())
        for (const type of ["multipart/form-data; boundary=x", "text/plain"]) {
          const headers = { ...foreign, "content-type": type };
          const answer = await server.post(filledIn(path), { host, cookie, headers });
          expectRefused(answer, `${path} as ${type}`);
        }
      expect(await server.everything()).toEqual(before);
    },
    TIMEOUT_MS,
  );

  test("S1 the same posts from our own pages are accepted, so the ones above are refused for their origin", async () => {
    for (const { path } of actions()) {
      const answer = await server.post(filledIn(path), { host, cookie });
      expect([403, 415], `${path} answers ${answer.status}`).not.toContain(answer.status);
    }
    cookie = await cookieOf(server, { host, email: "ada@one.test", password: testPassword });
  });

  test("S1 without a session a post that needs one redirects to the login and changes nothing", async () => {
    const before = await server.everything();
    for (const { path } of actions().filter(({ path }) => !(path in forVisitors)))
      for (const form of [anything, {}]) {
        const answer = await server.post(filledIn(path), { host, form });
        const expected = answersScript[path];
        expect(
          answer.cookies.filter((line) => /session/.test(line)),
          path,
        ).toEqual([]);
        expect(answer.headers["cache-control"], path).toContain("no-store");
        if (expected) expect(answer.status, path).toBe(expected);
        else {
          expect(answer.headers.location, path).toMatch(/^\/login\?next=%2F/);
          expect([302, 303], path).toContain(answer.status);
        }
      }
    expect(await server.everything()).toEqual(before);
  });

  test("S1 the server's own post routes require a proof of their own, or refuse foreign pages too", async () => {
    const { routes } = server.started().app;
    // "*" alone is the middleware of every request, and the pages.
    const posts = routes.filter(({ method, path }) => (method === "POST" || method === "ALL") && !/^\/?\*$/.test(path));
    const paths = [...new Set(posts.map(({ path }) => path))];
    expect(Object.keys(ownProof).filter((path) => !paths.includes(path))).toEqual([]);
    const before = await server.everything();
    for (const path of paths.filter((known) => !(known in ownProof)))
      for (const headers of Object.values(foreignPages())) {
        const answer = await server.post(filledIn(path), { host, cookie, headers, form: anything });
        expect([403, 404, 405], `${path} answers ${answer.status}`).toContain(answer.status);
        expect(answer.cookies, path).toEqual([]);
      }
    for (const path of Object.keys(ownProof)) {
      const answer = await server.post(filledIn(path), { host, cookie, form: anything });
      expect([400, 401, 403, 404, 415], `${path}, with a member's cookie alone, answers ${answer.status}`).toContain(
        answer.status,
      );
    }
    expect(await server.everything()).toEqual(before);
  });
});
