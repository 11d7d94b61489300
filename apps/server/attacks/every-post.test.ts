import { siteRoutes } from "@farthing/site/testing/site.testing.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { insertBrand, insertMember, testPassword } from "../sign-in/accounts.testing.ts";
import { cookieOf, realServer } from "./real-server.testing.ts";

const server = await realServer();
const { db } = server;
const one = await insertBrand(db, "one", { isDefault: true });
await insertBrand(db, "two");
const host = "one.test";
await insertMember(db, one, "ada@one.test");
let cookie = "";
beforeAll(async () => {
  cookie = await cookieOf(server, { host, email: "ada@one.test", password: testPassword });
});

/** Posts of the server's own that a person's cookie has no part in, each with what it asks for instead. */
const ownProof: Record<string, string> = {
  "/webhooks/stripe": "signed by the card provider",
  "/webhooks/:network/:secret": "the secret in its address, which only the network has",
  "/api/partner/sessions": "a partner's key",
  "/api/payments": "a frame's bearer; with its cookie, a witness of our own page (frame-caller.test.ts)",
};

/** Pages that answer posts of visitors, each with what it asks for instead of a session. */
const forVisitors: Record<string, string> = {
  "/login": "is how one gets a session",
  "/login/code": "the cookie of the step before",
  "/login/passkey": "a signed challenge and its answer",
  "/forgotten-password": "is for those who can't log in",
  "/reset-password": "the token of a mail",
  "/confirm-email": "the token of a mail",
  "/undo-email-change": "the token of a mail",
  "/alerts/stop": "the token of a mail",
  "/unsubscribe": "the signed token of a mail",
  "/carer-migration/confirm": "the token of a mail",
  "/verification/work-email": "the token of a mail; without one, a session",
  "/logout": "whoever has no session is logged out already",
  "/register": "is how one becomes a member",
  "/register/details": "the draft's cookie",
  "/register/draft": "the draft's cookie",
  "/banner-closed": "closes a notice in this browser, and keeps nothing here",
  "/*": "answers that there is nothing",
};

/** Posts by script are told in words that script reads, instead of being led to a page. */
const answersScript: Record<string, number> = { "/verification/attachment": 401, "/digital-id/device": 401 };

const filledIn = (path: string) => path.replace("*", "no-such-page").replace(/:[a-z]+\??/gi, "x");
const actions = () => siteRoutes().filter(({ hasAction }) => hasAction);
/** A form that asks each of our pages for something. */
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

/** What browsers say when a page of another site posts here: those of today, and those that send Origin only. */
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
/** Some three hundred pages are rendered, one after the other. */
const aWhile = 180_000;

describe("every post there is, taken from the routes themselves", () => {
  test("S1 every page with an action is in the matrix, and no exception stands for a page that is gone", () => {
    const paths = new Set(actions().map(({ path }) => path));
    expect(paths.size).toBeGreaterThan(30);
    expect([...Object.keys(forVisitors), ...Object.keys(answersScript)].filter((path) => !paths.has(path))).toEqual([]);
  });

  test(
    "S1 CSRF: no page of another site, and of no other brand, can post anything in a member's name",
    async () => {
      const before = await server.everything();
      for (const { path } of actions())
        for (const [page, headers] of Object.entries(foreignPages())) {
          const answer = await server.post(filledIn(path), { host, cookie, headers, form: anything });
          expect([answer.status, answer.cookies], `${path}, posted by ${page}`).toEqual([403, []]);
        }
      for (const [page, headers] of Object.entries(rarerForeignPages())) {
        const answer = await server.post("/profile/security", { host, cookie, headers, form: anything });
        expect([answer.status, answer.cookies], page).toEqual([403, []]);
      }
      expect(await server.everything()).toEqual(before);
    },
    aWhile,
  );

  test(
    "S1 CSRF: nor with a file, nor in a body that is no form",
    async () => {
      const before = await server.everything();
      const foreign = foreignPages()["another brand"];
      for (const { path } of actions())
        for (const type of ["multipart/form-data; boundary=x", "text/plain"]) {
          const headers = { ...foreign, "content-type": type };
          const answer = await server.post(filledIn(path), { host, cookie, headers });
          expect([answer.status, answer.cookies], `${path} as ${type}`).toEqual([403, []]);
        }
      expect(await server.everything()).toEqual(before);
    },
    aWhile,
  );

  test("S1 the same posts by our own pages are heard: what is refused above is refused for where it comes from", async () => {
    for (const { path } of actions()) {
      const answer = await server.post(filledIn(path), { host, cookie });
      expect([403, 415], `${path} answers ${answer.status}`).not.toContain(answer.status);
    }
    cookie = await cookieOf(server, { host, email: "ada@one.test", password: testPassword });
  });

  test("S1 without a session every post that needs one leads to the login and changes nothing", async () => {
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

  test("S1 what the server itself takes by post asks for a proof of its own, or refuses foreign pages too", async () => {
    const { routes } = server.started().app;
    // "*" alone is what every request passes, and at last the pages.
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
