import { describe, expect, test } from "vitest";
import { htmlPage, testApp } from "../app.testing.ts";
import { one, openTinySite } from "../tiny-site.testing.ts";

const { post, countRenderings } = openTinySite();

describe("S1 posts from other sites", () => {
  test.each([
    ["another origin", { origin: "https://evil.example" }],
    ["a brand next door", { origin: "http://two.test" }],
    ["another port", { origin: "http://one.test:81" }],
    ["no origin at all", { origin: "null" }],
    ["another site by fetch metadata", { "sec-fetch-site": "cross-site", origin: "http://one.test" }],
    ["a sibling by fetch metadata", { "sec-fetch-site": "same-site" }],
  ])("S1 a post from %s is refused and changes nothing", async (_, headers) => {
    const before = countRenderings();
    const answer = await post("/login", headers);
    expect(answer.status).toBe(403);
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect(countRenderings()).toBe(before);
  });

  test.each([
    ["our own origin", { origin: "http://one.test" }],
    ["our own page that sends no referrer", { "sec-fetch-site": "same-origin", origin: "null" }],
    ["a program without cookies", {}],
  ])("S1 a post from %s is accepted", async (_, headers) => {
    const answer = await post("/login", headers as Record<string, string>, "next=%2Fprofile");
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe("/profile");
  });

  test("the site accepts a post from our own page, also after a page with no-referrer", async () => {
    let seen: string | null = "";
    const spying = testApp(
      [one],
      async (request, visit) => ((seen = request.headers.get("origin")), htmlPage("", visit)),
    );
    await spying.app.request("http://one.test/", {
      method: "POST",
      headers: {
        host: "one.test",
        origin: "null",
        "sec-fetch-site": "same-origin",
        "content-type": "application/x-www-form-urlencoded",
      },
    });
    expect(seen).toBe("http://one.test");
  });

  test("M2 a login that leads to a retailer ends on a page that opens it, because form-action stops redirects", async () => {
    const answer = await post("/login", { origin: "http://one.test" }, "next=%2Fgo%2Foffers%2Fabc");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("refresh")).toBe("0; url=/go/offers/abc");
    expect(answer.headers.get("location")).toBeNull();
    expect(answer.headers.get("set-cookie")).toContain("farthing_session=new");
    expect(await answer.text()).toContain('href="/go/offers/abc"');
  });
});
