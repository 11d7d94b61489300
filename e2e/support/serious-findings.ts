import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import type { Frame, Page } from "@playwright/test";
import { untilStill } from "./until-still.ts";

const require = createRequire(import.meta.url);
/** The source of the axe version that @axe-core/playwright uses. */
const source = readFileSync(
  createRequire(require.resolve("@axe-core/playwright")).resolve("axe-core/axe.min.js"),
  "utf8",
);

/** The rules about what the colour scheme, the theme and the width change; all others judge the markup. */
export const rulesOfLooks = ["color-contrast", "link-in-text-block", "target-size", "scrollable-region-focusable"];

interface Axe {
  run: (context: Document, options: object) => Promise<{ violations: Violation[] }>;
}
interface Violation {
  id: string;
  help: string;
  impact: string | null;
  nodes: { target: unknown[] }[];
}

/**
 * Returns a line for each element in which axe finds something serious or critical (U1), in the page's current document and in the frames that it
 * shows, for the given rules or all. Injects axe once per document, because the injection of @axe-core/playwright takes longer than the check.
 */
export async function seriousFindings(page: Page, { rules }: { rules?: string[] } = {}): Promise<string[]> {
  const found: string[] = [];
  for (const frame of page.frames()) {
    if (frame !== page.mainFrame() && !(await isSeen(frame))) continue;
    found.push(...(await findingsIn(frame, rules ?? null)));
  }
  return found;
}

/** Says whether a frame has a document and takes up room. Providers' hidden frames have neither words nor controls. */
async function isSeen(frame: Frame): Promise<boolean> {
  if (!/^https?:/.test(frame.url())) return false;
  const owner = await frame.frameElement();
  return owner.isVisible();
}

async function findingsIn(frame: Frame, rules: string[] | null): Promise<string[]> {
  await untilStill(frame);
  if (!(await frame.evaluate(() => "axe" in window))) await frame.evaluate(source);
  const violations = await frame.evaluate(async (only) => {
    const { axe } = window as unknown as { axe: Axe };
    const options = {
      resultTypes: ["violations"],
      iframes: false,
      ...(only && { runOnly: { type: "rule", values: only } }),
    };
    return (await axe.run(document, options)).violations;
  }, rules);
  const bad = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  return bad.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id} (${help}): ${target.join(" ")}`));
}
