import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The checkout's root. */
export const root = join(import.meta.dirname, "../..");

/** A fenced code block of a Markdown document. */
export interface FencedBlock {
  /** Path of the document, relative to the root. */
  document: string;
  /** Line number of the opening fence. */
  line: number;
  /** First word of the info string: "sh", "json"; empty where there is none. */
  language: string;
  /** The test file that runs the block: `run-by=path`. */
  runBy: string | null;
  /** Why no test runs the block: `not-run="reason"`. */
  notRun: string | null;
  text: string;
}

/** Returns the fenced code blocks of a document, in order. @throws Error where a fence is never closed */
export function fencedBlocks(document: string): FencedBlock[] {
  const blocks: FencedBlock[] = [];
  let open: (FencedBlock & { indent: string; lines: string[] }) | null = null;
  for (const [index, line] of readFileSync(join(root, document), "utf8").split("\n").entries()) {
    const fence = /^(\s*)```(.*)$/.exec(line);
    if (!open && fence) {
      const [, indent = "", info = ""] = fence;
      open = { document, line: index + 1, ...readInfo(info), text: "", indent, lines: [] };
    } else if (open && fence?.[2] === "") {
      const { indent: _indent, lines, ...block } = open;
      blocks.push({ ...block, text: `${lines.join("\n")}\n` });
      open = null;
    } else if (open) open.lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line);
  }
  if (open) throw new Error(`${document}, line ${open.line}: close this code block with a line of three backticks.`);
  return blocks;
}

/** Reads an info string such as `sh not-run="needs systemd"`. */
function readInfo(info: string): Pick<FencedBlock, "language" | "runBy" | "notRun"> {
  const attribute = (name: string) => new RegExp(`\\s${name}=(?:"([^"]*)"|(\\S+))`).exec(info);
  const runBy = attribute("run-by");
  const notRun = attribute("not-run");
  return {
    language: /^\s*([\w-]*)/.exec(info)?.[1] ?? "",
    runBy: runBy?.[1] ?? runBy?.[2] ?? null,
    notRun: notRun?.[1] ?? notRun?.[2] ?? null,
  };
}

/** Returns the text of the one block of a document that contains `words`. @throws Error where there is none, or more than one */
export function example(document: string, words: string): string {
  const [found, ...others] = fencedBlocks(document).filter(({ text }) => text.includes(words));
  if (!found || others.length > 0)
    throw new Error(
      `${document} has ${others.length + (found ? 1 : 0)} code blocks with "${words}"; a test needs one.`,
    );
  return found.text;
}
