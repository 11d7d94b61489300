import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";

const require = createRequire(import.meta.url);
/** The source of the axe version that @axe-core/playwright uses. */
const source = readFileSync(
  createRequire(require.resolve("@axe-core/playwright")).resolve("axe-core/axe.min.js"),
  "utf8",
);

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
 * Returns a line for each element in which axe finds something serious or critical in the page's current document (U1), for the given rules or
 * all. Injects axe once per opened page, because the injection of @axe-core/playwright takes longer than the check.
 */
export async function seriousFindings(page: Page, { rules }: { rules?: string[] } = {}): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  const violations = await page.evaluate(async (only) => {
    const { axe } = window as unknown as { axe: Axe };
    const options = {
      resultTypes: ["violations"],
      iframes: false,
      ...(only && { runOnly: { type: "rule", values: only } }),
    };
    return (await axe.run(document, options)).violations;
  }, rules ?? null);
  const bad = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  return bad.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id} (${help}): ${target.join(" ")}`));
}
