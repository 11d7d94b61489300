import { describe, expect, test } from "vitest";
import { LOAD_FACES } from "./phone-faces.ts";

interface Link {
  as?: string;
  href: string;
  media: string;
  onload?: () => void;
}

/** Runs the head's script in a browser of a few parts. Returns the head's links, the stylesheets that apply, and what can happen then. */
function run({ isNarrow = true, referrer = "", isHidden = false } = {}) {
  const fonts: Link[] = ["a", "b"].map((name) => ({
    as: "font",
    href: `/assets/${name}.woff2`,
    media: "(width >= 768px)",
  }));
  const sheets: Link[] = [];
  const happenings: Record<"paint" | "becomeNarrow", () => void> = { paint: () => {}, becomeNarrow: () => {} };
  const timers: (() => void)[] = [];
  class PerformanceObserver {
    constructor(callback: () => void) {
      happenings.paint = callback;
    }
    observe() {}
  }
  const document = {
    referrer,
    hidden: isHidden,
    documentElement: { dataset: { faces: "/assets/faces.css" } },
    createElement: () => ({}),
    head: { children: fonts, append: (sheet: Link) => sheets.push(sheet) },
  };
  const narrow = {
    matches: isNarrow,
    addEventListener: (_: string, act: () => void) => {
      happenings.becomeNarrow = act;
    },
  };
  // oxlint-disable-next-line typescript/no-implied-eval -- the text is the script of a page
  new Function(...["window", "document", "location", "matchMedia", "PerformanceObserver", "setTimeout"], LOAD_FACES)(
    { PerformanceObserver },
    document,
    { origin: "https://chalkside.example" },
    () => narrow,
    PerformanceObserver,
    (act: () => void) => timers.push(act),
  );
  return {
    requested: () => [...fonts, ...sheets].filter(({ media }) => media !== "(width >= 768px)").map(({ href }) => href),
    applied: () => sheets.filter(({ media }) => media === "all").map(({ href }) => href),
    happenings,
    runTimers: () => timers.forEach((act) => act()),
    async arrive(...names: string[]) {
      for (const link of [...fonts, ...sheets]) if (names.some((name) => link.href.includes(name))) link.onload?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

const everything = ["/assets/a.woff2", "/assets/b.woff2", "/assets/faces.css"];
const faces = ["/assets/faces.css"];

describe("U3 phones load the brand's faces after the first paint", () => {
  test("U3 on the first page, once the page is painted, and once only", () => {
    const { requested, happenings, runTimers } = run();
    expect(requested()).toEqual([]);
    happenings.paint();
    happenings.paint();
    runTimers();
    expect(requested()).toEqual(everything);
  });

  test("U3 their rules apply when the last of them is there", async () => {
    const { applied, happenings, arrive } = run();
    happenings.paint();
    await arrive("faces", "a.woff2");
    expect(applied()).toEqual([]);
    await arrive("b.woff2");
    expect(applied()).toEqual(faces);
  });

  test("U3 a page that is never painted loads them after three seconds, a hidden one at once", () => {
    const unpainted = run();
    unpainted.runTimers();
    expect(unpainted.requested()).toEqual(everything);
    expect(run({ isHidden: true }).requested()).toEqual(everything);
  });

  test("U3 on the pages after the first one, at once; a link from another site is a first page", () => {
    expect(run({ referrer: "https://chalkside.example/offers" }).applied()).toEqual(faces);
    expect(run({ referrer: "https://chalkside.example.evil.example/" }).requested()).toEqual([]);
  });

  test("U3 a wide window, which has them in its stylesheet, loads them when it becomes narrow", () => {
    const { applied, happenings } = run({ isNarrow: false });
    happenings.paint();
    expect(applied()).toEqual([]);
    happenings.becomeNarrow();
    expect(applied()).toEqual(faces);
  });
});
