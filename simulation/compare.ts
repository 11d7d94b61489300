import type { Books } from "./books.ts";
import type { MemberBrowser } from "./member-browser.ts";
import { accountsOf, dayOf, memberName, type Line, type Sale, type Truth } from "./truth.ts";

/** Something that the club has otherwise than it must be. */
export interface Difference {
  what: "books" | "timeline" | "page" | "payout" | "mischief" | "claim" | "unexplained" | "lost";
  text: string;
}

const pounds = (pence: number) => `${pence < 0 ? "-" : ""}${(Math.abs(pence) / 100).toFixed(2)}`;
const COLUMNS = 13;
const words = { tracked: "Pending", confirmed: "Confirmed", payable: "Yours", paid: "Paid", declined: "Declined" };

/** Returns a line as the member's table must have it, without the click's number and the reason. */
function rowOf({ sale, isCorrection, state, salePence, cashbackPence, on }: Line): string {
  const days = (["tracked", "confirmed", "payable", "paid", "declined"] as const).map((name) => on[name] ?? "");
  return [
    sale.plan.shop.name,
    isCorrection ? "Correction" : "Purchase",
    words[state],
    dayOf(sale.purchasedAt),
    pounds(salePence),
    pounds(cashbackPence),
    ...days,
  ].join(" | ");
}

/** Compares the table of purchases that the member downloads, with every state and its day. */
export async function compareTimeline(
  browser: MemberBrowser,
  member: number,
  sales: readonly Sale[],
): Promise<Difference[]> {
  const answer = await browser.getSignedIn("/money/purchases.csv");
  const { text } = answer;
  const differences: Difference[] = [];
  if (answer.status !== 200)
    return [{ what: "page", text: `${memberName(member)}: /money/purchases.csv was answered ${answer.status}` }];
  const found = text
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => {
      const cells = parseLine(line);
      const [, name, kind, state, bought, sale, cashback, reason, ...days] = cells.slice(0, COLUMNS);
      if ((state === "Declined" || kind === "Correction") && !reason)
        differences.push({ what: "unexplained", text: `${memberName(member)}: ${line}` });
      return [name, kind, state, bought, sale, cashback, ...days].join(" | ");
    });
  const wanted = sales
    .flatMap(({ lines }) => lines)
    .filter((line) => !line.isCorrection || line.cashbackPence !== 0)
    .map((line) => rowOf(line));
  const extra = without(found, wanted);
  const missing = without(wanted, found);
  for (const row of missing) differences.push({ what: "timeline", text: `${memberName(member)} lacks: ${row}` });
  for (const row of extra) differences.push({ what: "timeline", text: `${memberName(member)} has: ${row}` });
  return differences;
}

function without(rows: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return rows.filter((row) => {
    const at = left.indexOf(row);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function parseLine(line: string): string[] {
  return [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell = ""]) =>
    cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
  );
}

/** Compares the four balances on the member's page. */
export async function comparePage(
  browser: MemberBrowser,
  member: number,
  accounts: ReadonlyMap<string, number>,
): Promise<Difference[]> {
  const { text: html } = await browser.getSignedIn("/money");
  const shown = [
    ...(/<dl class="balances">([\s\S]*?)<\/dl>/.exec(html)?.[1] ?? "").matchAll(/<dd[^>]*>([\s\S]*?)<\/dd>/g),
  ].map(([, cell = ""]) =>
    cell
      .replace(/<[^>]*>/g, "")
      .replaceAll("−", "-")
      .replace(/[^-.\d]/g, ""),
  );
  const wanted = ["member_payable", "member_confirmed", "member_tracked", "member_paid"].map((kind) =>
    pounds(accounts.get(`${kind} ${memberName(member)}`) ?? 0),
  );
  return shown.join(" ") === wanted.join(" ")
    ? []
    : [{ what: "page", text: `${memberName(member)} sees ${shown.join(", ")} instead of ${wanted.join(", ")}` }];
}

/** Compares every account of the ledger, to the penny. */
export async function compareBooks(books: Books, truth: Truth): Promise<Difference[]> {
  const wanted = accountsOf(truth);
  const found = await books.accounts();
  const differences: Difference[] = [];
  for (const account of new Set([...wanted.keys(), ...found.keys()])) {
    const [is, must] = [found.get(account) ?? 0, wanted.get(account) ?? 0];
    if (is !== must)
      differences.push({ what: "books", text: `${account.trim()} holds ${pounds(is)} instead of ${pounds(must)}` });
  }
  const unbalanced = await books.unbalanced();
  if (unbalanced > 0) differences.push({ what: "books", text: `${unbalanced} transfers do not sum to zero` });
  return differences;
}

/** Compares what was credited to nobody, and that nothing exists which the networks do not know. */
export async function compareMischief(books: Books, sales: readonly Sale[]): Promise<Difference[]> {
  const reported = sales.filter(({ seen }) => seen !== null);
  const held = await books.held();
  const count = (reference: string) =>
    reported.filter(({ plan, isClaimed }) => plan.reference === reference && !isClaimed).length;
  const transactions = await books.transactions();
  const expected: [string, number, number][] = [
    ["purchases known", transactions, reported.length],
    ["purchases without a reference", held.get("no_reference") ?? 0, count("lost")],
    ["purchases with another shop's reference", held.get("other_retailer") ?? 0, count("other-shop")],
    [
      "purchases held for other reasons",
      [...held.values()].reduce((a, b) => a + b, 0),
      count("lost") + count("other-shop"),
    ],
  ];
  return expected
    .filter(([, is, must]) => is !== must)
    .map(([what, is, must]) => ({ what: "mischief", text: `${what}: ${is} instead of ${must}` }));
}
