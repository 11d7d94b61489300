import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestSandbox, type TestSandbox } from "../../testing/start-test-sandbox.ts";

let testSandbox: TestSandbox;
beforeAll(async () => {
  testSandbox = await startTestSandbox();
});
afterAll(() => testSandbox.end());

const link = (fields: Record<string, string>): string =>
  `/awin/cread.php?${new URLSearchParams({ awinmid: "5001", awinaffid: "100001", clickref: "ref-1", ...fields })}`;
const locationOf = async (fields: Record<string, string>): Promise<URL> =>
  new URL((await testSandbox.call(link(fields))).headers.get("location") ?? "");

describe("C2 the network's click link", () => {
  test("C2 the link leads to the requested page of the advertiser's shop, with a checksum in the address and as a cookie", async () => {
    const response = await testSandbox.call(
      link({ ued: "https://www.fernhollow-boots.example/sale/boots?colour=red" }),
    );
    const location = new URL(response.headers.get("location") ?? "");
    expect(response.status).toBe(302);
    expect(location.pathname).toBe("/shops/fernhollow-boots/sale/boots");
    expect(location.searchParams.get("colour")).toBe("red");
    const awc = location.searchParams.get("awc") ?? "";
    expect(awc).toMatch(/^5001_\d{10}_[0-9a-f]{32}$/);
    expect(response.headers.getSetCookie().join()).toContain(`awc=${awc}; Path=/shops/fernhollow-boots/;`);
  });

  test("C2 the click is recorded with every reference", async () => {
    await testSandbox.call(link({ clickref: "all-of-them", clickref2: "two", clickref6: "six", campaign: "spring" }));
    const [click] = await testSandbox.json<{ click_ref: string; more_click_refs: string; campaign: string }[]>(
      "GET",
      "/control/clicks",
    );
    expect(click).toMatchObject({ click_ref: "all-of-them", campaign: "spring" });
    expect(JSON.parse(click?.more_click_refs ?? "")).toEqual({ clickRef2: "two", clickRef6: "six" });
  });

  test.each([
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

  test("S1 a path with two slashes stays inside the shop", async () => {
    const location = await locationOf({ ued: "https://fernhollow-boots.example//evil.example/" });
    expect(location.host).toBe("sandbox.test");
    expect(location.pathname.startsWith("/shops/fernhollow-boots/")).toBe(true);
  });

  test("C2 unknown advertisers and publishers get a page with an error", async () => {
    const advertiser = await testSandbox.call(link({ awinmid: "999" }));
    expect(advertiser.status).toBe(404);
    expect(await advertiser.text()).toContain("no advertiser with the id");
    expect((await testSandbox.call(link({ awinaffid: "7" }))).status).toBe(404);
  });

  test("C2 the link leads to the front page if the programme's click-through address is the network's own", async () => {
    expect((await locationOf({ awinmid: "5004" })).pathname).toBe("/shops/sorrel-and-dune/");
  });

  test("C2 visitors of a closed programme are redirected without tracking", async () => {
    const response = await testSandbox.call(link({ awinmid: "5005" }));
    expect(response.headers.get("location")).toBe("http://sandbox.test/shops/tarnside-optics/welcome");
    expect(response.headers.getSetCookie()).toEqual([]);
  });
});
