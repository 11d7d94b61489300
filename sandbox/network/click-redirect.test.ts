import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestSandbox, type TestSandbox } from "../testing/start-test-sandbox.ts";

let test: TestSandbox;
beforeAll(async () => {
  test = await startTestSandbox();
});
afterAll(() => test.end());

const link = (fields: Record<string, string>): string =>
  `/awin/cread.php?${new URLSearchParams({ awinmid: "5001", awinaffid: "100001", clickref: "ref-1", ...fields })}`;
const locationOf = async (fields: Record<string, string>): Promise<URL> =>
  new URL((await test.call(link(fields))).headers.get("location") ?? "");

describe("C2 the network's click link", () => {
  it("C2 goes to the page asked for, in the advertiser's shop, with a checksum in the address and as a cookie", async () => {
    const response = await test.call(link({ ued: "https://www.fernhollow-boots.example/sale/boots?colour=red" }));
    const location = new URL(response.headers.get("location") ?? "");
    expect(response.status).toBe(302);
    expect(location.pathname).toBe("/shops/fernhollow-boots/sale/boots");
    expect(location.searchParams.get("colour")).toBe("red");
    const awc = location.searchParams.get("awc") ?? "";
    expect(awc).toMatch(/^5001_\d{10}_[0-9a-f]{32}$/);
    expect(response.headers.getSetCookie().join()).toContain(`awc=${awc}; Path=/shops/fernhollow-boots/;`);
  });

  it("C2 records the click with every reference", async () => {
    await test.call(link({ clickref: "all-of-them", clickref2: "two", clickref6: "six", campaign: "spring" }));
    const [click] = await test.json<{ click_ref: string; more_click_refs: string; campaign: string }[]>(
      "GET",
      "/control/clicks",
    );
    expect(click).toMatchObject({ click_ref: "all-of-them", campaign: "spring" });
    expect(JSON.parse(click?.more_click_refs ?? "")).toEqual({ clickRef2: "two", clickRef6: "six" });
  });

  it.each([
    ["another domain", "https://evil.example/phish"],
    ["a script", "javascript:alert(1)"],
    ["data", "data:text/html,hello"],
    ["a domain that only ends alike", "https://evilfernhollow-boots.example/"],
    ["a domain that only starts alike", "https://fernhollow-boots.example.evil.example/"],
    ["the domain as a user name", "https://fernhollow-boots.example@evil.example/"],
    ["credentials before the domain", "https://someone:secret@fernhollow-boots.example/"],
    ["no scheme", "//evil.example/"],
    ["a backslash", "https:\\\\evil.example\\fernhollow-boots.example"],
    ["not an address", "welcome"],
  ])("S1 does not follow %s but lands in the shop", async (_what, ued) => {
    const location = await locationOf({ ued });
    expect(location.host).toBe("sandbox.test");
    expect(location.pathname).toBe("/shops/fernhollow-boots/welcome");
  });

  it("S1 keeps a path with two slashes inside the shop", async () => {
    const location = await locationOf({ ued: "https://fernhollow-boots.example//evil.example/" });
    expect(location.host).toBe("sandbox.test");
    expect(location.pathname.startsWith("/shops/fernhollow-boots/")).toBe(true);
  });

  it("C2 refuses unknown advertisers and publishers with a page that says so", async () => {
    const advertiser = await test.call(link({ awinmid: "999" }));
    expect(advertiser.status).toBe(404);
    expect(await advertiser.text()).toContain("no advertiser with the id");
    expect((await test.call(link({ awinaffid: "7" }))).status).toBe(404);
  });

  it("C2 lands on the front page where the programme's click-through address is the network's own", async () => {
    expect((await locationOf({ awinmid: "5004" })).pathname).toBe("/shops/sorrel-and-dune/");
  });

  it("C2 sends visitors of a closed programme on without tracking", async () => {
    const response = await test.call(link({ awinmid: "5005" }));
    expect(response.headers.get("location")).toBe("http://sandbox.test/shops/tarnside-optics/welcome");
    expect(response.headers.getSetCookie()).toEqual([]);
  });
});
