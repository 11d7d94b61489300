import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { simulate } from "../run.ts";
import type { Scale } from "../scale.ts";
import { breaks, shuffledPasses } from "./breaks.ts";
import type { Break, Fault } from "./faults.ts";

/** The members' pages as the server runs them. */
const BUILT_PAGES = "apps/site/build/server/create-site.js";

/** What the simulation said of a broken rule; null: nothing. */
export interface Caught {
  rule: string;
  by: string | null;
  seconds: number;
}

/** Returns the faults that no longer apply: their text is not in the club's code exactly once. */
export function brokenFaults(): Break[] {
  return [...breaks, { rule: "Passes of a report come in any order", fault: shuffledPasses }].filter(
    ({ fault: { file, find } }) => !isOnceIn(file, find),
  );
}

/** Returns the faults of rules that the pages keep whose text is not in the pages' build exactly once. */
export function faultsLostInPages(): Break[] {
  return breaks.filter(({ isInPages, fault: { find } }) => isInPages && !isOnceIn(BUILT_PAGES, find));
}

function isOnceIn(file: string, text: string): boolean {
  const path = fileURLToPath(new URL(`../../${file}`, import.meta.url));
  return readFileSync(path, "utf8").split(text).length === 2;
}

/** Breaks one rule after the other, each in a club of its own, until the simulation notices it. */
export async function runBreaks(scale: Scale, tell: (line: string) => void, only?: string): Promise<Caught[]> {
  const lost = brokenFaults();
  if (lost.length > 0)
    throw new Error(
      `These faults no longer apply: mend simulation/breaks/breaks.ts.\n${lost.map(({ rule }) => `  ${rule}`).join("\n")}`,
    );
  const caught: Caught[] = [];
  for (const { rule, fault, isInPages } of breaks.filter((one) => only === undefined || one.rule.includes(only))) {
    const began = performance.now();
    const by = await firstSign(scale, isInPages ? [fault, { ...fault, file: BUILT_PAGES }] : [fault]);
    caught.push({ rule, by, seconds: (performance.now() - began) / 1000 });
    tell(`${by === null ? "MISSED" : "caught"}  ${rule}\n        ${by ?? "the simulation noticed nothing"}`);
  }
  return caught;
}

async function firstSign(scale: Scale, faults: readonly Fault[]): Promise<string | null> {
  const { differences, plantedFiles } = await simulate(scale, { tell: () => {}, faults, stopsEarly: true });
  for (const { file } of faults)
    if (!plantedFiles.includes(file)) throw new Error(`${file} was never loaded: its fault was not planted.`);
  return differences[0] ? `${differences[0].what}: ${differences[0].text}` : null;
}
