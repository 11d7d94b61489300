import type { Summary } from "./samples.ts";
import { groups, type Group, type Growth, type Verdict } from "./verdicts.ts";

const verdicts: Readonly<Record<Verdict, string>> = {
  flat: "as allowed",
  noise: "within noise",
  grows: "**grows**",
  unknown: "not measured",
};

/** Returns the table in Markdown, its columns padded as the formatter pads them. */
export function growthTable(growths: readonly Growth[], sizes: readonly number[]): string {
  const [first, last] = [sizes[0]!, sizes.at(-1)!];
  const head = [
    "What",
    ...sizes.map((times) => `p50 at ${times} ×`),
    `p99 at ${first} ×`,
    `p99 at ${last} ×`,
    "Exponent",
    "of p99",
    "May grow with",
    "",
  ];
  const rows = inGroups(growths).flatMap(([, list]) =>
    list.map((growth) => [
      growth.name,
      ...sizes.map((times) => median(growth, growth.at.get(times))),
      tail(growth, growth.at.get(first)),
      tail(growth, growth.at.get(last)),
      exponentText(growth.exponent),
      growth.unit === "ms" ? exponentText(growth.tailExponent) : "",
      growth.allowed === "logarithm" ? "the logarithm" : "the club",
      verdicts[growth.verdict],
    ]),
  );
  const isText = (column: number) => column === 0 || column >= head.length - 2;
  return markdownTable(head, rows, isText);
}

/** Returns the figures by group, in the order of the groups; those without figures are left out. */
export function inGroups(growths: readonly Growth[]): [Group, Growth[]][] {
  const by = Map.groupBy(growths, ({ group }) => group);
  return (Object.keys(groups) as Group[])
    .map((group): [Group, Growth[]] => [group, by.get(group) ?? []])
    .filter(([, list]) => list.length > 0);
}

export function exponentText(exponent: number | null): string {
  return exponent === null ? "–" : exponent.toFixed(2).replace(/^-(0\.00)$/, "$1");
}

/** Returns a value with its unit, to three digits or so. */
export function amount(value: number, unit: Growth["unit"]): string {
  const [shown, name] = value < 10_000 ? [value, unit] : [value / 1_000, unit === "ms" ? "s" : "GB"];
  return `${shown < 10 ? shown.toFixed(shown < 1 ? 2 : 1) : Math.round(shown).toLocaleString("en-GB")} ${name}`;
}

/** The plain selects beside a time make it comparable with one of another machine, or of a busier hour. */
function median({ unit }: Growth, summary: Summary | undefined): string {
  if (!summary) return "–";
  return unit === "ms"
    ? `${amount(summary.p50, unit)} (${Math.round(summary.compared).toLocaleString("en-GB")})`
    : amount(summary.p50, unit);
}

function tail({ unit }: Growth, summary: Summary | undefined): string {
  if (unit !== "ms") return "";
  return summary ? amount(summary.p99, unit) : "–";
}

function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  isText: (column: number) => boolean,
): string {
  const widths = head.map((title, column) => Math.max(3, title.length, ...rows.map((row) => row[column]!.length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (isText(column) ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join(" | ")} |`;
  const rule = widths.map((width, column) => (isText(column) ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  return [line(head), `| ${rule.join(" | ")} |`, ...rows.map(line)].join("\n");
}
