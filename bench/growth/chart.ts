import { spreadLabels } from "./spread-labels.ts";

/** A line of a chart: one thing at the sizes at which it was measured. */
export interface ChartLine {
  name: string;
  points: readonly { times: number; value: number }[];
}

export interface Chart {
  /** Begins the ids in the file. */
  id: string;
  title: string;
  lines: readonly ChartLine[];
  /** Sizes in times of the smallest, ascending. */
  sizes: readonly number[];
  /** Returns a value as people read it, such as 3.2 ms. */
  amount(value: number): string;
}

const SIZE = { width: 900, height: 450 };
/** The plot; the lines' names stand to its right. */
const PLOT = { left: 72, top: 52, right: 460, bottom: 372 };
const LABELS = { x: 490, gap: 19 };
const MARK = 4;

/** Each at least 3:1 on its background. Dashes tell lines apart without colour, and names stand at their ends. */
const COLOURS = {
  light: ["#0b5cad", "#b3261e", "#14713d", "#7a3fa8", "#8a5a00", "#00727a", "#a3195b", "#4a5560"],
  dark: ["#7db8f7", "#ff9a8f", "#6fd39a", "#cfa3f5", "#f0bd5e", "#63d0d8", "#ff92c2", "#b8c2cc"],
};
const DASHES = ["none", "7 3", "2 3", "10 3 2 3", "none", "7 3", "2 3", "10 3 2 3"];
/** How many lines a chart has at most: as many as there are colours. */
export const MAX_LINES = COLOURS.light.length;

/**
 * Draws lines over sizes as an SVG file, both axes logarithmic: what is flat is level, and what grows in proportion is parallel to the dotted line.
 * The colours follow the reader's scheme; the description says every value.
 */
export function drawChart(chart: Chart): string {
  const { id, title, lines, sizes, amount } = chart;
  if (lines.length > MAX_LINES) throw new Error(`A chart has at most ${MAX_LINES} lines.`);
  const axes = makeAxes(chart);
  const drawn = lines.map((line) => line.points.map(({ times, value }) => ({ x: axes.x(times), y: axes.y(value) })));
  const ends = drawn.map((points) => points.at(-1)?.y ?? PLOT.bottom);
  const labels = spreadLabels(ends, { ...LABELS, top: PLOT.top, bottom: PLOT.bottom });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${SIZE.height}" width="${SIZE.width}" height="${SIZE.height}" role="img" aria-labelledby="${id}-title ${id}-desc">
<title id="${id}-title">${escaped(title)}</title>
<desc id="${id}-desc">${escaped(describe(chart))}</desc>
<style>${styles()}</style>
<clipPath id="${id}-plot"><rect x="${PLOT.left}" y="${PLOT.top}" width="${PLOT.right - PLOT.left}" height="${PLOT.bottom - PLOT.top}"/></clipPath>
<rect class="ground" width="${SIZE.width}" height="${SIZE.height}"/>
<text class="head" x="16" y="28">${escaped(title)}</text>
${axes.ticks.map((value) => level(axes.y(value), amount(value))).join("\n")}
${sizes.map((times) => upright(axes.x(times), `${times.toLocaleString("en-GB")} ×`)).join("\n")}
<text class="quiet" x="${(PLOT.left + PLOT.right) / 2}" y="${PLOT.bottom + 42}" text-anchor="middle">size of the club</text>
<path class="guide" clip-path="url(#${id}-plot)" d="M${round(axes.x(sizes[0]!))} ${PLOT.bottom}L${round(axes.x(sizes.at(-1)!))} ${round(axes.y(axes.ticks[0]! * (sizes.at(-1)! / sizes[0]!)))}"/>
${drawn.map((points, place) => drawLine(points, { place, name: lines[place]!.name, labelY: labels[place]! })).join("\n")}
<text class="quiet" x="16" y="${SIZE.height - 12}">Both axes are logarithmic. The dotted line grows in proportion to the club.</text>
</svg>
`;
}

interface Axes {
  x(times: number): number;
  y(value: number): number;
  ticks: number[];
}

function makeAxes({ lines, sizes }: Pick<Chart, "lines" | "sizes">): Axes {
  const values = lines.flatMap(({ points }) => points.map(({ value }) => value)).filter((value) => value > 0);
  const from = Math.floor(Math.log10(Math.min(...values, 1e9)));
  const to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(...values, 1e-9))));
  const least = 10 ** from;
  const [first, last] = [Math.log10(sizes[0]!), Math.log10(sizes.at(-1)!)];
  // Few decades leave room for lines between them.
  const steps = to - from <= 2 ? [1, 2, 5] : [1];
  const ticks = Array.from({ length: to - from }, (_, decade) => steps.map((step) => step * 10 ** (from + decade)));
  return {
    x: (times) => PLOT.left + ((Math.log10(times) - first) / (last - first)) * (PLOT.right - PLOT.left),
    y: (value) => PLOT.bottom - ((Math.log10(Math.max(value, least)) - from) / (to - from)) * (PLOT.bottom - PLOT.top),
    ticks: [...ticks.flat(), 10 ** to],
  };
}

function level(y: number, label: string): string {
  return `<path class="grid" d="M${PLOT.left} ${round(y)}H${PLOT.right}"/><text class="quiet" x="${PLOT.left - 8}" y="${round(y + 4)}" text-anchor="end">${escaped(label)}</text>`;
}

function upright(x: number, label: string): string {
  return `<path class="grid" d="M${round(x)} ${PLOT.top}V${PLOT.bottom}"/><text class="quiet" x="${round(x)}" y="${PLOT.bottom + 20}" text-anchor="middle">${escaped(label)}</text>`;
}

function drawLine(
  points: readonly { x: number; y: number }[],
  { place, name, labelY }: { place: number; name: string; labelY: number },
): string {
  const end = points.at(-1);
  if (!end) return "";
  const path = points.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${round(x)} ${round(y)}`).join("");
  const marks = points.map(({ x, y }) => `<circle class="mark" cx="${round(x)}" cy="${round(y)}" r="${MARK}"/>`);
  const leader = `<path class="leader" d="M${round(end.x + MARK + 2)} ${round(end.y)}L${LABELS.x - 6} ${round(labelY)}"/>`;
  return `<g class="line l${place}"><path d="${path}" stroke-dasharray="${DASHES[place]}"/>${marks.join("")}${leader}<text x="${LABELS.x}" y="${round(labelY + 4)}">${escaped(name)}</text></g>`;
}

/** Every value in words, for those who do not see the lines. */
function describe({ lines, amount }: Pick<Chart, "lines" | "amount">): string {
  const said = lines.map(
    ({ name, points }) =>
      `${name}: ${points.map(({ times, value }) => `${amount(value)} at ${times.toLocaleString("en-GB")} ×`).join(", ")}.`,
  );
  return `Lines over the size of the club. ${said.join(" ")}`;
}

function styles(): string {
  const scheme = (name: keyof typeof COLOURS, ground: string, text: string, quiet: string, grid: string) =>
    `.ground{fill:${ground}}text{fill:${text}}.quiet{fill:${quiet}}.grid{stroke:${grid}}.guide{stroke:${quiet}}${COLOURS[name].map((colour, place) => `.l${place}{stroke:${colour}}.l${place} .mark{fill:${colour}}`).join("")}`;
  return `text{font:13px system-ui,sans-serif;stroke:none}.head{font-weight:600;font-size:16px}path{fill:none}.line path{stroke-width:2}.line .leader{stroke-width:1;opacity:.6}.mark{stroke:none}.guide{stroke-dasharray:1 4;stroke-width:1.5}${scheme("light", "#ffffff", "#1b1f24", "#4b545e", "#d5dae0")}@media (prefers-color-scheme: dark){${scheme("dark", "#12161b", "#eef1f4", "#a9b3bd", "#38414b")}}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
