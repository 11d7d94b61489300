import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import type { Brand } from "@farthing/core/brands/brand.ts";
import { afterAll, describe, expect, test } from "vitest";
import { testApp } from "../app.testing.ts";
import { cutOffSlowPosts } from "./cut-off-slow-posts.ts";
import { multipart } from "./hostile-files.testing.ts";
import { MAX_UPLOAD_BYTES } from "./upload-paths.ts";

const brand = { id: "1", slug: "club", name: "Club" } as Brand;
const { app } = testApp([brand], async (request) => {
  const size = (await request.arrayBuffer()).byteLength;
  return new Response(`the page read ${size} bytes`, { headers: { "Content-Type": "text/plain" } });
});
const { body, headers } = multipart([{ fileName: "me.jpg", bytes: Buffer.alloc(300_000) }]);
const post = (path: string, more: Record<string, string> = {}) =>
  app.request(
    new Request(`http://club.test${path}`, {
      method: "POST",
      body,
      headers: { host: "club.test", ...headers, ...more },
    }),
  );

describe("multipart", () => {
  test.each(["/verification", "/verification/attachment"])("M4 %s takes a file", async (path) => {
    const response = await post(path);
    expect(await response.text()).toBe(`the page read ${body.length} bytes`);
  });

  test.each([
    "/login",
    "/",
    "/verification/work-email",
    "/verification/attachment/x",
    "/verification/",
    "/VERIFICATION",
  ])("S1 %s refuses a multipart form: as too large, or as the wrong type", async (path) => {
    expect((await post(path)).status).toBe(413);
    const small = multipart([{ fileName: "me.jpg", bytes: Buffer.alloc(10) }]);
    const request = new Request(`http://club.test${path}`, {
      method: "POST",
      body: small.body,
      headers: { host: "club.test", ...small.headers },
    });
    expect((await app.request(request)).status).toBe(415);
  });

  test("S1 other forms have the usual limit there, and at most 80 MB of any body are read", async () => {
    expect((await post("/verification", { "Content-Type": "application/x-www-form-urlencoded" })).status).toBe(413);
    expect((await post("/verification", { "Content-Type": "image/jpeg" })).status).toBe(413);
    expect((await post("/verification", { "Content-Length": String(MAX_UPLOAD_BYTES + 1) })).status).toBe(413);
  });

  test("S1 a file posted by a page of another site is refused", async () => {
    expect((await post("/verification", { "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
    expect((await post("/verification", { Origin: "https://evil.example" })).status).toBe(403);
  });
});

describe("slow senders", () => {
  const server = createServer((request, response) => {
    request.resume();
    request.once("end", () => response.end("read"));
  });
  cutOffSlowPosts(server, { afterMs: 100 });
  afterAll(() => void server.close());

  /** Sends half of a body, and the rest once `until` has settled. */
  async function sendSlowly(path: string, until: Promise<unknown>): Promise<string> {
    if (!server.listening) await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const request = httpRequest({ port, host: "127.0.0.1", path, method: "POST", headers: { "Content-Length": "20" } });
    const answer = new Promise<string>((resolve) => {
      request.on("response", (response) => response.resume().on("end", () => resolve("answered")));
      request.on("error", () => resolve("cut off"));
    });
    request.write("ten bytes.");
    void until.then(() => request.end("ten bytes."));
    return answer;
  }

  test("S1 a slow form is cut off; a file may take longer", async () => {
    const form = sendSlowly("/login", new Promise(() => {}));
    // The file's second half comes after the form's end, so it has been slower than the limit too.
    const file = sendSlowly("/verification", form);
    expect(await form).toBe("cut off");
    expect(await file).toBe("answered");
  });
});
