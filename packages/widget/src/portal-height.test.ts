import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { changeDue, portalHeight } from "./portal-height.ts";

beforeEach(() => void vi.useFakeTimers({ now: 5000, toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

/** Starts a portal and notes each height that it shows with its time since the start. */
function started() {
  const shown: [number, number][] = [];
  const start = performance.now();
  const portal = portalHeight((height) => shown.push([performance.now() - start, height]));
  return { portal, shown };
}

test("G1 the box starts at 600 px and follows a report after 300 ms without another one", () => {
  const { portal, shown } = started();
  vi.advanceTimersByTime(1000);
  portal.report(700);
  vi.advanceTimersByTime(299);
  portal.report(800);
  vi.advanceTimersByTime(299);
  expect(shown).toEqual([[0, 600]]);
  vi.advanceTimersByTime(1);
  expect(shown).toEqual([
    [0, 600],
    [1599, 800],
  ]);
});

test("G1 the box changes at most once a second", () => {
  const { portal, shown } = started();
  portal.report(700);
  vi.advanceTimersByTime(300);
  portal.report(800);
  vi.advanceTimersByTime(999);
  expect(shown.at(-1)).toEqual([300, 700]);
  vi.advanceTimersByTime(1);
  expect(shown.at(-1)).toEqual([1300, 800]);
});

test("G1 a content that never stops reporting is followed once a second", () => {
  const { portal, shown } = started();
  for (let step = 0; step < 400; step++) {
    portal.report(700 + step);
    vi.advanceTimersByTime(10);
  }
  expect(shown.map(([at]) => at)).toEqual([0, 1000, 2000, 3000, 4000]);
});

test("G1 a content that is always taller than its box stops growing it, however long it answers", () => {
  for (const answer of [0, 16, 400, 990, 1250]) {
    let height = 0;
    let answered = 0;
    const portal = portalHeight((next) => (height = next));
    while (height !== answered) {
      answered = height;
      vi.advanceTimersByTime(answer);
      portal.report(height + 10);
      vi.advanceTimersByTime(1000);
    }
    expect(height).toBe(600 + 12 * 10);
  }
});

test("G1 a stopped portal forgets the report that waits", () => {
  const { portal, shown } = started();
  portal.report(900);
  portal.stop();
  vi.advanceTimersByTime(10_000);
  expect(shown).toEqual([[0, 600]]);
});

test("G1 a change is due a second after the last one, and neither before the debounce ends nor later than a second after the first report", () => {
  fc.assert(
    fc.property(fc.nat(5000), fc.nat(5000), fc.nat(5000), (changed, wait, more) => {
      const first = changed + wait;
      const latest = first + more;
      const due = changeDue({ first, latest, changed });
      expect(due).toBeGreaterThanOrEqual(changed + 1000);
      expect(due === changed + 1000 || due === latest + 300 || due === first + 1000).toBe(true);
      expect(due).toBeLessThanOrEqual(Math.max(changed, first) + 1000);
    }),
  );
});
