import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { accessOf, factsOf, pageEntries, type PagePath, privacyOf } from "../pages.ts";
import { loadSite, openClub, siteRoutes, type TestClub, textOf } from "../testing/site.testing.ts";

const { db } = await testDatabase();
loadSite();

let club: TestClub;
beforeAll(async () => {
  club = await openClub(db);
});

const pagesFor = (access: string) =>
  pageEntries.filter(([, facts]) => accessOf(facts) === access).map(([path]): PagePath => path);
/** An address of the page, with something in the place of its parameters. */
const addressOf = (path: PagePath) => path.replaceAll(/:\w+\??/g, "nothing").replace("*", "no-such-page");
const hasPage = (path: PagePath) => factsOf(path).file.endsWith(".tsx");
const nextOf = (path: PagePath) => factsOf(path).afterLogin ?? addressOf(path);

describe("M5 S1 pages for members", () => {
  const members = pagesFor("member");

  test("M5 S1 a page is for members unless pages.ts says otherwise", () => {
    expect(accessOf({ file: "routes/new-page.tsx" })).toBe("member");
    expect(privacyOf({ file: "routes/new-page.tsx" })).toBe("private");
    expect(members).toContain("/profile/security/two-step");
  });

  test.each(members)("M5 S1 %s sends visitors to the login and back, and the answer is kept nowhere", async (path) => {
    const login = (note: Record<string, string>) =>
      `/login?${new URLSearchParams({ next: nextOf(path), ...note }).toString()}`;
    for (const { answer, status, location } of [
      { answer: await club.get(`${addressOf(path)}?utm_source=mail`), status: 302, location: login({}) },
      {
        answer: await club.post(addressOf(path), { intent: "remove" }),
        status: 303,
        location: login({ note: "not-sent" }),
      },
    ])
      expect({
        status: answer.status,
        location: answer.headers.get("Location"),
        cacheControl: answer.headers.get("Cache-Control"),
      }).toEqual({ status, location, cacheControl: "private, no-store" });
  });

  test("M2 M5 after a form whose session had ended, the login says that nothing was sent", async () => {
    const answer = await club.post("/money/claims/new?click=F9P4", { order_number: "A-4711" });
    const address = answer.headers.get("Location") ?? "";
    expect(address).not.toContain("4711");
    const text = textOf(await (await club.get(address)).text());
    expect(text).toContain("Your session has ended What you typed was not sent.");
  });

  test.each([
    ["/money/purchases/AaIb8wUxdJeqhSv7-vze1w", "/money/purchases/AaIb8wUxdJeqhSv7-vze1w"],
    ["/money/claims/new?click=F9P4&utm_source=mail", "/money/claims/new?click=F9P4"],
    ["/MONEY/", "/money"],
  ])("M5 C3 the login leads back to the very address: %s", async (asked, next) => {
    const { headers } = await club.get(asked);
    expect(headers.get("Location")).toBe(`/login?${new URLSearchParams({ next }).toString()}`);
  });

  test.each(members.filter(hasPage))("M5 S1 %s.data sends a script to the login, and has no data", async (path) => {
    const answer = await club.get(`${addressOf(path)}.data`);
    const text = await answer.text();
    expect(text).toContain(`/login?${new URLSearchParams({ next: nextOf(path) }).toString()}`);
    expect(text).not.toContain("loaderData");
    expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
  });
});

describe("S1 B4 what may be kept", () => {
  const privatePages = pageEntries.filter(([, facts]) => !["shared", "device"].includes(privacyOf(facts)));

  test.each(privatePages.map(([path]) => path))("S1 B4 no answer of %s may be kept, whoever asks", async (path) => {
    const member = await club.newMember();
    const address = addressOf(path);
    const answers = {
      visitor: await club.get(address),
      member: await club.get(address, { member }),
      form: await club.post(address, {}, { member }),
    };
    for (const [who, answer] of Object.entries(answers))
      expect({ who, cacheControl: answer.headers.get("Cache-Control") }).toEqual({
        who,
        cacheControl: "private, no-store",
      });
  });

  const sharedPages = pageEntries.filter(([path, facts]) => privacyOf(facts) === "shared" && hasPage(path));
  const shown = sharedPages.filter(([, { name }]) => name !== undefined).map(([path]) => path);

  test.each(shown)("S1 B4 %s is left to the server's cache for visitors, and private for members", async (path) => {
    const address = addressOf(path);
    const member = await club.newMember();
    expect({
      visitor: (await club.get(address)).headers.get("Cache-Control"),
      member: (await club.get(address, { member })).headers.get("Cache-Control"),
    }).toEqual({ visitor: null, member: "private, no-store" });
  });

  test.each([
    ["/reset-password?token=x", "same-origin"],
    ["/unsubscribe?token=x", "same-origin"],
    ["/alerts/stop?token=x", "no-referrer"],
    ["/verification/work-email?token=x", "no-referrer"],
    ["/verification/work-email", null],
    ["/login?next=/", null],
  ])("Y5 S1 the address %s is sent to other sites as its token allows: %s", async (address, policy) => {
    expect((await club.get(address)).headers.get("Referrer-Policy")).toBe(policy);
  });
});

describe("M5 pages for visitors", () => {
  test.each(pagesFor("visitor"))("M5 %s sends members who open it to their profile", async (path) => {
    const answer = await club.get(path, { member: await club.newMember() });
    expect({ status: answer.status, location: answer.headers.get("Location") }).toEqual({
      status: 302,
      location: "/profile",
    });
  });
});

test("S1 the routes that were built are those of pages.ts", () => {
  expect(
    siteRoutes()
      .map(({ path }) => path)
      .sort(),
  ).toEqual(pageEntries.map(([path]) => path).sort());
});
