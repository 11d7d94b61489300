import { findBrandByHost } from "@farthing/core/brands/queries.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import type { Visit } from "@farthing/site/server/visit.ts";
import { describe, expect, test } from "vitest";
import { testPassword, insertMemberWithPassword } from "./accounts.testing.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { openAccounts } from "./accounts.ts";
import { htmlPage, testApp } from "../app.testing.ts";

const { db } = await testDatabase();
const one = await insertBrand(db, { slug: "one" });
const two = await insertBrand(db, { slug: "two" });
const accounts = openAccounts({
  db,
  key: "key-of-the-test-with-a-decent-length",
  secretKeys: ["key-of-members-secrets"],
  publicScheme: "http",
});

/** A site that uses the accounts as the real pages do. */
async function tinySite(request: Request, visit: Visit): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (request.method === "POST" && pathname === "/login") {
    const form = new URLSearchParams(await request.text());
    const credentials = { email: form.get("email") ?? "", password: form.get("password") ?? "" };
    const result = await accounts.logIn(visit, request, credentials);
    if (result.outcome === "refused") return htmlPage("Wrong e-mail or password", visit, { status: 401 });
    if (result.outcome === "slow-down") {
      return htmlPage("Wait", visit, { status: 429, headers: { "Retry-After": String(result.retryAfterSeconds) } });
    }
    if (result.outcome !== "logged-in") return htmlPage(result.outcome, visit);
    result.headers.set("Location", "/profile");
    return new Response(null, { status: 303, headers: result.headers });
  }
  if (request.method === "POST" && pathname === "/logout") {
    const headers = await accounts.logOut(visit, request);
    headers.set("Location", "/");
    return new Response(null, { status: 303, headers });
  }
  return htmlPage(`${visit.brand.slug} sees ${visit.member?.email ?? "a stranger"}`, visit);
}

const { app } = testApp([], tinySite, { accounts, brands: (host) => findBrandByHost(db, host) });

const get = async (host: string, cookie: string, path = "/profile") => {
  const answer = await app.request(`http://${host}${path}`, { headers: { host, cookie } });
  return answer.text();
};
const post = (host: string, path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  app.request(`http://${host}${path}`, {
    method: "POST",
    body: new URLSearchParams(form).toString(),
    headers: { host, origin: `http://${host}`, "content-type": "application/x-www-form-urlencoded", ...headers },
  });
const cookieOf = (answer: Response) => answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";

describe("accounts behind the whole server", () => {
  test("M2 B4 a login opens the pages of this brand only, and a logout closes them", async () => {
    await insertMemberWithPassword(db, one, "robin@example.test");
    const login = await post("one.test", "/login", { email: "robin@example.test", password: testPassword });
    expect(login.status).toBe(303);
    const cookie = cookieOf(login);
    expect(await get("one.test", cookie)).toContain("one sees robin@example.test");
    expect(await get("two.test", cookie), "the same cookie at another brand").toContain("two sees a stranger");
    expect(await get("one.test", ""), "the next visitor of the same page").toContain("one sees a stranger");

    const logout = await post("one.test", "/logout", {}, { cookie });
    expect(logout.headers.get("set-cookie")).toMatch(/Max-Age=0/);
    expect(await get("one.test", cookie), "the old cookie after the logout").toContain("one sees a stranger");
  });

  test("S1 a page of another site can log a member neither in nor out", async () => {
    await insertMemberWithPassword(db, two, "sam@example.test");
    const form = { email: "sam@example.test", password: testPassword };
    const cookie = cookieOf(await post("two.test", "/login", form));
    const foreign = { origin: "http://one.test", "sec-fetch-site": "same-site" };
    const login = await post("two.test", "/login", form, foreign);
    expect({ status: login.status, cookies: login.headers.getSetCookie() }).toEqual({ status: 403, cookies: [] });
    expect((await post("two.test", "/logout", {}, { ...foreign, cookie })).status).toBe(403);
    expect(await get("two.test", cookie)).toContain("two sees sam@example.test");
  });

  test("S1 a wrong password and an unknown e-mail get the same page and headers", async () => {
    await insertMemberWithPassword(db, one, "alex@example.test");
    const answers = await Promise.all([
      post("one.test", "/login", { email: "alex@example.test", password: "Wrong-2026" }),
      post("one.test", "/login", { email: "nobody@example.test", password: "Wrong-2026" }),
    ]);
    const comparable = async (answer: Response) => {
      const headers = Object.fromEntries(answer.headers);
      return { status: answer.status, headers: { ...headers, "x-request-id": "" }, text: await answer.text() };
    };
    const [known, unknown] = await Promise.all(answers.map(comparable));
    expect(unknown).toEqual(known);
    expect(known?.status).toBe(401);
  });

  test("S1 too many attempts get 429 with Retry-After, counted by the address of the connection, not of a header", async () => {
    await insertMemberWithPassword(db, one, "kim@example.test");
    const attempt = (claimed: string) =>
      post("one.test", "/login", { email: "kim@example.test", password: "Wrong-2026" }, { "x-forwarded-for": claimed });
    for (let number = 0; number < 5; number += 1) expect((await attempt(`203.0.113.${number}`)).status).toBe(401);
    const sixth = await attempt("203.0.113.77");
    expect(sixth.status).toBe(429);
    expect(Number(sixth.headers.get("retry-after"))).toBeGreaterThan(50);
  });
});
