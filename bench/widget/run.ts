/**
 * The payment widget: measures what each entry costs a partner's page against comparable packages, bundled and
 * measured the same way, and how long a payer waits from the payment intent's message to a modal with an enabled button.
 * Run alone with: node bench/widget/run.ts [--runs 20] [--against revision] [--skip-browser] [--skip-peers]
 * Needs Chromium (bin/find-browser.mjs). Installs the peers in bench/peers/widget if needed. The times are the widget's
 * own: all origins are on this machine, and the card provider is the browser tests' stand-in, without a network. They mean something only beside
 * those of another revision, measured in turns: by default of the last commit before this one that changed the widget.
 */
import { parseArgs } from "node:util";
import { isSmoke, report } from "../figures.ts";
import { ownSizes, peerSizes } from "./entry-sizes.ts";
import { openEarlierCheckout, previousWidgetCommit } from "./earlier-checkout.ts";
import { firstOfFreePorts } from "./free-ports.ts";
import { paymentTimes, type PaymentTime, type PaymentTimes } from "./payment-times.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "20" },
    against: { type: "string" },
    "skip-browser": { type: "boolean", default: false },
    "skip-peers": { type: "boolean", default: false },
  },
});
const runs = Number(values.runs);

console.log("| Entry | gzip bytes |\n|---|---:|");
const own = await ownSizes();
for (const { name, bytes } of [...own, ...(values["skip-peers"] ? [] : await peerSizes())]) {
  console.log(`| ${name} | ${bytes.toLocaleString("en-GB")} |`);
}
for (const { name, bytes, max } of own)
  report({ what: `${name}, gzip`, value: bytes, unit: "bytes", target: { atMost: max } });

/** A slower median than this, in one run beside the previous commit, is a regression and not noise. */
const MAX_RATIO = 1.15;
const FIRST_PORT = Number(process.env["WIDGET_TEST_PORT"] ?? 4600);

if (!values["skip-browser"]) await compareTimes(values.against ?? (isSmoke ? null : previousWidgetCommit()));
else console.log("The times are not measured: --skip-browser.");

async function compareTimes(revision: string | null): Promise<void> {
  if (revision === null)
    console.log(
      isSmoke
        ? "A smoke run is not paired with the previous commit: name one with --against to pair it."
        : "There is no previous commit of the widget here (a shallow clone?): these times stand alone and mean little.",
    );
  const earlier = revision === null ? null : openEarlierCheckout(revision);
  try {
    const firstPort = await firstOfFreePorts(FIRST_PORT);
    const here = { folder: new URL("../../packages/widget", import.meta.url).pathname, firstPort };
    const there = earlier && { folder: earlier.widget, firstPort: await firstOfFreePorts(firstPort + 10) };
    const widgets = there ? [here, there] : [here];
    const [now, before] = await paymentTimes(widgets, runs);
    console.log(`\n| From the intent's message, ms, ${runs} runs | dialog, median | ready, median | ready, slowest |`);
    console.log("|---|---:|---:|---:|");
    if (now) printTimes("this checkout", now);
    if (earlier && before) printTimes(earlier.commit.slice(0, 8), before);
    if (now && before) compare(now, before);
  } finally {
    earlier?.close();
  }
}

function compare(now: PaymentTimes, before: PaymentTimes): void {
  for (const which of ["first", "next"] as const) {
    const [here, there] = [now, before].map((times) => median(times[which].map(({ ready }) => ready)));
    report({
      what: `${which} payment, intent to ready modal, beside the previous commit's`,
      value: here! / there!,
      unit: "×",
      target: { atMost: MAX_RATIO },
    });
  }
}

function printTimes(whose: string, { first, next }: PaymentTimes): void {
  printRow(`${whose}: first payment on a page`, first);
  printRow(`${whose}: next payment, provider's script there`, next);
}

function printRow(name: string, times: PaymentTime[]): void {
  const dialog = median(times.map((time) => time.dialog));
  const ready = times.map((time) => time.ready);
  console.log(`| ${name} | ${tenths(dialog)} | ${tenths(median(ready))} | ${tenths(Math.max(...ready))} |`);
}

function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}
