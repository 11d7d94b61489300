import { describe, expect, test } from "vitest";
import { testApp } from "../app.testing.ts";
import { TrustedNetworks } from "../http/trusted-networks.ts";
import { from, one, openTinySite } from "../tiny-site.testing.ts";
import { Readiness } from "./readiness.ts";

const { tinySite } = openTinySite();

describe("P6 health, metrics and logs", () => {
  test("P6 /readyz is 503 once shutdown starts, and /healthz stays 200", async () => {
    const { app: stopping, readiness } = testApp([one], tinySite);
    expect((await stopping.request("/readyz")).status).toBe(200);
    readiness.close();
    expect((await stopping.request("/readyz")).status).toBe(503);
    expect((await stopping.request("/healthz")).status).toBe(200);
  });

  test("P6 /readyz is 503 while the database does not answer", async () => {
    const refusing = testApp([one], tinySite, { readiness: new Readiness(() => Promise.reject(new Error("away"))) });
    const answer = await refusing.app.request("/readyz");
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({ status: "not ready", checks: { accepting: true, database: false } });
    const hanging = testApp([one], tinySite, {
      readiness: new Readiness(() => new Promise(() => {}), { timeoutMs: 1 }),
    });
    expect((await hanging.app.request("/readyz")).status).toBe(503);
  });

  test("S1 /metrics needs the token, and is closed if there is none", async () => {
    const guarded = testApp([one], tinySite, {
      config: { publicScheme: "http", trustProxy: false, metricsToken: "long-enough-metrics-token" },
    });
    expect((await guarded.app.request("/metrics", {}, from("203.0.113.5"))).status).toBe(401);
    expect(
      (await guarded.app.request("/metrics", { headers: { authorization: "Bearer wrong" } }, from("203.0.113.5")))
        .status,
    ).toBe(401);
    expect(
      (
        await guarded.app.request(
          "/metrics",
          { headers: { authorization: "Bearer long-enough-metrics-token" } },
          from("203.0.113.5"),
        )
      ).status,
    ).toBe(200);
    const loopback = new TrustedNetworks("loopback");
    for (const environment of ["staging", "production"] as const)
      for (const trustProxy of [false, loopback] as const) {
        const config = { environment, publicScheme: "http", trustProxy, metricsToken: null } as const;
        const { app: deployed } = testApp([one], tinySite, { config });
        const near = await deployed.request("/metrics", {}, from("127.0.0.1"));
        expect(near.status, "a proxy on the same machine brings everybody").toBe(401);
        expect(await near.text()).not.toContain("farthing_");
      }
  });

  test("S1 in development /metrics answers this machine too, but not through a proxy or tunnel on it", async () => {
    const { app: development } = testApp([one], tinySite, {
      config: { environment: "dev", publicScheme: "http", trustProxy: false, metricsToken: null },
    });
    const status = async (peer: string, headers = {}) =>
      (await development.request("/metrics", { headers }, from(peer))).status;
    for (const peer of ["127.0.0.1", "::1", "::ffff:127.0.0.1"]) expect(await status(peer)).toBe(200);
    for (const peer of ["192.168.1.5", "203.0.113.5", "::ffff:10.0.0.1"]) expect(await status(peer)).toBe(401);
    for (const header of ["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "forwarded", "via", "x-real-ip"])
      expect(await status("127.0.0.1", { [header]: "127.0.0.1" }), header).toBe(401);
  });

  test("P6 requests are counted by pattern and status, not by address", async () => {
    const watched = testApp([one], tinySite);
    await watched.app.request("http://one.test/retailers/some-shop?x=1", { headers: { host: "one.test" } });
    await watched.app.request("http://one.test/made/up", { headers: { host: "one.test" } });
    const text = await watched.metrics.registry.metrics();
    expect(text).toContain('farthing_http_request_seconds_count{route="/retailers/:slug",status="200"} 1');
    expect(text).toContain('farthing_http_request_seconds_count{route="other",status="200"} 1');
    expect(text).not.toContain("some-shop");
  });

  test("P6 S1 a log line has the request's id and pattern, and no secret from the address", async () => {
    const watched = testApp([one], tinySite);
    const answer = await watched.app.request("http://one.test/webhooks/awin/top-secret?token=abc", {
      method: "POST",
      headers: { host: "one.test" },
    });
    expect(watched.lines).toContainEqual(
      expect.objectContaining({ requestId: answer.headers.get("x-request-id"), route: "/webhooks/*", status: 404 }),
    );
    expect(JSON.stringify(watched.lines)).not.toMatch(/top-secret|abc/);
  });
});
