import { expect, test } from "vitest";
import { drawChart, MAX_LINES } from "./chart.ts";
import { spreadLabels } from "./spread-labels.ts";

const sizes = [1, 10, 100];
const line = (name: string, values: number[]) => ({
  name,
  points: values.map((value, index) => ({ times: sizes[index]!, value })),
});
const draw = (...lines: ReturnType<typeof line>[]) =>
  drawChart({ id: "growth", title: "Pages <of> visitors", lines, sizes, amount: (value) => `${value} ms` });
/** The corners of the n-th line. */
const corners = (svg: string, place: number) =>
  [...new RegExp(`class="line l${place}"><path d="([^"]+)"`).exec(svg)![1]!.matchAll(/([\d.]+) ([\d.]+)/g)].map(
    ([, x, y]) => [Number(x), Number(y)] as const,
  );

test("R3 a chart is an image with a title and a description of every value, for people who do not see it", () => {
  const svg = draw(line("home", [3, 3.5, 4]), line("search & find", [10, 12, 100]));
  expect(svg).toContain('role="img" aria-labelledby="growth-title growth-desc"');
  expect(svg).toContain('<title id="growth-title">Pages &lt;of&gt; visitors</title>');
  expect(svg).toContain("home: 3 ms at 1 ×, 3.5 ms at 10 ×, 4 ms at 100 ×.");
  expect(svg).toContain("search &amp; find: 10 ms at 1 ×");
});

test("R3 a chart has colours for light and dark, and stands on a ground of its own", () => {
  const svg = draw(line("home", [3, 3, 3]));
  expect(svg).toContain("@media (prefers-color-scheme: dark){.ground{fill:#12161b}");
  expect(svg).toContain('<rect class="ground"');
});

test("R3 on logarithmic axes what is flat is level, and what is proportional is straight", () => {
  const svg = draw(line("flat", [3, 3, 3]), line("proportional", [1, 10, 100]));
  expect(new Set(corners(svg, 0).map(([, y]) => y)).size).toBe(1);
  const [[x1, y1], [x2, y2], [x3, y3]] = corners(svg, 1) as [
    readonly [number, number],
    readonly [number, number],
    readonly [number, number],
  ];
  expect((y2 - y1) / (x2 - x1)).toBeCloseTo((y3 - y2) / (x3 - x2), 2);
  expect(y3).toBeLessThan(y1);
});

test("R3 a chart refuses more lines than it has colours", () => {
  const many = Array.from({ length: MAX_LINES + 1 }, (_, index) => line(`line ${index}`, [1, 2, 3]));
  expect(() => draw(...many)).toThrow(`at most ${MAX_LINES}`);
  expect(draw(...many.slice(1)).match(/class="line /g)).toHaveLength(MAX_LINES);
});

test("R3 labels of lines that end together stand apart, in the lines' order and within the plot", () => {
  const within = { gap: 19, top: 50, bottom: 370 };
  for (const ends of [[100, 100, 100], [369, 370, 368], [50, 49, 51], [60, 300, 61], [200]]) {
    const labels = spreadLabels(ends, within);
    const sorted = labels.toSorted((one, other) => one - other);
    for (const [index, y] of sorted.entries()) {
      if (index > 0) expect(y - sorted[index - 1]!).toBeGreaterThanOrEqual(19);
      expect(y).toBeGreaterThanOrEqual(50);
      expect(y).toBeLessThanOrEqual(370);
    }
    const order = (list: readonly number[]) => [...list.keys()].toSorted((one, other) => list[one]! - list[other]!);
    expect(order(labels)).toEqual(order(ends));
  }
  expect(spreadLabels([60, 300], within)).toEqual([60, 300]);
});
