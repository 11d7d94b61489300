import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { fencedBlocks, root, type FencedBlock } from "./fenced-blocks.ts";

// An example that nobody runs goes stale unseen. Each block names the test that runs it or the reason why none does, in its info string.

/** Blocks that a test runs although their info string does not say so. */
const RUN_WITHOUT_INFO_STRING: { document: string; languages: string[]; by: string }[] = [
  { document: "docs/operations/brands.md", languages: ["sh"], by: "apps/server/commands/first-brand.test.ts" },
  {
    document: "docs/operations/behind-a-proxy.md",
    languages: ["nginx", "haproxy", "caddy"],
    by: "apps/server/http/behind-a-proxy.test.ts",
  },
];

/** Blocks that no test runs although their info string does not say so. */
const NOT_RUN_WITHOUT_INFO_STRING: { document: string; languages: string[]; reason: string }[] = [
  {
    document: "docs/operations/upgrading.md",
    languages: ["sql"],
    reason: "shows the form of a migration; the test of migrations holds the rule",
  },
];

/** Diagrams and wire formats, which nobody pastes. */
const NOT_CODE = "text";

function markdownBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && !name.includes("node_modules"))
    .map((name) => join(folder, name));
}

const documents = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...markdownBelow("docs"),
  ...["packages", "apps"].flatMap((folder) =>
    readdirSync(join(root, folder))
      .map((name) => join(folder, name, "README.md"))
      .filter((file) => existsSync(join(root, file))),
  ),
  "bench/README.md",
];
const blocks = documents.flatMap(fencedBlocks);
const where = ({ document, line }: FencedBlock) => `${document}, line ${line}`;

const listed = <Entry extends { document: string; languages: string[] }>(list: Entry[], block: FencedBlock) =>
  list.find(({ document, languages }) => document === block.document && languages.includes(block.language));

/** Returns the test that runs a block, or null. */
const runner = (block: FencedBlock): string | null => block.runBy ?? listed(RUN_WITHOUT_INFO_STRING, block)?.by ?? null;

/** Returns why no test runs a block, or null. */
const excuse = (block: FencedBlock): string | null =>
  block.notRun?.trim() || (listed(NOT_RUN_WITHOUT_INFO_STRING, block)?.reason ?? null);

describe("examples in the documents", () => {
  test("every code block names a language, which highlights it", () => {
    expect(blocks.filter(({ language }) => language === "").map(where)).toEqual([]);
  });

  test('every code block is run by a test (run-by=path) or says why not (not-run="reason")', () => {
    const unaccounted = blocks.filter(
      (block) => block.language !== NOT_CODE && runner(block) === null && excuse(block) === null,
    );
    expect(blocks.length).toBeGreaterThan(40);
    expect(unaccounted.map(where)).toEqual([]);
  });

  test("no code block says that it is run and that it is not", () => {
    expect(blocks.filter(({ runBy, notRun }) => runBy !== null && notRun !== null).map(where)).toEqual([]);
  });

  test("the test that runs a code block exists and reads that document", () => {
    const wrong = blocks.filter((block) => {
      const by = runner(block);
      if (by === null) return false;
      return !existsSync(join(root, by)) || !readFileSync(join(root, by), "utf8").includes(basename(block.document));
    });
    expect(wrong.map((block) => `${where(block)}: ${runner(block)}`)).toEqual([]);
  });
});
