import { describe, expect, test } from "vitest";
import { loaderOf } from "./page-script.tsx";

/** Runs the page's own script in a browser of four parts, and returns what it loads and the moment of the first paint. */
function run(modules: readonly (string | undefined)[], { isHidden = false } = {}) {
  const loaded: string[] = [];
  let paint = () => {};
  class PerformanceObserver {
    constructor(callback: () => void) {
      paint = callback;
    }
    observe() {}
  }
  const timers: (() => void)[] = [];
  // oxlint-disable-next-line typescript/no-implied-eval -- the text is the script of a page
  new Function(
    ...["window", "document", "PerformanceObserver", "setTimeout", "importModule"],
    loaderOf(modules).replaceAll("import(", "importModule("),
  )(
    { PerformanceObserver },
    { hidden: isHidden },
    PerformanceObserver,
    (act: () => void) => timers.push(act),
    async (at: string) => loaded.push(at),
  );
  return { loaded, paint: () => paint(), runTimers: () => timers.forEach((act) => act()) };
}

describe("U3 the page is drawn before its script is fetched", () => {
  test("U3 the entry is loaded once, after the first paint", () => {
    const { loaded, paint, runTimers } = run(["/assets/entry.js"]);
    expect(loaded).toEqual([]);
    paint();
    paint();
    runTimers();
    expect(loaded).toEqual(["/assets/entry.js"]);
  });

  test("U3 a page that is never painted loads its script after three seconds, a hidden one at once", () => {
    const unpainted = run(["/assets/entry.js"]);
    unpainted.runTimers();
    expect(unpainted.loaded).toEqual(["/assets/entry.js"]);
    expect(run(["/assets/entry.js"], { isHidden: true }).loaded).toEqual(["/assets/entry.js"]);
  });

  test("U3 in development, hot reload is loaded before the entry", async () => {
    const { loaded, paint } = run(["/@id/hot-reload", "/app/entry.client.tsx"]);
    paint();
    await new Promise((resolve) => setImmediate(resolve));
    expect(loaded).toEqual(["/@id/hot-reload", "/app/entry.client.tsx"]);
  });
});
