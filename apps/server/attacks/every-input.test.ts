import { seedMemberTypes } from "@farthing/core/member-types/reference-data/seed-member-types.server.ts";
import { siteRoutes } from "@farthing/site/testing/site.testing.ts";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { insertMemberWithPassword } from "../sign-in/accounts.testing.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import {
  fieldsOf,
  filledIn,
  form,
  hasPlace,
  headerNames,
  oddBodies,
  oddHeaders,
  unreadable,
} from "./odd-inputs.testing.ts";
import { newAddress, realServer } from "./real-server.testing.ts";
import { openSession } from "./sessions.testing.ts";

const errorLines: string[] = [];
const server = await realServer({ onErrorLine: (line) => void errorLines.push(line.slice(0, 800)) });
const one = await insertBrand(server.db, { slug: "one", isDefault: true });
const host = "one.test";
let memberId = "";
beforeAll(async () => {
  await seedMemberTypes(server.db);
  memberId = await insertMemberWithPassword(server.db, one, "ada@one.test");
});
beforeEach(() => void errorLines.splice(0));

/** Each request has a session of its own, because some posts end theirs. */
const signedIn = async () => (await openSession(server, { brand: one, memberId })).cookie;

interface Route {
  path: string;
  takesPost: boolean;
}

/** Every route: the site's and the server's. */
function everyRoute(): Route[] {
  const pages = siteRoutes().map(({ path, hasAction }) => ({ path, takesPost: hasAction }));
  const own = server
    .started()
    .app.routes.filter(({ path }) => !/^\/?\*$/.test(path))
    .map(({ method, path }) => ({ path, takesPost: method === "POST" || method === "ALL" }));
  const all = new Map<string, Route>();
  for (const route of [...pages, ...own])
    all.set(route.path, { ...route, takesPost: route.takesPost || (all.get(route.path)?.takesPost ?? false) });
  return [...all.values()];
}

/** Every parameter name that a page or route reads, so that none is left out. */
const fieldNames = [
  ...[
    "q",
    "page",
    "sort",
    "kind",
    "next",
    "token",
    "offer",
    "offer_variant",
    "c",
    "show",
    "sent",
    "saved",
    "note",
    "path",
  ],
  ...[
    "reveal_code",
    "code",
    "email",
    "password",
    "password_confirmation",
    "intent",
    "vote",
    "add",
    "remove",
    "name",
    "answer",
  ],
  ...[
    "challenge",
    "id",
    "member_type",
    "member_status",
    "category",
    "job_category",
    "job_role",
    "dob_day",
    "dob_month",
  ],
  ...[
    "dob_year",
    "residence",
    "terms",
    "sure",
    "clear",
    "reason",
    "message",
    "kinds",
    "banner",
    "handle",
    "sort_code",
    "account",
  ],
  ...["value", "line", "key", "version", "present", "recipient_name", "recipient_email", "design", "send_on"],
];
const everyField = (value: string) => fieldsOf(fieldNames, value);
const bodies = oddBodies(fieldNames);

/** Hundreds of pages are rendered in sequence. */
const TIMEOUT_MS = 300_000;

async function ask(
  method: "GET" | "POST",
  path: string,
  options: { type?: string | null; body?: string; cookie?: string; headers?: Record<string, string> },
) {
  const { type = null, body, cookie, headers = {} } = options;
  const answer = await server.raw(method, path, {
    host,
    cookie,
    from: newAddress(),
    headers: {
      ...(type === null ? {} : { "content-type": type }),
      ...(method === "POST" ? { origin: server.origin(host) } : {}),
      ...headers,
    },
    body: Buffer.from(body ?? "", "latin1"),
  });
  expect(
    answer.status,
    `${method} ${path} ${type ?? ""} ${(body ?? "").slice(0, 80)}\n${errorLines.join("\n")}`,
  ).toBeLessThan(500);
  return answer;
}

describe("S2 every route, listed from the routers", () => {
  test("S2 the list is complete: it has the unusual routes too", () => {
    const paths = everyRoute().map(({ path }) => path);
    expect(paths.length).toBeGreaterThan(70);
    for (const path of ["/go/offers/:publicId", "/webhooks/stripe", "/api/suggestions", "/login", "/unsubscribe", "/*"])
      expect(paths).toContain(path);
  });

  test(
    "S2 Z5 bytes that are not text get 400 in path and query, from visitors and members",
    async () => {
      for (const cookie of [undefined, await signedIn()])
        for (const { path } of everyRoute()) {
          for (const odd of [...unreadable, "%"]) {
            if (!hasPlace(path)) continue;
            const { status } = await ask("GET", filledIn(path, `x${odd}`), { ...(cookie ? { cookie } : {}) });
            expect([400, 405], `${path} with ${odd}`).toContain(status);
          }
          for (const odd of unreadable) {
            const { status } = await ask("GET", `${filledIn(path)}?${everyField(odd)}`, {
              ...(cookie ? { cookie } : {}),
            });
            expect([400, 405], `${path}?…=${odd}`).toContain(status);
          }
        }
    },
    TIMEOUT_MS,
  );

  test(
    "S2 D1 unusual text is accepted: stray percent signs and emoji can be searched",
    async () => {
      for (const { path } of everyRoute())
        for (const query of ["q=50%&next=%25", everyField("%F0%9F%91%8B"), `q=${"%C3%A9".repeat(500)}`, "&&=&?=?&%=%"])
          await ask("GET", `${filledIn(path)}?${query}`, {});
      expect((await ask("GET", "/search?q=50%", {})).status).toBe(200);
    },
    TIMEOUT_MS,
  );

  for (const [what, { type, body, isRefused }] of Object.entries(bodies))
    test(
      `S2 Z5 a post of ${what} never gets 5xx${isRefused ? " and is refused" : ""}`,
      async () => {
        for (const { path, takesPost } of everyRoute()) {
          if (!takesPost) continue;
          const member = await signedIn();
          // Refused before the session is read.
          for (const cookie of isRefused ? [member] : [undefined, member]) {
            const { status, text } = await ask("POST", filledIn(path), { type, body, ...(cookie ? { cookie } : {}) });
            if (!isRefused) continue;
            expect(status, `${path} answers ${status}`).toBeGreaterThanOrEqual(400);
            expect(text.length, `${path} says nothing`).toBeGreaterThan(0);
          }
        }
      },
      TIMEOUT_MS,
    );

  test("S2 Z5 programs get a problem, people a page", async () => {
    const page = await ask("GET", "/search?q=%00", {});
    expect(page.headers["content-type"]).toContain("text/html");
    // In the brand's look, or plain once the address's allowance of renderings is spent.
    expect(page.text).toMatch(/can(?:'|&#x27;|&#39;)t be read/);
    const problem = await ask("GET", "/api/suggestions?q=%00", {});
    expect(problem.headers["content-type"]).toContain("application/problem+json");
    expect(JSON.parse(problem.text)).toMatchObject({ status: 400, title: "This address can't be read" });
    const post = await ask("POST", "/login", { type: "", body: "email=x" });
    expect({ status: post.status, text: post.text }).toEqual({
      status: 415,
      text: expect.stringContaining("Only forms") as string,
    });
  });

  test("S2 a cookie that is not text is ignored", async () => {
    for (const cookie of [
      "farthing_session=%00.x",
      "farthing_session=%FF",
      "farthing_banner=%00",
      "farthing_step=%ED%A0%80",
      "%00=%00",
      "farthing_device=\xff",
    ])
      for (const path of ["/", "/login", "/login/code", "/register/details", "/favourites", "/profile"])
        await ask("GET", path, { cookie });
  });

  test(
    "S2 Z5 a header that is not text never gets 5xx: all at once, on every route",
    async () => {
      const routing = new Set(["origin", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto"]);
      for (const odd of oddHeaders) {
        const headers = Object.fromEntries(headerNames.filter((name) => !routing.has(name)).map((name) => [name, odd]));
        for (const { path, takesPost } of everyRoute()) {
          await ask("GET", filledIn(path), { headers });
          if (takesPost) await ask("POST", filledIn(path), { type: form, body: "intent=x", headers });
        }
      }
    },
    TIMEOUT_MS,
  );

  test(
    "S2 Z5 a header that is not text never gets 5xx: each alone, where it is read",
    async () => {
      for (const odd of oddHeaders)
        for (const name of headerNames) {
          const headers = { [name]: odd };
          for (const path of ["/", "/login", "/pay", "/redirect?path=/pay&token=x", "/api/partner/payments"])
            await ask("GET", path, { headers });
          for (const path of ["/login", "/webhooks/stripe", "/api/partner/sessions", "/api/payments"])
            await ask("POST", path, { type: "application/json", body: "{}", headers });
        }
    },
    TIMEOUT_MS,
  );
});
