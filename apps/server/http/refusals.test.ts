import type { Brand } from "@farthing/core/brands/brand.ts";
import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import { htmlPage, testApp } from "../app.testing.ts";
import { one, openTinySite } from "../tiny-site.testing.ts";

const { tinySite, app, lines, get, post } = openTinySite();

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

  test("W9 Z5 in a partner's frame every refusal says so to the page around it; nowhere else, and of no other page", async () => {
    const ask = (path: string, host = "one.test", headers: Record<string, string> = { "sec-fetch-dest": "iframe" }) =>
      app.request(`http://${host}${path}`, { headers: { host, ...headers } });
    const cases = { "/redirect?token=%00": 400, "/retailers/%00": 400, "/retailers/x?q=%ED%A0%80": 400 };
    for (const [path, status] of Object.entries(cases)) {
      const answer = await ask(path);
      expect(answer.status, path).toBe(status);
      expect(answer.headers.get("content-security-policy"), path).toContain("frame-ancestors *");
      const text = await answer.text();
      expect(text, path).toContain(`identifier:"load-error"`);
      expect(text, path).toContain(`status:${status},reason:"error"`);
      expect(text, path).not.toMatch(/<(a|form|input|button|img)\b/);
    }
    const unknownHost = await ask("/redirect?path=/pay&token=x", "unknown.test");
    expect(unknownHost.status).toBe(421);
    expect(unknownHost.headers.get("content-security-policy")).toContain("frame-ancestors *");
    for (const other of [
      await ask("/login/%00"),
      await ask("/profile?q=%00"),
      await ask("/retailers/%00", "one.test", {}),
    ])
      expect(other.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
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
