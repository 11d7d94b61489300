import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { drawChart, MAX_LINES } from "./chart.ts";
import { amount, growthTable, inGroups } from "./table.ts";
import { groups, type Group, type Growth } from "./verdicts.ts";

const OPERATIONS = path.resolve(import.meta.dirname, "../../docs/operations");
const MARKS = { from: "<!-- growth: from here written by bench/growth -->", to: "<!-- growth: up to here -->" };

export interface Written {
  sizes: readonly number[];
  measuredAt: Date;
  /** What it was measured on, such as "2 processors (…)". */
  machine: string;
}

/**
 * Writes a chart of each group and the whole table to docs/operations/growth, and a table into docs/operations/scale.md between its marks, which has of
 * the admin only what grows.
 */
export function writeResults(growths: readonly Growth[], written: Written): void {
  const folder = path.join(OPERATIONS, "growth");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const drawn = inGroups(growths);
  for (const [group, list] of drawn)
    writeFileSync(path.join(folder, `${group}.svg`), chartOf(group, list, written.sizes));
  writeFileSync(
    path.join(folder, "all.md"),
    `# What grows with the club: every figure\n\nWritten by \`npm run bench -- growth\`; [scale.md](../scale.md#what-grows-with-the-club) explains it.\n\n${growthTable(growths, written.sizes)}\n`,
  );
  const file = path.join(OPERATIONS, "scale.md");
  const text = replaceBetweenMarks(readFileSync(file, "utf8"), sectionOf(growths, drawn, written));
  writeFileSync(file, text);
  console.log(`Wrote ${drawn.length} charts to docs/operations/growth, and the table into docs/operations/scale.md.`);
}

/** @throws Error if the document has not both marks, in their order */
export function replaceBetweenMarks(document: string, section: string): string {
  const [from, to] = [document.indexOf(MARKS.from), document.indexOf(MARKS.to)];
  if (from < 0 || to < from) throw new Error(`docs/operations/scale.md needs the lines ${MARKS.from} and ${MARKS.to}.`);
  return `${document.slice(0, from + MARKS.from.length)}\n\n${section.trim()}\n\n${document.slice(to)}`;
}

function sectionOf(growths: readonly Growth[], drawn: readonly [Group, Growth[]][], written: Written): string {
  const { sizes, measuredAt, machine } = written;
  const growing = growths.filter(({ verdict }) => verdict === "grows").map(({ name }) => name);
  const day = measuredAt.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
  const pictures = drawn.map(([group, list]) => `![${groups[group]}: ${inWords(list)}](growth/${group}.svg)`);
  return `Measured on ${day}, ${machine}. ${growing.length === 0 ? "Nothing grows faster than it may." : `Faster than it may grow: ${growing.join("; ")}.`}

${growthTable(
  growths.filter(({ group, verdict }) => group !== "admin" || verdict === "grows"),
  sizes,
)}

[Every figure](growth/all.md) has the admin's other screens too.

${pictures.join("\n\n")}`;
}

/** What a picture shows, in a sentence; the table has the rest. */
function inWords(list: readonly Growth[]): string {
  const exponents = list.flatMap(({ exponent }) => (exponent === null ? [] : [exponent]));
  if (exponents.length === 0) return "not measured at both ends";
  return `exponents from ${Math.min(...exponents).toFixed(2)} to ${Math.max(...exponents).toFixed(2)}`;
}

/** Draws medians; of more figures than a chart has lines, those that grow most. */
function chartOf(group: Group, list: readonly Growth[], sizes: readonly number[]): string {
  const shown = list.toSorted((one, other) => (other.exponent ?? -1) - (one.exponent ?? -1)).slice(0, MAX_LINES);
  const unit = list[0]!.unit;
  return drawChart({
    id: `growth-${group}`,
    title: `${groups[group]}${shown.length < list.length ? `: the ${MAX_LINES} of ${list.length} that grow most` : ""}`,
    lines: shown.map(({ name, at }) => ({
      name,
      points: sizes.flatMap((times) => {
        const summary = at.get(times);
        return summary ? [{ times, value: summary.p50 }] : [];
      }),
    })),
    sizes,
    amount: (value) => amount(value, unit),
  });
}
