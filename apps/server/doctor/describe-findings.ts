import type { NamedFinding } from "./examine.ts";
import { counted } from "./finding.ts";

/** Returns the lines of the table: level, check, sentence, and below it what to do. */
export function describeFindings(findings: readonly NamedFinding[]): string[] {
  const width = Math.max(0, ...findings.map(({ check }) => check.length));
  const lines = findings.flatMap(({ level, check, says, remedy }) => [
    `${level.padEnd(5)}  ${check.padEnd(width)}  ${says}`,
    ...(remedy === null ? [] : [`${" ".repeat(width + 9)}${remedy}`]),
  ]);
  const count = (level: NamedFinding["level"]) => findings.filter((finding) => finding.level === level).length;
  return [...lines, "", `${counted(count("wrong"), "fault")}, ${count("look")} to look at, ${count("ok")} in order`];
}

/** Returns the findings for programs: one JSON document. `ok` is true without a fault. */
export function findingsAsJson(findings: readonly NamedFinding[]): string {
  return JSON.stringify({ ok: !hasFault(findings), findings }, null, 2);
}

export function hasFault(findings: readonly NamedFinding[]): boolean {
  return findings.some(({ level }) => level === "wrong");
}
