import { createHash } from "node:crypto";
import { brotliDecompressSync } from "node:zlib";
import type { Brand } from "@farthing/core/brands/brand.ts";
import type { SignedInMember, Visit } from "@farthing/site/server/visit.ts";
import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import { htmlPage, testApp } from "./app.testing.ts";
import { Readiness } from "./monitoring/readiness.ts";
import { TrustedNetworks } from "./http/trusted-networks.ts";

const brand = (slug: string) => ({ id: slug, slug, name: slug }) as Brand;
const one = brand("one");
const two = brand("two");
const member: SignedInMember = {
  id: "m1",
  sessionId: "s1",
  name: "Robin",
  email: "robin@one.test",
  verification: "verified",
};

let renderings = 0;
/** Renders a page that names its visitor, so that a leak shows. */
async function tinySite(request: Request, visit: Visit): Promise<Response> {
  if (visit.refusal) {
    const { status, title, text } = visit.refusal;
    return htmlPage(`${title} at ${visit.brand.slug}, for ${visit.member?.name ?? "a stranger"}. ${text}`, visit, {
      status,
    });
  }
  renderings += 1;
  const { pathname } = new URL(request.url);
  if (pathname === "/broken") throw new Error("secret detail of the failure");
  if (pathname === "/gone") return htmlPage("Nothing here", visit, { status: 404 });
  if (pathname === "/form") return htmlPage("Form", visit, { headers: { "Cache-Control": "no-store" } });
  if (pathname === "/login" && request.method === "POST") {
    const next = new URLSearchParams(await request.text()).get("next") ?? "/";
    return new Response(null, {
      status: 303,
      headers: { Location: next, "Set-Cookie": "farthing_session=new; HttpOnly" },
    });
  }
  const cookie = request.headers.get("cookie") ?? "none";
  return htmlPage(
    `rendering ${renderings} of ${visit.brand.slug}${pathname} for ${visit.member?.name ?? "a stranger"}, cookies ${cookie}, origin ${visit.origin}`,
    visit,
  );
}

const accounts = {
  memberOf: async (_: Brand, cookie: string | null | undefined) =>
    cookie?.includes("farthing_session=good") ? member : null,
};
const { app, lines, clock } = testApp([one, two], tinySite, { accounts });
const get = (path: string, headers: Record<string, string> = {}, host = "one.test") =>
  app.request(`http://${host}${path}`, { headers: { host, ...headers } });
const post = (path: string, headers: Record<string, string> = {}, body = "a=b") =>
  app.request(`http://one.test${path}`, {
    method: "POST",
    body,
    headers: { host: "one.test", "content-type": "application/x-www-form-urlencoded", ...headers },
  });

/** Returns the app's bindings for a connection from this address. */
const from = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress } } }) as never;

describe("S1 headers of every answer", () => {
  test.each(["/", "/gone", "/broken", "/healthz", "/api/nothing", "/assets/nothing.js"])(
    "S1 %s has every security header",
    async (path) => {
      const { headers } = await get(path);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
      expect(headers.get("permissions-policy")).toContain("camera=()");
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(headers.get("content-security-policy")).not.toContain("unsafe");
      expect(headers.get("x-request-id")).toMatch(/^[\w.-]{8,64}$/);
      expect(headers.get("strict-transport-security"), "only over https").toBeNull();
    },
  );

  test("S1 over https browsers get HSTS and upgrade-insecure-requests", async () => {
    const secure = testApp([one], tinySite, {
      config: { publicScheme: "https", trustProxy: false, metricsToken: null },
    });
    const answer = await secure.app.request("http://one.test/", { headers: { host: "one.test" } });
    expect(answer.headers.get("strict-transport-security")).toBe("max-age=31536000; includeSubDomains");
    expect(answer.headers.get("content-security-policy")).toContain("upgrade-insecure-requests");
  });

  test("S1 a page's policy names its own script and the page does not show the nonce", async () => {
    const answer = await get("/");
    const hash = createHash("sha256").update("hydrate()").digest("base64");
    expect(answer.headers.get("content-security-policy")).toContain(`script-src 'self' 'sha256-${hash}'`);
    expect(await answer.text()).toContain("<script>hydrate()</script>");
  });
});

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
    const before = renderings;
    await get("/form");
    await get("/form");
    expect(renderings - before).toBe(2);
  });

  test("a missing page keeps its status and is not cached", async () => {
    const before = renderings;
    expect((await get("/gone")).status).toBe(404);
    expect((await get("/gone")).status).toBe(404);
    expect(renderings - before).toBe(2);
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
      expect(answer.headers.get("content-encoding")).toBe("br");
      expect(brotliDecompressSync(Buffer.from(await answer.arrayBuffer())).toString()).toContain("word word");
      expect(answer.headers.get("vary")).toMatch(/Accept-Encoding/);
    }
  });

  test("an expired page is rendered again", async () => {
    const first = await (await get("/aging")).text();
    clock.now += 66_000;
    expect(await (await get("/aging")).text()).not.toBe(first);
  });
});

describe("S1 headers of files", () => {
  const file = (type: string) => {
    const files = async () => new Response("x", { headers: { "Content-Type": type } });
    return testApp([one], tinySite, { files }).app.request("http://one.test/assets/x", {
      headers: { host: "one.test" },
    });
  };

  test.each(["text/javascript; charset=utf-8", "text/css", "font/woff2", "image/png"])(
    "S1 %s has nosniff, and no header that concerns documents only",
    async (type) => {
      const { headers } = await file(type);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("content-security-policy")).toBeNull();
      expect(headers.get("permissions-policy")).toBeNull();
    },
  );

  test.each(["image/svg+xml", "text/html", "application/json", "text/plain", "application/pdf"])(
    "S1 %s, which a browser may display directly, has every security header",
    async (type) => {
      const { headers } = await file(type);
      expect(headers.get("content-security-policy")).toContain("sandbox");
      expect(headers.get("x-frame-options")).toBe("DENY");
    },
  );
});

describe("S1 posts from other sites", () => {
  test.each([
    ["another origin", { origin: "https://evil.example" }],
    ["a brand next door", { origin: "http://two.test" }],
    ["another port", { origin: "http://one.test:81" }],
    ["no origin at all", { origin: "null" }],
    ["another site by fetch metadata", { "sec-fetch-site": "cross-site", origin: "http://one.test" }],
    ["a sibling by fetch metadata", { "sec-fetch-site": "same-site" }],
  ])("S1 a post from %s is refused and changes nothing", async (_, headers) => {
    const before = renderings;
    const answer = await post("/login", headers);
    expect(answer.status).toBe(403);
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect(renderings).toBe(before);
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

describe("S2 errors", () => {
  test("Z5 a program gets problem+json without internals", async () => {
    const answer = await get("/api/nothing");
    expect(answer.status).toBe(404);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(await answer.json()).toMatchObject({ status: 404, title: "Not found" });
  });

  test("Z5 if the site fails, a person gets a plain page with the request's id, and the log gets the error", async () => {
    const answer = await get("/broken");
    const id = answer.headers.get("x-request-id") ?? "";
    expect(answer.status).toBe(500);
    const text = await answer.text();
    expect(text).toContain(id);
    expect(text).not.toMatch(/secret detail|\.ts|node_modules/);
    expect(lines.find((line) => line["requestId"] === id && line["err"])).toMatchObject({
      err: { message: "secret detail of the failure" },
    });
  });

  test.each([
    ["PUT", "/", "GET, HEAD, POST"],
    ["DELETE", "/profile", "GET, HEAD, POST"],
    ["POST", "/healthz", "GET, HEAD"],
    ["POST", "/art/retailers/x.svg", "GET, HEAD"],
    ["PATCH", "/api/anything", "GET, HEAD, POST"],
  ])("S2 %s %s is refused, and the answer lists the allowed methods", async (method, path, allow) => {
    const answer = await app.request(`http://one.test${path}`, { method, headers: { host: "one.test" } });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe(allow);
  });

  test("S2 a body above the limit is refused, with and without Content-Length", async () => {
    expect((await post("/login", { "content-length": "999999999" })).status).toBe(413);
    const stream = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024)) });
    const request = new Request("http://one.test/login", {
      method: "POST",
      body: stream,
      duplex: "half",
      headers: { host: "one.test" },
    } as RequestInit);
    expect((await app.request(request)).status).toBe(413);
  });

  test("S1 a body in too many chunks is refused, however small; one in many chunks is accepted", async () => {
    const { app } = testApp([{ id: "one", slug: "one", name: "one" } as Brand], async (request, visit) =>
      htmlPage(`${(await request.text()).length}`, visit),
    );
    const inPieces = (count: number) => {
      let left = count;
      const body = new ReadableStream({
        pull: (controller) => (left-- > 0 ? controller.enqueue(Buffer.from("a")) : controller.close()),
      });
      const headers = { host: "one.test", "content-type": "application/x-www-form-urlencoded" };
      return app.request(
        new Request("http://one.test/login", { method: "POST", headers, body, duplex: "half" } as RequestInit),
      );
    };
    expect((await inPieces(100_000)).status).toBe(413);
    const taken = await inPieces(4_000);
    expect(taken.status).toBe(200);
    expect(await taken.text()).toContain("4000");
  });

  test.each(["application/json", "text/plain", "multipart/form-data; boundary=x"])(
    "S2 a page accepts forms only: %s",
    async (type) => {
      expect((await post("/login", { "content-type": type })).status).toBe(415);
    },
  );

  test("RFC 8058 mail programs may unsubscribe with a multipart body of a form's size, and foreign pages may not", async () => {
    const type = { "content-type": "multipart/form-data; boundary=x" };
    for (const path of ["/unsubscribe", "/alerts/stop"]) {
      expect((await post(path, type)).status).not.toBe(415);
      expect((await post(path, { ...type, origin: "https://evil.example" })).status).toBe(403);
      expect((await post(path, { ...type, "content-length": "999999999" })).status).toBe(413);
    }
  });

  test("Z5 a person sees a refusal in the brand's design; without a brand it is a plain page", async () => {
    const refused = await post("/login", { origin: "https://evil.example", cookie: "farthing_session=good" });
    expect(await refused.text()).toContain("Not sent from here at one, for a stranger");
    expect(refused.headers.get("cache-control")).toBe("no-store");
    expect(refused.headers.get("content-security-policy")).not.toContain("unsafe");
    expect(await (await post("/login", { "content-type": "text/plain" })).text()).toContain("Not a form at one");
    const unknown = await get("/", {}, "unknown.test");
    const plain = await unknown.text();
    expect({ status: unknown.status, plain }).toEqual({
      status: 421,
      plain: expect.stringContaining("No club at this address") as string,
    });
    expect(plain, "P7").toContain('<body data-controller="errors" data-action="show">');
    const badMethod = await app.request("http://one.test/profile", { method: "PUT", headers: { host: "one.test" } });
    expect(await badMethod.text()).toContain("Method not allowed at one");
  });

  test("a server route that finds nothing shows the site's page for it", async () => {
    const goRoutes = new Hono().get("/go/offers/:id", (context) => context.notFound());
    const { app: withGo } = testApp([one], tinySite, { goRoutes });
    expect(
      await (await withGo.request("http://one.test/go/offers/x", { headers: { host: "one.test" } })).text(),
    ).toContain("of one/go/offers/x");
  });
});

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
