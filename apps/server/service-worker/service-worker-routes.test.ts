import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serviceWorkerRoutes } from "./service-worker-routes.ts";

const build = mkdtempSync(join(tmpdir(), "farthing-worker-"));
const folder = join(build, "client");
mkdirSync(join(folder, "assets"), { recursive: true });
writeFileSync(join(folder, "assets", "one-abc.js"), "");

const ask = async (settings = {}) => {
  const routes = serviceWorkerRoutes({ serviceWorker: true, devPages: false, clientFolder: folder, ...settings });
  const response = await routes.request("/sw.js");
  return { response, script: await response.text() };
};

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

  test.each([{ serviceWorker: false }, { devPages: true }])(
    "M6 is replaced by one that removes itself: %j",
    async (off) => {
      const { script } = await ask(off);
      expect(script).toContain("registration.unregister()");
      expect(script).not.toContain('addEventListener("fetch"');
    },
  );
});
