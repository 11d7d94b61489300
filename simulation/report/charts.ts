/** Charts as SVG inside the page: no library, no script. Colours are the page's, by class. */

const WIDTH = 920;
const HEIGHT = 300;
const LEFT = 68;
const RIGHT = 16;
const TOP = 12;
const BOTTOM = 30;

export interface Series {
  name: string;
  values: readonly number[];
}

const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const month = new Intl.DateTimeFormat("en-GB", { month: "short", year: "2-digit", timeZone: "UTC" });

export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

/** Returns areas on top of each other: the height is the sum. */
export function stackedAreas(
  times: readonly Date[],
  series: readonly Series[],
  { title, format }: { title: string; format: (value: number) => string },
): string {
  const totals = times.map((_, index) => series.reduce((sum, { values }) => sum + values[index]!, 0));
  const max = niceMax(Math.max(...totals, 1));
  const { x, y } = scales(times, max);
  let below = times.map(() => 0);
  const areas = series.map(({ name, values }, at) => {
    const above = below.map((value, index) => value + values[index]!);
    const top = above.map((value, index) => `${x(times[index]!)},${y(value)}`);
    const bottom = below.map((value, index) => `${x(times[index]!)},${y(value)}`).reverse();
    below = above;
    return `<polygon class="fill-${at + 1}" points="${[...top, ...bottom].join(" ")}"><title>${escapeHtml(name)}</title></polygon>`;
  });
  return frame(title, `${gridLines(max, y, format)}${areas.join("")}${timeLabels(times, x)}`) + legend(series);
}

/** Returns one bar for each moment. */
export function bars(
  times: readonly Date[],
  values: readonly number[],
  { title, format, marks }: { title: string; format: (value: number) => string; marks: readonly boolean[] },
): string {
  const max = niceMax(Math.max(...values, 1));
  const { y } = scales(times, max);
  const room = (WIDTH - LEFT - RIGHT) / times.length;
  const x = (index: number) => LEFT + index * room;
  const drawn = values.map((value, index) => {
    const label = `${day.format(times[index])}: ${format(value)}`;
    const mark = marks[index] ? `<circle class="mark" cx="${round(x(index) + room / 2)}" cy="${TOP + 4}" r="4"/>` : "";
    const [top, height] = [y(value), round(y(0) - y(value))];
    return `<g><title>${escapeHtml(label)}</title><rect class="fill-4" x="${round(x(index) + room * 0.12)}" y="${top}" width="${round(room * 0.76)}" height="${height}"/>${mark}</g>`;
  });
  const middle = (at: Date) => round(x(times.indexOf(at)) + room / 2);
  return frame(title, `${gridLines(max, y, format)}${drawn.join("")}${timeLabels(times, middle)}`);
}

function scales(times: readonly Date[], max: number) {
  const [first, last] = [times[0]?.getTime() ?? 0, times.at(-1)?.getTime() ?? 1];
  return {
    x: (at: Date) => round(LEFT + ((at.getTime() - first) / Math.max(last - first, 1)) * (WIDTH - LEFT - RIGHT)),
    y: (value: number) => round(TOP + (1 - value / max) * (HEIGHT - TOP - BOTTOM)),
  };
}

function gridLines(max: number, y: (value: number) => number, format: (value: number) => string): string {
  return [0, 0.25, 0.5, 0.75, 1]
    .map((part) => {
      const at = y(max * part);
      return `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}"/><text class="tick" x="${LEFT - 8}" y="${at + 4}" text-anchor="end">${escapeHtml(format(max * part))}</text>`;
    })
    .join("");
}

function timeLabels(times: readonly Date[], x: (at: Date) => number): string {
  const span = (times.at(-1)?.getTime() ?? 0) - (times[0]?.getTime() ?? 0);
  const format = span > 100 * 86_400_000 ? month : day;
  const every = Math.max(1, Math.ceil(times.length / 9));
  return times
    .filter((_, index) => index % every === 0)
    .map((at) => `<text class="tick" x="${x(at)}" y="${HEIGHT - 8}" text-anchor="middle">${format.format(at)}</text>`)
    .join("");
}

function frame(title: string, inside: string): string {
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(title)}">${inside}</svg>`;
}

function legend(series: readonly Series[]): string {
  const items = series.map(({ name }, at) => `<li><span class="swatch back-${at + 1}"></span>${escapeHtml(name)}</li>`);
  return `<ul class="legend">${items.join("")}</ul>`;
}

/** Returns the next round number whose quarters are round too. */
function niceMax(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 4, 6, 8, 10].find((step) => step * power >= value) ?? 10);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
