import { formatPence, formatPounds } from "@farthing/core/money/money.ts";
import type { ReportChart } from "@farthing/core/reports/report-table.ts";
import { scaleLinear, scalePoint } from "d3-scale";
import { line } from "d3-shape";
import { dayText } from "./moment.tsx";

/** Bars that a chart shows; its table has the rest. */
const MAX_BARS = 15;
/** Dates under a chart. */
const MAX_DATES = 7;
/** Points that are drawn as dots on their line. */
const MAX_DOTS = 31;

const WIDTH = 720;
const HEIGHT = 230;
const LEFT = 64;
const RIGHT = 14;
const TOP = 10;
const BOTTOM = 26;

type Unit = ReportChart["unit"];

/**
 * A chart, drawn on the server. It is hidden from screen readers: the table beside it has the same figures. Lines differ by
 * their dashes as well as by colour.
 */
export function Chart({ chart }: { chart: ReportChart }) {
  const isEmpty =
    chart.kind === "bars"
      ? chart.bars.every(({ value }) => value === 0)
      : chart.series.every(({ values }) => values.every((value) => value === 0));
  return (
    <figure className="chart panel">
      <figcaption className="chart-title">{chart.title}</figcaption>
      {isEmpty ? (
        <p className="soft">Nothing in this range.</p>
      ) : chart.kind === "bars" ? (
        <Bars {...chart} />
      ) : (
        <Lines {...chart} />
      )}
    </figure>
  );
}

function Bars({ bars, unit }: Extract<ReportChart, { kind: "bars" }>) {
  const shown = bars.slice(0, MAX_BARS);
  const length = scaleLinear([0, Math.max(...shown.map(({ value }) => value))], [0, 100]);
  return (
    <>
      <ul className="chart-bars" aria-hidden="true">
        {shown.map(({ label, value }, at) => (
          <li key={at}>
            <span>{label}</span>
            <svg viewBox="0 0 100 10" preserveAspectRatio="none">
              <rect className="track" width="100" height="10" />
              <rect width={tenth(Math.max(0, length(value)))} height="10" />
            </svg>
            <strong className="number">{exactly(value, unit)}</strong>
          </li>
        ))}
      </ul>
      {bars.length > MAX_BARS && (
        <p className="soft">
          The first {MAX_BARS} of {bars.length}; the table has all.
        </p>
      )}
    </>
  );
}

function Lines({ days, step, series, unit }: Extract<ReportChart, { kind: "lines" }>) {
  const values = series.flatMap((each) => each.values);
  const x = scalePoint(days, [LEFT, WIDTH - RIGHT]);
  const y = scaleLinear([Math.min(0, ...values), Math.max(1, ...values)], [HEIGHT - BOTTOM, TOP]).nice(4);
  // Counts and pence are whole: a scale of few has no steps between them.
  const ticks = y.ticks(4).filter(Number.isInteger);
  const every = Math.ceil(days.length / MAX_DATES);
  const place = (at: number) => tenth(x(days[at] ?? "") ?? LEFT);
  const path = line<number>(
    (_, at) => place(at),
    (value) => tenth(y(value)),
  );
  return (
    <>
      <svg className="chart-lines" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        {ticks.map((tick) => (
          <g key={tick}>
            <line className="rule" x1={LEFT} x2={WIDTH - RIGHT} y1={tenth(y(tick))} y2={tenth(y(tick))} />
            <text x={LEFT - 8} y={tenth(y(tick))} dy="0.32em" textAnchor="end">
              {roughly(tick, unit)}
            </text>
          </g>
        ))}
        {days.map((day, at) =>
          at % every === 0 ? (
            <text key={day} x={place(at)} y={HEIGHT - 6} textAnchor={anchorAt(place(at))}>
              {dayText(day, step)}
            </text>
          ) : null,
        )}
        {series.map(({ name, values: own }, index) => (
          <g key={name} className={`series is-${index + 1}`}>
            <path d={path(own) ?? ""} />
            {own.length <= MAX_DOTS &&
              own.map((value, at) => (
                <circle key={days[at]} cx={place(at)} cy={tenth(y(value))} r="2.5">
                  <title>{`${dayText(days[at] ?? "", step)}, ${name}: ${exactly(value, unit)}`}</title>
                </circle>
              ))}
          </g>
        ))}
      </svg>
      <ul className="chart-legend" aria-hidden="true">
        {series.map(({ name }, index) => (
          <li key={name}>
            <svg viewBox="0 0 28 8" className={`series is-${index + 1}`}>
              <path d="M0,4L28,4" />
            </svg>
            {name}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Coordinates with one decimal: more is not seen, and is sent. */
const tenth = (value: number) => Math.round(value * 10) / 10;

/** Texts at the ends stay inside the picture. */
const anchorAt = (place: number) => (place > WIDTH - 50 ? "end" : "middle");

/** Returns a value as the table has it. */
export function exactly(value: number, unit: Unit): string {
  return unit === "money" ? formatPence(value) : unit === "percent" ? `${value} %` : value.toLocaleString("en-GB");
}

const short = new Intl.NumberFormat("en-GB", { notation: "compact" });

function roughly(value: number, unit: Unit): string {
  if (unit === "percent") return `${value} %`;
  if (unit === "count") return short.format(value);
  // From a thousand pounds on, a scale has no pence.
  return Math.abs(value) >= 1_000_00
    ? `${value < 0 ? "\u2212" : ""}£${short.format(Math.abs(value) / 100)}`
    : formatPounds(value);
}
