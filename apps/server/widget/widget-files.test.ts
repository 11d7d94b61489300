import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { afterAll, describe, expect, test } from "vitest";
import { testApp } from "../app.testing.ts";
import { readWidgetRelease, widgetFiles } from "./widget-files.ts";
import { servedEnvironment, withEnvironments } from "./with-environments.ts";

const stripe = {
  secretKey: "sk",
  webhookSecret: "whsec",
  apiUrl: "https://api",
  publishableKey: null,
  scriptUrl: null,
};

const folder = mkdtempSync(join(tmpdir(), "farthing-widget-"));
afterAll(() => rmSync(folder, { recursive: true }));
const script = "window.Farthing = {};\n".repeat(100);
writeFileSync(join(folder, "farthing-widget.js"), script);
writeFileSync(join(folder, "farthing-gift-cards.js"), script);
writeFileSync(join(folder, "farthing-widget.css"), ".mw-o{}");
writeFileSync(join(folder, "package.json"), "{}");
writeFileSync(
  join(folder, "integrity.json"),
  JSON.stringify({ version: "1.2.3", "farthing-widget.js": "what somebody wrote" }),
);

const served = servedEnvironment({ environment: "production", stripe: { ...stripe, publishableKey: "pk_live_1" } });
const release = readWidgetRelease(folder);
const { app } = testApp([], async () => new Response(null), { widgetRoutes: widgetFiles(folder, release, served) });
const get = (path: string, headers: Record<string, string> = {}) =>
  app.request(`http://one.test${path}`, { headers: { host: "one.test", ...headers } });

describe("W1 the widget's files", () => {
  test("W1 the build's version is asked for each time, because the next build of an unreleased version has other bytes", async () => {
    expect(release?.scriptPath).toBe("/widget/1.2.3/farthing-widget.js");
    const response = await get("/widget/1.2.3/farthing-widget.js");
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-cache");
    expect(response.headers.get("content-type")).toContain("text/javascript");
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(release?.integrity).toBe(`sha384-${createHash("sha384").update(bytes).digest("base64")}`);
  });

  test.each(["farthing-widget.js", "farthing-gift-cards.js"])(
    "W1 G1 the latest %s brings the deployment's environments, a version's does not",
    async (file) => {
      expect(await (await get(`/widget/${file}`)).text()).toContain("pk_live_1");
      expect(await (await get(`/widget/1.2.3/${file}`)).text()).toBe(script);
    },
  );

  test("W1 any page may load it, also with integrity, which needs CORS", async () => {
    for (const path of ["/widget/1.2.3/farthing-widget.js", "/widget/farthing-widget.css", "/widget/integrity.json"]) {
      const response = await get(path, { origin: "https://shop.example" });
      expect(response.status).toBe(200);
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(response.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    }
  });

  test("W1 the latest brings this deployment's environment, and a version's bytes stay those of the build", async () => {
    expect(await (await get("/widget/farthing-widget.js")).text()).toContain("pk_live_1");
    expect(await (await get("/widget/1.2.3/farthing-widget.js")).text()).toBe(script);
  });

  test("W1 the latest is revalidated after five minutes, with 304 if unchanged", async () => {
    const response = await get("/widget/farthing-widget.js");
    expect(response.headers.get("cache-control")).toBe("public, max-age=300, must-revalidate");
    const again = await get("/widget/farthing-widget.js", { "if-none-match": response.headers.get("etag") ?? "" });
    expect(again.status).toBe(304);
  });

  test.each([
    "/widget/1.2.4/farthing-widget.js",
    "/widget/1.2.3/package.json",
    "/widget/package.json",
    "/widget/1.2.3/..%2fpackage.json",
    "/widget/",
    "/widget/1.2.3/",
    "/widget/1.2.3/a/farthing-widget.js",
  ])("W1 %s is not found, and that is not cached", async (path) => {
    const response = await get(path);
    expect(response.status).toBe(404);
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test("W1 if the widget has not been built its files are not found, and the server starts", async () => {
    expect(readWidgetRelease(join(folder, "missing"))).toBeNull();
    const empty = testApp([], async () => new Response(null), {
      widgetRoutes: widgetFiles(join(folder, "missing"), null, served),
    });
    expect((await empty.app.request("http://one.test/widget/farthing-widget.js")).status).toBe(404);
  });
});

describe("W1 the environments of the served script", () => {
  /** Runs a served script whose page is elsewhere, and returns the environments that it sees. */
  const seen = (
    served: Parameters<typeof withEnvironments>[1],
    src = "https://club.example/widget/farthing-widget.js",
  ) => {
    const context: Record<string, unknown> = { URL, document: { currentScript: src ? { src } : null } };
    runInNewContext(
      withEnvironments('seen = typeof FARTHING_ENVIRONMENTS === "object" && FARTHING_ENVIRONMENTS', served),
      context,
    );
    expect(Object.keys(context)).not.toContain("FARTHING_ENVIRONMENTS");
    return JSON.parse(JSON.stringify(context["seen"])) as unknown;
  };

  test("W1 in production it knows the club at the address that the script came from", () => {
    const served = servedEnvironment({ environment: "production", stripe: { ...stripe, publishableKey: "pk_live_1" } });
    expect(seen(served)).toEqual({ production: { baseUrl: "https://club.example", publishableKey: "pk_live_1" } });
  });

  test("W1 staging answers to its own name and production's, development to all three, with its own card script", () => {
    expect(Object.keys(seen(servedEnvironment({ environment: "staging", stripe })) as object)).toEqual([
      "staging",
      "production",
    ]);
    const dev = { ...stripe, publishableKey: "pk_test_1", scriptUrl: "http://localhost:3001/cards/v3/" };
    const own = { baseUrl: "https://club.example", publishableKey: "pk_test_1", cardScriptUrl: dev.scriptUrl };
    expect(seen(servedEnvironment({ environment: "dev", stripe: dev }))).toEqual({
      dev: own,
      staging: own,
      production: own,
    });
  });

  test("W1 without card payments, or as a module without an address, the page can still name its own", () => {
    const served = servedEnvironment({ environment: "production", stripe: null });
    expect(seen(served)).toEqual({ production: { baseUrl: "https://club.example", publishableKey: "" } });
    expect(seen(served, "")).toEqual({ production: { publishableKey: "" } });
  });
});
