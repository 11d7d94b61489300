import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { htmlPage, testApp } from "../app.testing.ts";
import { accounts, one, openTinySite } from "../tiny-site.testing.ts";

const { app, clock, get, countRenderings } = openTinySite();

describe("page cache", () => {
  test("visitors without a session share a rendering; browsers revalidate and get 304 while it is unchanged", async () => {
    const first = await get("/shared");
    const second = await get("/shared", { cookie: "banner=closed", "user-agent": "another" });
    const text = await first.text();
    expect(await second.text()).toBe(text);
    expect(first.headers.get("cache-control")).toBe("no-cache");
    expect(first.headers.get("vary")).toBe("Accept-Encoding, Cookie");
    const again = await get("/shared", { "if-none-match": first.headers.get("etag") ?? "" });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe("");
    expect(again.headers.get("content-security-policy")).toBe(first.headers.get("content-security-policy"));
  });

  test("S1 a cached page is rendered without the cookies and headers of the client that asked first", async () => {
    const text = await (await get("/first", { cookie: "tracking=of-robin", "accept-language": "cy" })).text();
    expect(text).toContain("for a stranger, cookies none");
    expect(await (await get("/first")).text()).toBe(text);
  });

  test("S1 a member's page is rendered for the member only and never stored", async () => {
    const cookie = "farthing_session=good";
    const own = await get("/private", { cookie });
    expect(await own.text()).toContain("for Robin");
    expect(own.headers.get("cache-control")).toBe("private, no-store");
    expect(own.headers.get("etag")).toBeNull();
    expect(await (await get("/private")).text()).toContain("for a stranger");
    expect(await (await get("/private", { cookie })).text()).toContain("for Robin");
    expect(
      await (await get("/private", { cookie: "farthing_session=stale" })).text(),
      "an ended session bypasses the cache",
    ).toContain("cookies farthing_session=stale");
  });

  test("S1 a request with a session never gets 304 for the page of visitors without one", async () => {
    const stranger = await get("/etag");
    const own = await get("/etag", {
      cookie: "farthing_session=good",
      "if-none-match": stranger.headers.get("etag") ?? "",
    });
    expect(own.status).toBe(200);
  });

  test("B4 two brands and two ports on the same path have four pages", async () => {
    const hosts = ["one.test", "two.test", "one.test:81", "two.test:81"];
    const texts = await Promise.all(hosts.map(async (host) => (await get("/same", {}, host)).text()));
    for (const [index, host] of hosts.entries()) expect(texts[index]).toContain(`origin http://${host}<`);
  });

  test("a page with no-store is rendered each time", async () => {
    const before = countRenderings();
    await get("/form");
    await get("/form");
    expect(countRenderings() - before).toBe(2);
  });

  test("T6 a page that is not kept is rendered with the visitor's Global Privacy Control, also without a cookie", async () => {
    const { app } = testApp([one], async ({ headers }, visit) =>
      htmlPage(`signal ${headers.get("sec-gpc")}`, visit, { headers: { "Cache-Control": "private, no-store" } }),
    );
    const look = async (headers: Record<string, string>) =>
      (await app.request("http://one.test/cookies", { headers: { host: "one.test", ...headers } })).text();
    expect(await look({ "Sec-GPC": "1" })).toContain("signal 1");
    expect(await look({})).toContain("signal null");
  });

  test("a missing page keeps its status and is not cached", async () => {
    const before = countRenderings();
    expect((await get("/gone")).status).toBe(404);
    expect((await get("/gone")).status).toBe(404);
    expect(countRenderings() - before).toBe(2);
  });

  test("HEAD gets the length of the page and no body", async () => {
    const answer = await app.request("http://one.test/shared", { method: "HEAD", headers: { host: "one.test" } });
    expect(Number(answer.headers.get("content-length"))).toBeGreaterThan(50);
    expect(await answer.text()).toBe("");
  });

  test("all pages are compressed, including members'", async () => {
    const long = testApp([one], async (_, visit) => htmlPage("word ".repeat(2000), visit), { accounts });
    for (const cookie of ["", "farthing_session=good"]) {
      const answer = await long.app.request("http://one.test/", {
        headers: { host: "one.test", "accept-encoding": "gzip, br", cookie },
      });
      // Members' pages are put together from compressed parts, which gzip allows.
      const [encoding, decompress] = cookie ? (["gzip", gunzipSync] as const) : (["br", brotliDecompressSync] as const);
      expect(answer.headers.get("content-encoding")).toBe(encoding);
      expect(decompress(Buffer.from(await answer.arrayBuffer())).toString()).toContain("word word");
      expect(answer.headers.get("vary")).toMatch(/Accept-Encoding/);
    }
  });

  test("an expired page is rendered again", async () => {
    const first = await (await get("/aging")).text();
    clock.now += 66_000;
    expect(await (await get("/aging")).text()).not.toBe(first);
  });
});
