import type { Result } from "../run.ts";
import { networks } from "../shops.ts";
import { sum, type Sale } from "../truth.ts";
import { bars, escapeHtml, stackedAreas } from "./charts.ts";
import { REPORT_STYLE } from "./report-style.ts";

const wholePounds = new Intl.NumberFormat("en-GB", { style: "currency", currency: "GBP", maximumFractionDigits: 0 });
const money = new Intl.NumberFormat("en-GB", { style: "currency", currency: "GBP" });
const many = new Intl.NumberFormat("en-GB");
const longDay = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

const count = (times: number, noun: string, nouns = `${noun}s`) =>
  `${many.format(times)} ${times === 1 ? noun : nouns}`;

export interface Proof {
  name: string;
  /** Zero is what is wanted. */
  faults: number;
  proved: string;
}

/** Returns what the run was to prove, and how much speaks against it. */
export function proofsOf({ differences, comparisons, tally }: Result): Proof[] {
  const against = (...kinds: string[]) => differences.filter(({ what }) => kinds.includes(what)).length;
  return [
    {
      name: "The books balance to the penny",
      faults: against("books", "payout"),
      proved: `${many.format(comparisons.accounts)} balances of accounts compared`,
    },
    {
      name: "Each member’s timeline is true",
      faults: against("timeline", "page"),
      proved: `${many.format(comparisons.timelines)} tables and ${many.format(comparisons.pages)} pages compared`,
    },
    {
      name: "No mischief moved money",
      faults: against("mischief", "claim"),
      proved: `${many.format(tally.total)} pieces of mischief`,
    },
    {
      name: "No state is unexplained, and nothing is lost",
      faults: against("unexplained", "lost"),
      proved: `${many.format(tally.clicks.size)} clicks and ${many.format(tally.kills.app + tally.kills.database + tally.kills.operator)} kills`,
    },
  ];
}

/** Returns the report as one HTML file that loads nothing. */
export function reportPage(result: Result): string {
  const { scale, steps, tally, differences, seconds, fingerprint, payouts } = result;
  const times = steps.map(({ at }) => at);
  const isGood = differences.length === 0;
  const of = (state: "tracked" | "confirmed" | "payable" | "in transit" | "paid") =>
    steps.map(({ pence }) => Math.max(0, pence[state]));
  const paid = payouts.filter(({ state }) => state === "paid");
  const kills = tally.kills;
  const claimsThat = (must: "credited" | "declined" | null) =>
    result.claims.filter((claim) => claim.must === must).length;
  return `<!doctype html>
<html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>The simulation of ${longDay.format(scale.start)}</title><style>${REPORT_STYLE}</style></head><body><main>
<h1>${isGood ? "Every penny is where it must be" : `${many.format(differences.length)} things are not as they must be`}</h1>
<p class="soft">${count(scale.months, "month")} from ${longDay.format(scale.start)}, ${many.format(scale.members)} members and five networks, on the real server and database, in
${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s. Seed ${scale.seed}, fingerprint ${fingerprint}.</p>
<ul class="proofs">${proofsOf(result)
    .map(
      ({ name, faults, proved }) =>
        `<li class="${faults > 0 ? "bad" : "good"}"><b>${count(faults, "fault")}</b>${name}<br><span class="soft">${proved}</span></li>`,
    )
    .join("")}</ul>
${
  differences.length > 0
    ? `<section><h2>What differs</h2><table><tr><th>Where</th><th>What</th></tr>${differences
        .slice(0, 200)
        .map(({ what, text }) => `<tr><td>${what}</td><td>${escapeHtml(text)}</td></tr>`)
        .join("")}</table></section>`
    : ""
}
<section><h2>What members have</h2><p class="soft">All members together. Money that was paid stays in the picture.</p>
${stackedAreas(
  times,
  [
    { name: "Tracked", values: of("tracked") },
    { name: "Confirmed", values: of("confirmed") },
    { name: "Payable", values: of("payable") },
    { name: "On its way to the bank", values: of("in transit") },
    { name: "Paid", values: of("paid") },
  ],
  { title: "Money of all members by state", format: (pence) => wholePounds.format(pence / 100) },
)}</section>
<section><h2>Mischief, step by step</h2><p class="soft">A red dot is a step in which a process was killed: the server ${count(kills.app, "time")}, PostgreSQL ${count(kills.database, "time")}, the operator’s commands ${count(kills.operator, "time")}.</p>
${bars(
  times,
  steps.map(({ mischief }) => mischief),
  {
    title: "Pieces of mischief at each step",
    format: (value) => many.format(Math.round(value)),
    marks: steps.map(({ kill }) => kill !== null),
  },
)}</section>
<section><h2>What went wrong outside the club</h2>${mischiefTable(tally.counts)}</section>
<section><h2>The networks</h2>${networkTable(result.sales)}</section>
<section><h2>Payouts</h2><p>${many.format(payouts.length)} were asked for: ${many.format(paid.length)} are paid, ${money.format(sum(paid.map(({ amountPence }) => amountPence)) / 100)} in all;
${many.format(payouts.filter(({ state }) => state === "over").length)} failed, came back or were ended, and their money is payable again.</p><p class="soft">${escapeHtml(result.ledgerCheck)}</p></section>
<section><h2>Claims and friends</h2><p>${count(result.claims.length, "claim")} ${result.claims.length === 1 ? "was" : "were"} made: ${many.format(claimsThat("credited"))} are credited, ${many.format(claimsThat("declined"))}
are declined, and ${many.format(claimsThat(null))} still ${claimsThat(null) === 1 ? "waits" : "wait"} for their retailer. ${count(tally.friends, "friend")} joined by a link; ${count(result.bonuses, "bonus", "bonuses")} ${result.bonuses === 1 ? "is" : "are"} worth money.</p></section>
</main></body></html>
`;
}

function mischiefTable(counts: ReadonlyMap<string, number>): string {
  const rows = [...counts].sort(([, a], [, b]) => b - a);
  const max = Math.max(...rows.map(([, times]) => times), 1);
  return `<table><tr><th>What</th><th class="n">Times</th><th></th></tr>${rows
    .map(
      ([what, times]) =>
        `<tr><td>${escapeHtml(what[0]!.toUpperCase() + what.slice(1))}</td><td class="n">${many.format(times)}</td><td class="share"><span style="width:${Math.round((times / max) * 100)}%"></span></td></tr>`,
    )
    .join("")}</table>`;
}

function networkTable(sales: readonly Sale[]): string {
  const rows = networks.map((network) => {
    const own = sales.filter(({ plan, networkId }) => plan.shop.network === network && networkId !== null);
    const lines = own.flatMap((sale) => sale.lines).filter(({ state }) => state !== "declined");
    const pounds = (field: "cashbackPence" | "commissionPence") =>
      money.format(sum(lines.map((line) => line[field])) / 100);
    const declined = own.filter(({ status }) => status === "declined").length;
    return `<tr><td>${network}</td><td class="n">${many.format(own.length)}</td><td class="n">${many.format(declined)}</td><td class="n">${many.format(lines.filter(({ isCorrection }) => isCorrection).length)}</td><td class="n">${pounds("commissionPence")}</td><td class="n">${pounds("cashbackPence")}</td></tr>`;
  });
  return `<table><tr><th>Network</th><th class="n">Purchases</th><th class="n">Declined</th><th class="n">Corrections</th><th class="n">Commission</th><th class="n">Cashback</th></tr>${rows.join("")}</table>`;
}
