import { parse } from "csv-parse/sync";
import { SaxesParser } from "saxes";
import { parsePounds } from "../money/money.ts";
import { FailuresFileError, type ReportedFailure } from "./provider.ts";
import type { PayoutReason } from "./rules.ts";

/** The codes of ARUCS, the Bacs service that returns credits which could not be applied. */
const ARUCS_CODES: Readonly<Record<string, { reason: PayoutReason; means: string }>> = {
  "0": { reason: "no_account", means: "invalid details" },
  "2": { reason: "payee_deceased", means: "payee deceased" },
  "3": { reason: "account_moved", means: "account moved to another bank" },
  "5": { reason: "no_account", means: "no such account" },
  B: { reason: "account_closed", means: "account closed" },
  C: { reason: "recalled", means: "called back by us" },
};

const MAX_LENGTH = 50_000_000;

/**
 * Reads the bank's report of payments that did not arrive: ARUCS in XML, or a CSV file with the columns reference, amount
 * and code. It is read as a whole or not at all.
 * @throws FailuresFileError that names what is wrong with each line, at most `MAX_NAMED`, and says what to do
 */
export function readFailures(text: string): ReportedFailure[] {
  if (text.length > MAX_LENGTH) throw new FailuresFileError("The file has more than 50 MB. Is it the right one?");
  const trimmed = text.replace(/^\uFEFF/, "").trimStart();
  const failures = trimmed.startsWith("<") ? readArucs(trimmed) : readCsv(trimmed);
  if (failures.length === 0) throw new FailuresFileError("The file names no returned payment.");
  return failures;
}

const MAX_NAMED = 20;

/** Reads each item. Where some can't be read, says so of all of them: one correction of the file is enough. */
function readAll<Read>(items: readonly Read[], read: (item: Read) => ReportedFailure): ReportedFailure[] {
  const problems: string[] = [];
  const found = items.flatMap((item) => {
    try {
      return [read(item)];
    } catch (error) {
      if (!(error instanceof FailuresFileError)) throw error;
      problems.push(error.message);
      return [];
    }
  });
  if (problems.length === 0) return found;
  const more = problems.length > MAX_NAMED ? ` ${problems.length - MAX_NAMED} more lines are wrong.` : "";
  throw new FailuresFileError(`${problems.slice(0, MAX_NAMED).join(" ")}${more}`);
}

interface Item {
  attributes: Readonly<Record<string, string>>;
  line: number;
  reference: string;
  depth: number;
}

/**
 * An item is an element with a return code and a value; banks name it ReturnedCreditItem. Our reference is its own `ref`,
 * or that of an account within it, whichever has the form of one of ours. If none has, the first is quoted.
 */
function readArucs(text: string): ReportedFailure[] {
  const found: Item[] = [];
  const open: Item[] = [];
  let depth = 0;
  let isArucs = false;
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw new FailuresFileError(`The file is no well-formed XML: ${error.message}. Export it again.`);
  });
  // An ARUCS report has none; entities could make a small file huge.
  parser.on("doctype", () => {
    throw new FailuresFileError("The file declares a document type, which no ARUCS report does.");
  });
  parser.on("opentag", ({ name, attributes }) => {
    depth += 1;
    if (name === "ARUCS") isArucs = true;
    const own = attributes as Record<string, string>;
    const inside = open.at(-1);
    if ("returnCode" in own && "valueOf" in own)
      open.push({ attributes: own, line: parser.line, reference: referenceIn(own["ref"]), depth });
    else if (inside && !isOurs(inside.reference)) {
      const reference = referenceIn(own["ref"]);
      if (inside.reference === "" || isOurs(reference)) inside.reference = reference;
    }
  });
  parser.on("closetag", () => {
    if (open.at(-1)?.depth === depth) found.push(open.pop()!);
    depth -= 1;
  });
  parser.write(text).close();
  if (!isArucs) throw new FailuresFileError("The file is no ARUCS report: it has no element ARUCS.");
  return readAll(found, failureOf);
}

function failureOf({ attributes, reference, line }: Item): ReportedFailure {
  const code = (attributes["returnCode"] ?? "").trim().toUpperCase();
  const description = (attributes["returnDescription"] ?? "").trim();
  if (attributes["currency"] !== undefined && attributes["currency"] !== "GBP")
    throw new FailuresFileError(`Line ${line}: the payment is in ${attributes["currency"]}, and ours are in GBP.`);
  return failure({ reference, amount: attributes["valueOf"] ?? "", code, description, line });
}

function readCsv(text: string): ReportedFailure[] {
  let rows: { record: Record<string, string>; info: { lines: number } }[];
  try {
    rows = parse(text, {
      columns: (header: string[]) => header.map((name) => name.trim().toLowerCase()),
      info: true,
      skip_empty_lines: true,
      trim: true,
    });
  } catch (error) {
    throw new FailuresFileError(`The file is no CSV file: ${(error as Error).message}. Export it again.`);
  }
  const header = Object.keys(rows[0]?.record ?? {});
  const missing = ["reference", "amount", "code"].filter((name) => !header.includes(name));
  if (missing.length > 0)
    throw new FailuresFileError(`The file has no column ${missing.join(", ")}. It needs reference, amount and code.`);
  return readAll(rows, ({ record, info }) =>
    failure({
      reference: referenceIn(record["reference"]),
      amount: record["amount"] ?? "",
      code: (record["code"] ?? "").toUpperCase(),
      description: record["description"] ?? "",
      line: info.lines,
    }),
  );
}

function failure(item: {
  reference: string;
  amount: string;
  code: string;
  description: string;
  line: number;
}): ReportedFailure {
  const amountPence = parsePounds(item.amount);
  if (item.reference === "")
    throw new FailuresFileError(
      `Line ${item.line}: the payment has no reference. Ours are FP and ten letters or digits.`,
    );
  if (amountPence === null || amountPence <= 0)
    throw new FailuresFileError(
      `Line ${item.line}: ${item.amount.slice(0, 20)} is not an amount in pounds, like 12.34.`,
    );
  if (item.code === "") throw new FailuresFileError(`Line ${item.line}: the payment has no code.`);
  const known = Object.hasOwn(ARUCS_CODES, item.code) ? ARUCS_CODES[item.code] : undefined;
  const description = item.description === "" ? "" : ` (${item.description})`;
  return {
    reference: item.reference,
    amountPence,
    reason: known?.reason ?? "refused",
    said: `${item.code}, ${known?.means ?? "a code that we don’t know"}${description}`.slice(0, 200).toWellFormed(),
  };
}

const OURS = /\bFP[A-Z0-9]{10}\b/;
const isOurs = (reference: string) => OURS.test(reference);

/** Returns our reference in a text; otherwise the text itself, max 40 characters: a payment that is not ours. */
function referenceIn(text: string | undefined): string {
  const typed = (text ?? "").trim();
  return OURS.exec(typed.toUpperCase())?.[0] ?? typed.slice(0, 40).toWellFormed();
}
