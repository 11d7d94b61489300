import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Brand } from "@farthing/core/brands/brand.ts";
import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import type { AppEnv } from "../app-env.ts";
import { serviceWorkerRoutes } from "./service-worker-routes.ts";

const build = mkdtempSync(join(tmpdir(), "farthing-worker-"));
const folder = join(build, "client");
mkdirSync(join(folder, "assets"), { recursive: true });
writeFileSync(join(folder, "assets", "one-abc.js"), "");

const PROVIDER = "https://push.example/worker.js";
const now = new Date("2026-11-20T10:00:00Z");
const brand = {
  features: { telemetry: true },
  tracking: { tagManager: null, engagementScript: PROVIDER },
} as Brand;

const ask = async (settings = {}, headers: Record<string, string> = {}, visited = brand) => {
  const app = new Hono<AppEnv>();
  app.use(async (context, next) => {
    context.set("visit", { requestId: "1", brand: visited, member: null, nonce: "n", origin: "https://one.test" });
    await next();
  });
  const options = { serviceWorker: true, devPages: false, clientFolder: folder, now: () => now, ...settings };
  app.route("/", serviceWorkerRoutes(options));
  const response = await app.request("/sw.js", { headers });
  return { response, script: await response.text() };
};

/** Returns the cookie of a choice that was made an hour ago. */
const chosen = (purposes: string) => ({
  cookie: `a=b; __Host-farthing_consent=1.${now.getTime() / 1000 - 3600}.${purposes}`,
});
const settingsOf = (script: string) =>
  JSON.parse(/^const settings = (.*);$/m.exec(script)?.[1] ?? "{}") as { engagement: string | null; version: string };

describe("the service worker", () => {
  test("M6 is revalidated each time, and may fetch from our origin only", async () => {
    const { response } = await ask();
    expect(response.headers.get("cache-control")).toBe("no-cache");
    expect(response.headers.get("content-type")).toMatch(/^text\/javascript/);
    expect(response.headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'; connect-src 'self'",
    );
  });

  test("M6 changes with each build, and only then", async () => {
    const before = (await ask()).script;
    expect((await ask()).script).toBe(before);
    writeFileSync(join(folder, "assets", "two-def.js"), "");
    expect((await ask()).script).not.toBe(before);
  });

  test("M6 knows which files wake the islands of the pages that it stores", async () => {
    const scripts = {
      entry: ["/assets/e.js"],
      hydration: ["/assets/h.js"],
      islands: { "kept-card": ["/assets/k.js"] },
    };
    writeFileSync(join(build, "scripts.json"), JSON.stringify({ ...scripts, lazy: {} }));
    const [, settings = ""] = /^const settings = (.*);$/m.exec((await ask()).script) ?? [];
    expect(JSON.parse(settings)).toMatchObject({ scripts });
  });

  test("T5 runs the provider's script for those who agreed to messages, and may fetch from there", async () => {
    const { response, script } = await ask({}, chosen("tags-messages"));
    expect(settingsOf(script).engagement).toBe(PROVIDER);
    expect(response.headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self' https://push.example; connect-src 'self' https://push.example",
    );
    expect(response.headers.get("vary")).toBe("Cookie, Sec-GPC");
    expect(settingsOf(script).version, "the same cache").toBe(settingsOf((await ask()).script).version);
  });

  test.each([
    ["nobody has agreed", {}],
    ["something else was agreed to", chosen("measurement-tags")],
    ["everything was refused", chosen("none")],
    ["the browser sends Global Privacy Control", { ...chosen("messages"), "sec-gpc": "1" }],
    [
      "the cookie has no prefix, as another host could set it",
      { cookie: chosen("messages").cookie.replace("__Host-", "") },
    ],
    ["the words have changed", { cookie: chosen("messages").cookie.replace("=1.", "=2.") }],
  ])("T5 does without the provider's script where %s", async (_, headers) => {
    const { response, script } = await ask({}, headers as Record<string, string>);
    expect(settingsOf(script).engagement).toBeNull();
    expect(response.headers.get("content-security-policy")).not.toContain("push.example");
  });

  test("T5 a brand without a provider, and a worker that is turned off, run no script of others", async () => {
    const without = { ...brand, tracking: { tagManager: null, engagementScript: null } };
    expect(settingsOf((await ask({}, chosen("messages"), without)).script).engagement).toBeNull();
    const { response, script } = await ask({ serviceWorker: false }, chosen("messages"));
    expect(script).not.toContain("push.example");
    expect(response.headers.get("content-security-policy")).not.toContain("push.example");
  });

  test.each([{ serviceWorker: false }, { devPages: true }])(
    "M6 is replaced by one that removes itself: %j",
    async (off) => {
      const { script } = await ask(off);
      expect(script).toContain("registration.unregister()");
      expect(script).not.toContain('addEventListener("fetch"');
    },
  );
});
