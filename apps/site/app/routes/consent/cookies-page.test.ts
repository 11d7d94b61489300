import { NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { loadSite, openClub } from "../../../testing/site.testing.ts";

const { db } = await testDatabase();
loadSite();
const club = await openClub(db);
Object.assign(club.brand.features, { telemetry: true });
Object.assign(club.brand.tracking, { tagManager: "GTM-TEST", engagementScript: "https://push.example/worker.js" });
const seconds = Math.floor(NOW.getTime() / 1000);
const chosen = (purposes: string) => ({ cookie: `farthing_consent=1.${seconds - 60}.${purposes}` });
const cookiesOf = (answer: Response) => answer.headers.getSetCookie().map((cookie) => cookie.split("; Path")[0]);

test("T6 a form keeps the choice for half a year, numbers the visit, and leads back", async () => {
  const answer = await club.post("/cookies", { choice: "all", next: "/faq?q=x" });
  expect(answer.status).toBe(303);
  expect(answer.headers.get("location")).toBe("/faq?q=x");
  expect(answer.headers.get("cache-control")).toContain("no-store");
  const [choice, visit, ...others] = answer.headers.getSetCookie();
  expect(choice).toBe(
    `farthing_consent=1.${seconds}.measurement-tags-messages.plain; Max-Age=15552000; Path=/; SameSite=Lax`,
  );
  expect(visit).toMatch(/^farthing_visit=[\w-]{22}; Path=\/; SameSite=Lax$/);
  expect(others).toEqual([]);
});

test("T6 a script is answered 204, and its browser may have the pages that are the same for everybody", async () => {
  const answer = await club.post("/cookies", { choice: "none" }, { headers: { Accept: "application/json" } });
  expect(answer.status).toBe(204);
  expect(await answer.text()).toBe("");
  expect(cookiesOf(answer)).toEqual([
    `farthing_consent=1.${seconds}.none; Max-Age=15552000`,
    "farthing_visit=; Max-Age=0",
  ]);
});

test("T6 a withdrawal deletes the visit's number and the cookies of tags, here and on the domains above, and nothing of ours", async () => {
  const { cookie } = chosen("measurement-tags");
  const headers = { cookie: `_ga=1; ${cookie}; farthing_session=s; __stripe_mid=m; bad name=x; farthing_visit=v` };
  const answer = await club.post("/cookies", { choice: "some", messages: "yes" }, { headers });
  const domain = `${club.brand.slug}.localhost`;
  expect(answer.headers.getSetCookie()).toEqual([
    `farthing_consent=1.${seconds}.messages.plain; Max-Age=15552000; Path=/; SameSite=Lax`,
    "farthing_visit=; Max-Age=0; Path=/; SameSite=Lax",
    "_ga=; Max-Age=0; Path=/",
    `_ga=; Max-Age=0; Path=/; Domain=${domain}`,
  ]);
});

test("T6 a refusal deletes the cookies of tags also where the yes has expired, was to other words, or is gone", async () => {
  const domain = `${club.brand.slug}.localhost`;
  for (const [what, left, headers] of [
    ["expired", `farthing_consent=1.${seconds - 15_552_000}.tags; `, {}],
    ["other words", `farthing_consent=0.${seconds - 60}.tags; `, {}],
    ["gone", "", {}],
    ["Global Privacy Control", chosen("tags").cookie.concat("; "), { "Sec-GPC": "1" }],
  ] as const) {
    const cookie = `${left}_ga=1; farthing_session=s`;
    const answer = await club.post("/cookies", { choice: "none" }, { headers: { ...headers, cookie } });
    expect(answer.headers.getSetCookie().slice(2), what).toEqual([
      "_ga=; Max-Age=0; Path=/",
      `_ga=; Max-Age=0; Path=/; Domain=${domain}`,
    ]);
  }
  const kept = await club.post("/cookies", { choice: "some", tags: "yes" }, { headers: { cookie: "_ga=1" } });
  expect(kept.headers.getSetCookie().join()).not.toContain("_ga");
});

test("T6 under Global Privacy Control the page itself deletes what an earlier yes has left, and no cache keeps that", async () => {
  const look = async (cookie: string, headers = {}) => {
    const answer = await club.get("/cookies", { headers: { cookie, ...headers } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
    return answer.headers.getSetCookie();
  };
  const left = `${chosen("measurement-tags").cookie}; farthing_session=s; farthing_visit=v; _ga=1`;
  expect(await look(left, { "Sec-GPC": "1" })).toEqual([
    "farthing_visit=; Max-Age=0; Path=/; SameSite=Lax",
    "_ga=; Max-Age=0; Path=/",
    `_ga=; Max-Age=0; Path=/; Domain=${club.brand.slug}.localhost`,
  ]);
  expect(await look("farthing_session=s", { "Sec-GPC": "1" })).toEqual([]);
  expect(await look(left), "without the signal").toEqual([]);
});

test("T6 a visit that is counted already keeps its number", async () => {
  const answer = await club.post("/cookies", { choice: "all" }, { headers: chosen("measurement") });
  expect(cookiesOf(answer)).toHaveLength(1);
});

test("T6 Global Privacy Control makes every answer a refusal, and the page says so", async () => {
  const headers = { "Sec-GPC": "1" };
  const answer = await club.post("/cookies", { choice: "all" }, { headers });
  expect(cookiesOf(answer)[0]).toBe(`farthing_consent=1.${seconds}.none.plain; Max-Age=15552000`);
  const page = await (await club.get("/cookies", { headers: { ...headers, ...chosen("tags") } })).text();
  expect(page).toContain("Global Privacy Control");
  expect(page).toContain("<fieldset disabled");
  expect(page).not.toContain('checked=""');
});

test("S1 a choice of no kind is refused, and a form leads nowhere else", async () => {
  expect((await club.post("/cookies", { choice: "everything" })).status).toBe(400);
  expect((await club.post("/cookies", {})).status).toBe(400);
  for (const next of ["https://evil.example", "//evil.example", "\\evil"])
    expect((await club.post("/cookies", { choice: "none", next })).headers.get("location")).not.toContain("evil");
});

test("T6 the question stands on pages of those who have not answered, and on no page of those who have", async () => {
  const asks = async (headers: Record<string, string>, path = "/faq") =>
    (await (await club.get(path, { headers })).text()).includes('class="consent-banner"');
  expect(await asks({})).toBe(true);
  expect(await asks(chosen("none"))).toBe(false);
  expect(await asks({ "Sec-GPC": "1" })).toBe(false);
  expect(await asks({ cookie: `farthing_consent=0.${seconds}.none` }), "other words").toBe(true);
  expect(await asks({ cookie: `farthing_consent=1.${seconds - 15_552_000}.none` }), "half a year ago").toBe(true);
  expect(await asks({}, "/cookies"), "the page of the choice").toBe(false);
  expect(await asks({}, "/offline"), "a page without the site's foot").toBe(false);
});

test("T2 pages have the variables of the visit, the member's pseudonym and what their own loader knows", async () => {
  club.services.telemetry = {
    url: "https://telemetry.example",
    tagManagerUrl: "https://tags.example/gtm.js",
    userIdOf: ({ brandId, memberId }) => `pseudonym-of-${brandId}-${memberId}`,
  };
  const variables = async (path: string, options = {}) => {
    const html = await (await club.get(path, options)).text();
    return JSON.parse(/<script id="page-variables" type="application\/json">(.*?)<\/script>/.exec(html)?.[1] ?? "null");
  };
  const everyPage = {
    TELEMETRY_API_URL: "https://telemetry.example/api/Telemetry",
    TELEMETRY_ENABLED: true,
    TELEMETRY_USER_ID: null,
    TELEMETRY_AFFINITY_ID: club.brand.affinityId,
    TAG_MANAGER_SCRIPT: "https://tags.example/gtm.js?id=GTM-TEST",
  };
  expect(await variables("/faq")).toEqual(everyPage);
  const member = await club.newMember();
  const user = `pseudonym-of-${club.brand.id}-${member.id}`;
  expect(await variables("/faq", { member })).toEqual({ ...everyPage, TELEMETRY_USER_ID: user });
  club.services.telemetry.url = null;
  expect((await variables("/faq")).TELEMETRY_API_URL).toBe(`http://${club.brand.slug}.localhost/api/Telemetry`);
  club.brand.features.telemetry = false;
  expect(await variables("/faq", { member })).toMatchObject({ TELEMETRY_ENABLED: false, TELEMETRY_USER_ID: null });
  club.brand.features.telemetry = true;
  expect(await variables("/offline"), "a page without the site's foot").toBeNull();
});
