import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";

const require = createRequire(import.meta.url);
/** The very axe that @axe-core/playwright brings. */
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
 * What axe finds serious or critical in the page's own document as it is now (product.md U1), a line for each element; of the given rules alone
 * where some are. Brings axe once for each page that is opened: with @axe-core/playwright that takes longer than looking.
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
