import { describe, expect, test } from "vitest";
import { testApp } from "../app.testing.ts";
import { from, one, openTinySite, two } from "../tiny-site.testing.ts";
import { TrustedNetworks } from "./trusted-networks.ts";

const { tinySite, app, get } = openTinySite();

describe("B1 hosts", () => {
  test("B1 the host chooses the brand", async () => {
    expect(await (await get("/who")).text()).toContain("of one/who");
    expect(await (await get("/who", {}, "two.test")).text()).toContain("of two/who");
    expect(await (await get("/who", {}, "TWO.test:8080")).text()).toContain("origin http://two.test:8080");
  });

  test.each(["unknown.test", "one.test.evil.example", "127.0.0.1"])(
    "B1 an unknown host gets a page with 421: %s",
    async (host) => {
      const answer = await get("/", {}, host);
      expect(answer.status).toBe(421);
      expect(answer.headers.get("content-type")).toContain("text/html");
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(await answer.text()).not.toContain(host);
    },
  );

  test.each(["one.test/../two.test", "one.test@evil.example", "<script>", "one.test, two.test", "", "a".repeat(300)])(
    "S1 a malformed host is refused: %j",
    async (host) => {
      const answer = await app.request("http://one.test/", { headers: { host } });
      expect([400, 421]).toContain(answer.status);
    },
  );

  test("S1 X-Forwarded-Host is read only behind our own proxy", async () => {
    expect(await (await get("/forwarded", { "x-forwarded-host": "two.test" })).text()).toContain("of one");
    const proxied = testApp([one, two], tinySite, {
      config: { publicScheme: "http", trustProxy: new TrustedNetworks("loopback"), metricsToken: null },
    });
    const forwarded = { host: "one.test", "x-forwarded-host": "two.test", "x-request-id": "proxy-id-12345" };
    const ask = (peer: string) => proxied.app.request("http://internal/", { headers: forwarded }, from(peer));
    const answer = await ask("127.0.0.1");
    expect(await answer.text()).toContain("of two");
    expect(answer.headers.get("x-request-id")).toBe("proxy-id-12345");
    const stranger = await ask("203.0.113.5");
    expect(await stranger.text(), "a client that reaches the port past the proxy").toContain("of one");
    expect(stranger.headers.get("x-request-id")).not.toBe("proxy-id-12345");
  });

  test("S1 a request id from a client is ignored", async () => {
    expect((await get("/", { "x-request-id": "chosen-by-client" })).headers.get("x-request-id")).not.toBe(
      "chosen-by-client",
    );
  });
});
