import { describe, expect, test } from "vitest";
import { scriptsAfterPaint } from "./scripts-after-paint.ts";

const PAGE = `<!DOCTYPE html><html><head><link rel="modulepreload" href="/assets/a.js"/><link rel="modulepreload" href="/assets/b.js"/><link rel="stylesheet" href="/assets/site.css"/></head><body><p>Hello $& $1</p><script nonce="n">window.__reactRouterContext = {};</script><script nonce="n" type="module" async="">;
import * as route0 from "/assets/root.js";
import * as route1 from "/assets/home.js";
  window.__reactRouterManifest = {
  "entry": {
    "module": "/assets/entry.js"
  }
};
  window.__reactRouterRouteModules = {"root":route0,"routes/home":route1};

import("/assets/entry.js");</script></body></html>`;

describe("U3 the page is drawn before its script is fetched", () => {
  const changed = scriptsAfterPaint(PAGE);

  test("U3 nothing in the page makes the browser fetch a script by itself", () => {
    expect(changed).not.toMatch(/rel="modulepreload"|type="module"|^import /m);
    expect(changed).toContain('<link rel="stylesheet" href="/assets/site.css"/></head>');
    expect(changed).toContain("<p>Hello $& $1</p>");
  });

  test("U3 the loader keeps its nonce, and runs the router's modules once, in the router's order", async () => {
    const [, nonce, text = ""] = /<script nonce="(n)">(\(\(\)=>[\s\S]*?)<\/script>/.exec(changed) ?? [];
    expect(nonce).toBe("n");
    const loaded: string[] = [];
    const links: string[] = [];
    let painted = () => {};
    const page = {
      hidden: false,
      head: { append: ({ href }: { href: string }) => links.push(href) },
      createElement: () => ({}),
    };
    const view: Record<string, unknown> = {
      PerformanceObserver: class {
        constructor(callback: () => void) {
          painted = callback;
        }
        observe() {}
      },
    };
    const load = async (at: string) => (loaded.push(at), { at });
    // oxlint-disable-next-line typescript/no-implied-eval -- runs the page's own script, in a browser of four parts
    new Function(
      "window",
      "document",
      "PerformanceObserver",
      "setTimeout",
      "importModule",
      text.replaceAll("import(", "importModule("),
    )(...[view, page, view["PerformanceObserver"], () => {}, load]);
    expect(loaded).toEqual([]);
    painted();
    painted();
    await new Promise((resolve) => setImmediate(resolve));
    expect(loaded).toEqual(["/assets/root.js", "/assets/home.js", "/assets/entry.js"]);
    expect(view["__reactRouterManifest"]).toEqual({ entry: { module: "/assets/entry.js" } });
    expect(links).toEqual(["/assets/a.js", "/assets/b.js"]);
    expect(view["__reactRouterRouteModules"]).toEqual({
      root: { at: "/assets/root.js" },
      "routes/home": { at: "/assets/home.js" },
    });
  });

  test.each([
    ["a page without script", "<html><head></head><body></body></html>"],
    ["a script of another shape", PAGE.replace('import("/assets/entry.js")', "start()")],
    ["no page at all", "not found"],
  ])("U3 %s is left unchanged", (_, html) => expect(scriptsAfterPaint(html)).toBe(html));
});
