import { pageEntries, pages, type AdminPage } from "@farthing/admin/pages.ts";
import { insertOperator, loadAdmin, openTestAdmin, builtAdmin } from "@farthing/admin/testing/admin.testing.ts";
import { may, roles, type Permission, type Role } from "@farthing/core/operators/permissions.ts";
import type { SessionOperator } from "@farthing/core/operators/sessions.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { testApp } from "../app.testing.ts";
import { adminRoutes } from "./admin-routes.ts";
import type { Brand } from "@farthing/core/brands/brand.ts";

// Every page of pages.ts × every role × reading and posting, over HTTP. A new page is tested as soon as it is listed.

const { db } = await testDatabase();
loadAdmin();

type Who = Role | "stranger" | "half";
const operators = new Map<Who, SessionOperator | null>([["stranger", null]]);
beforeAll(async () => {
  for (const role of roles) operators.set(role, await insertOperator(db, { role }));
  operators.set("half", { ...(await insertOperator(db, { role: "owner" })), step: "code" });
});

const services = openTestAdmin(db).services;
const brand = { id: "b", slug: "one", name: "One" } as Brand;
const config = { publicScheme: "http", trustProxy: false, devPages: false } as const;
const { app } = testApp([brand], async () => new Response("the members' site"), {
  adminRoutes: adminRoutes({
    admin: (request, visit) => builtAdmin(services)(request, visit),
    files: async () => null,
    brands: async (host) => (host === "one.test" ? brand : null),
    operatorOf: async (cookie) => operators.get((cookie ?? "stranger") as Who) ?? null,
    config,
  }),
});

/** An address of the page; its parameters name no record. */
const pathOf = (path: string) =>
  path
    .replace("/audit/:type", "/audit/operator")
    .replaceAll(/:[a-zA-Z]+/g, "0199f3c2-0000-7000-8000-000000000001")
    .replace("/*", "/nothing-here");

function ask(path: string, who: Who, { method = "GET", headers = {} as Record<string, string> } = {}) {
  const post = method === "POST" ? { body: "confirmed=no", headers: formHeaders } : { headers: {} };
  return app.request(`http://one.test${pathOf(path)}`, {
    method,
    ...post,
    headers: { host: "one.test", cookie: who, ...post.headers, ...headers },
  });
}
const formHeaders = { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" };

const isLetIn = (status: number) => ![401, 403, 405].includes(status);

/** What the table says of an access: whether this person may. */
function expected(
  access: AdminPage["see"] | undefined,
  who: Who,
): "in" | "sign-in" | "home" | "forbidden" | "no-method" {
  if (access === undefined) return "no-method";
  if (access === "anyone") return "in";
  if (who === "stranger") return "sign-in";
  if (who === "half") return access === "half" ? "in" : "sign-in";
  if (access === "half") return "home";
  return access === "operator" || may(who, access as Permission) ? "in" : "forbidden";
}

/** Whether what is posted is text of a page that needs a permission: downloads and switches have nothing to lose. */
const hasText = ({ file, change }: AdminPage) =>
  change !== undefined && !["operator", "half", "anyone"].includes(change) && file.endsWith(".tsx");

const everyone: Who[] = [...roles, "stranger", "half"];
const cases = pageEntries.flatMap(([path, facts]) =>
  (["GET", "POST"] as const).flatMap((method) =>
    everyone.map((who) => [method, path, who, expected(method === "GET" ? facts.see : facts.change, who)] as const),
  ),
);

describe("A1 each role at each page", () => {
  test.each(cases)("A1 %s %s as %s: %s", async (method, path, who, wanted) => {
    const answer = await ask(path, who, { method });
    const location = answer.headers.get("location") ?? "";
    if (wanted === "forbidden") expect(answer.status).toBe(403);
    else if (wanted === "no-method") expect(answer.status).toBe(405);
    else if (wanted === "sign-in" && method === "POST" && hasText(pages[path])) {
      expect(answer.status, "what was typed comes back").toBe(401);
      expect(await answer.text()).toContain('<input type="hidden" name="confirmed" value="no"/>');
    } else if (wanted === "sign-in") {
      expect(answer.status).toBe(303);
      expect(location).toMatch(/^\/admin\/sign-in/);
    } else if (wanted === "home") expect([answer.status, location]).toEqual([303, "/admin"]);
    else expect(isLetIn(answer.status), `${answer.status}`).toBe(true);
    expect(answer.status).toBeLessThan(500);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const policy = answer.headers.get("content-security-policy") ?? "";
    const mayBeFramed = "isFramed" in pages[path] && answer.status === 200;
    expect(policy).toMatch(mayBeFramed ? /frame-ancestors 'self'/ : /frame-ancestors 'none'/);
    expect(policy).not.toMatch(/unsafe/);
  });

  test("A1 nobody was let past the door of a page that some role may not see", () => {
    // A table in which everybody may do everything would pass the cases above.
    expect(cases.filter(([, , , wanted]) => wanted === "forbidden").length).toBeGreaterThan(10);
  });
});

test("A1 no two pages of the menu have the same keys", () => {
  const keys = pageEntries.flatMap(([, { menu }]) => menu?.keys ?? []);
  expect(keys.length).toBeGreaterThan(10);
  expect(keys.toSorted()).toEqual([...new Set(keys)].toSorted());
});

test("A3 a form that is posted after its session has ended comes back whole, to be sent again", async () => {
  const typed = [
    ["title", 'A "new" <offer>'],
    ["terms", "One line\nand another"],
    ["category", "shoes"],
    ["category", "hats"],
  ];
  const answer = await app.request("http://one.test/admin/offers/new?retailer=one", {
    method: "POST",
    body: new URLSearchParams(typed),
    headers: { host: "one.test", cookie: "stranger", ...formHeaders },
  });
  expect(answer.status).toBe(401);
  const page = await answer.text();
  expect(page).toContain("Nothing was saved, and nothing is lost");
  expect(page).toContain('action="/admin/offers/new?retailer=one" method="post">');
  expect(page).toContain('<a class="button" href="/admin/sign-in" target="_blank" rel="noreferrer">');
  const kept = [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"\/>/g)].map(([, name, value]) => [
    name,
    value?.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">"),
  ]);
  expect(kept).toEqual(typed);
});

describe("S1 posts from elsewhere", () => {
  const posts = pageEntries.filter(([, { change }]) => change !== undefined).map(([path]) => path);
  const foreign = [
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "", origin: "https://evil.example" },
  ];
  const entries = () => db.selectFrom("audit_entries").select("seq").orderBy("seq").execute();
  test.each(posts)("S1 %s takes no post of another site, whoever is signed in", async (path) => {
    const before = await entries();
    for (const headers of foreign)
      for (const cookie of ["owner", "stranger"]) {
        const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ""));
        const answer = await app.request(`http://one.test${pathOf(path)}`, {
          method: "POST",
          body: "confirmed=yes&why=typed-elsewhere",
          headers: { host: "one.test", cookie, "content-type": "application/x-www-form-urlencoded", ...sent },
        });
        expect(answer.status).toBe(403);
        // An operator who signs in must not be asked to send what another site has typed.
        expect(await answer.text()).not.toContain("typed-elsewhere");
      }
    expect(await entries()).toEqual(before);
  });
});

describe("Z1 where the admin is", () => {
  test("Z1 it is on every host of the deployment and on no other, and its data has no address of its own", async () => {
    expect((await ask("/admin/sign-in", "stranger")).status).toBe(200);
    const elsewhere = await app.request("http://evil.test/admin/sign-in", { headers: { host: "evil.test" } });
    expect(elsewhere.status).toBe(421);
    expect((await ask("/admin/members.data", "owner")).status).toBe(404);
    expect(await (await app.request("http://one.test/administrators", { headers: { host: "one.test" } })).text()).toBe(
      "the members' site",
    );
  });

  test("S2 what no form of ours sends is refused in words", async () => {
    const json = await ask("/admin/sign-in", "stranger", {
      method: "POST",
      headers: { "content-type": "application/json" },
    });
    expect(json.status).toBe(415);
    const nul = await app.request("http://one.test/admin/members?q=%00", {
      headers: { host: "one.test", cookie: "owner" },
    });
    expect(nul.status).toBe(400);
  });
});
