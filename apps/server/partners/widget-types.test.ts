import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compileWith } from "./compile-types.testing.ts";

describe("W6 the types of the widget's events", () => {
  const documented = readFileSync(new URL("../../../docs/widget.md", import.meta.url), "utf8");

  /** Returns the row of the table of events. */
  const rowOf = (type: string) => documented.split("\n").find((line) => line.startsWith(`| \`${type}\` `)) ?? "";
  /** Returns the words in code between two others, each once. */
  function wordsBetween(text: string, start: string, end: string): string[] {
    const part = text.slice(text.indexOf(start) + start.length, text.indexOf(end));
    return [...new Set([...part.matchAll(/`([a-z_]+)`/g)].map(([, word = ""]) => word))];
  }
  const table = documented.slice(documented.indexOf("| `reason` "));
  const ofFrame = [...table.slice(0, table.indexOf("\n\n")).matchAll(/^\| `([\w-]+)` /gm)]
    .map(([, word = ""]) => word)
    .slice(1);
  const ofWidget = wordsBetween(rowOf("LOAD_ERROR"), "`reason` is", "or what the frame's page reports");
  const codes = wordsBetween(rowOf("PAYMENT_ERROR"), "`code` is", "`declineCode` is why");

  const unionOf = (words: string[]) => words.map((word) => JSON.stringify(word)).join(" | ");
  const literals = `type Literals<T> = T extends string ? (string extends T ? never : T) : never;`;
  const compile = (code: string) =>
    compileWith("messages.ts", ["LoadErrorReason", "PaymentProblem"], `${literals}\n${code}`);

  test("W6 every reason of LOAD_ERROR and code of PAYMENT_ERROR in docs/widget.md is a literal of its type, and no other", () => {
    expect([ofFrame.length, ofWidget.length, codes.length]).toEqual([10, 5, 4]);
    const said = compile(
      `export const reasons: Same<Literals<LoadErrorReason>, ${unionOf([...ofWidget, ...ofFrame])}> = true;
       export const codes: Same<Literals<PaymentProblem["code"]>, ${unionOf(codes)}> = true;`,
    );
    expect(said).toBe("");
  });

  test("W6 a reason or a code that is newer than the types compiles, because it arrives as well", () => {
    const said = compile(
      `export const reason: LoadErrorReason = "of-a-newer-page";
       export const problem: PaymentProblem = { message: "Your card was declined.", code: "card_declined" };`,
    );
    expect(said).toBe("");
  });

  test("W6 what the service reports of its own pages is among the documented reasons", () => {
    const source = readFileSync(new URL("../http/plain-page.ts", import.meta.url), "utf8");
    const [, union = ""] = /export type FrameProblem =([^;]*);/.exec(source) ?? [];
    const reported = [...union.matchAll(/"([\w-]+)"/g)].map(([, word = ""]) => word);
    expect(reported.length).toBeGreaterThan(0);
    expect(ofFrame).toEqual(expect.arrayContaining(reported));
  });
});
