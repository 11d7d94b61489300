/**
 * Measures gift cards (issue 14). Orders a second through the whole saga, from the checkout to the encrypted card, are
 * compared with the same calls to issuer and card provider alone. A card's page that shows its code is compared with the same
 * page that shows none.
 * Run alone with: node bench/gift-cards/run.ts [--orders 200] [--concurrency 8] [--rounds 3] [--views 100]
 * Starts its own PostgreSQL, with fsync on, and the sandbox over HTTP. Needs a built site (npm run build).
 */
import { parseArgs } from "node:util";
import { report } from "../figures.ts";
import { measurePages } from "./pages.ts";
import { measureOrders } from "./orders.ts";

const { values } = parseArgs({
  options: {
    orders: { type: "string", default: "200" },
    concurrency: { type: "string", default: "8" },
    rounds: { type: "string", default: "3" },
    views: { type: "string", default: "100" },
  },
});
/** The saga adds some thirty statements and a dozen commits to five calls. */
const MIN_SHARE = 20;
const MAX_TIMES = 3;

const median = (numbers: readonly number[]) =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

const orders = await measureOrders({
  orders: Number(values.orders),
  concurrency: Number(values.concurrency),
  rounds: Number(values.rounds),
});
const [saga, alone] = [median(orders.saga), median(orders.alone)];
console.log(`the calls alone: ${alone.toFixed(1)} orders a second; through the whole saga: ${saga.toFixed(1)}`);
report({
  what: "orders a second through the whole saga, of the same calls to issuer and card provider alone",
  value: median(orders.saga.map((one, round) => (100 * one) / (orders.alone[round] ?? Number.NaN))),
  unit: "%",
  target: { atLeast: MIN_SHARE },
});

const { withCode, without } = await measurePages({ views: Number(values.views) });
console.log(
  `a card's page: ${median(without).toFixed(1)} ms without its code, ${median(withCode).toFixed(1)} ms with it`,
);
report({
  what: "a card's page with its code (decrypted, with its barcode, first use noted), of the same page without",
  value: median(withCode) / median(without),
  unit: "times",
  target: { atMost: MAX_TIMES },
});
