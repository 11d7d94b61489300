/**
 * The payment widget: measures what each entry costs a partner's page against comparable packages, bundled and
 * measured the same way, and how long a payer waits from the payment intent's message to a modal with an enabled button.
 * Run alone with: node bench/widget/run.ts [--runs 10] [--skip-browser] [--skip-peers]
 * Needs Chromium (bin/find-browser.mjs). Installs the peers in bench/peers/widget if needed. The times are the widget's
 * own: all origins are on this machine, and the card provider is the browser tests' stand-in, without a network.
 */
import { parseArgs } from "node:util";
import { report } from "../figures.ts";
import { ownSizes, peerSizes } from "./entry-sizes.ts";
import { paymentTimes, type PaymentTime } from "./payment-times.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "10" },
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

if (!values["skip-browser"]) {
  const { first, next } = await paymentTimes(runs);
  console.log(`\n| From the intent's message, ms, ${runs} runs | dialog, median | ready, median | ready, slowest |`);
  console.log("|---|---:|---:|---:|");
  printTimes("first payment on a page", first);
  printTimes("next payment, provider's script there", next);
}

function printTimes(name: string, times: PaymentTime[]): void {
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
