/**
 * Telemetry's cost for a page (T1): measures the first paint and the blocking time of an offer's page with everything agreed to and with everything
 * refused, in Chromium on a processor four times slower. The two take turns, and each pair is compared: what is reported is the median of the
 * differences. The collector is the real one; the tag manager's own script is a server of this benchmark that answers with nothing.
 * Run alone with: node bench/telemetry-page/run.ts [--runs 20]
 * Needs a built site and Chromium (bin/find-browser.mjs).
 */
import { once } from "node:events";
import { createServer } from "node:http";
import { parseArgs } from "node:util";
import { chromium } from "@playwright/test";
import { findBrowser } from "../../bin/find-browser.mjs";
import { report } from "../figures.ts";
import { startOwnServer } from "../pages/own-server.ts";

const { values } = parseArgs({ options: { runs: { type: "string", default: "20" } } });
const PORT = 4810;
const SLOWER = 4;
/** Noise of a frame: what is loaded after the first paint can't delay it. */
const PAINT_MS = 16;
const BLOCKING_MS = 10;
/** Blocking time counts what a task takes beyond this (https://web.dev/articles/tbt). */
const LONG_TASK_MS = 50;

const KINDS = { without: "none", with: "measurement-tags" } as const;
type Kind = keyof typeof KINDS;
interface Measured {
  paint: number;
  blocking: number;
}

// In development, the tag manager is at the port after the site's.
const tags = createServer((_request, response) => {
  response.writeHead(200, { "Content-Type": "text/javascript" }).end("");
}).listen(PORT + 1);
await once(tags, "listening");
const own = await startOwnServer(PORT);
const executablePath = findBrowser();
const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ["--no-sandbox"] });
try {
  for (const kind of ["without", "with"] as const) await open(kind); // warm up
  const pairs: Record<Kind, Measured>[] = [];
  for (let run = 0; run < Number(values.runs); run++) {
    // Each order as often as the other.
    const first: Kind = run % 2 === 0 ? "without" : "with";
    const one = await open(first);
    const other = await open(first === "with" ? "without" : "with");
    pairs.push(first === "with" ? { with: one, without: other } : { with: other, without: one });
  }
  for (const kind of ["without", "with"] as const) {
    const of = (name: keyof Measured) => Math.round(median(pairs.map((pair) => pair[kind][name])));
    console.log(`${kind} telemetry: first paint ${of("paint")} ms, blocking time ${of("blocking")} ms (medians)`);
  }
  const later = (name: keyof Measured) => median(pairs.map((pair) => pair.with[name] - pair.without[name]));
  report({
    what: "first paint, later with telemetry, median of pairs",
    value: Math.max(0, later("paint")),
    unit: "ms",
    target: { atMost: PAINT_MS },
  });
  report({
    what: "blocking time, more with telemetry, median of pairs",
    value: Math.max(0, later("blocking")),
    unit: "ms",
    target: { atMost: BLOCKING_MS },
  });
} finally {
  await browser.close();
  await own.stop();
  tags.closeAllConnections();
  tags.close();
}

/** Opens the offer's page in a new browser profile, and measures until its event has been answered and the page is quiet. */
async function open(kind: Kind): Promise<Measured> {
  const context = await browser.newContext();
  try {
    const { url } = own.server;
    const seconds = Math.floor(Date.now() / 1000);
    await context.addCookies([{ name: "farthing_consent", value: `1.${seconds}.${KINDS[kind]}`, url }]);
    const page = await context.newPage();
    const line = await context.newCDPSession(page);
    await line.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
    await page.addInitScript(() => {
      const kept = window as unknown as { longTasks: number[] };
      kept.longTasks = [];
      new PerformanceObserver((list) => {
        kept.longTasks.push(...list.getEntries().map(({ duration }) => duration));
      }).observe({ type: "longtask", buffered: true });
    });
    const answered =
      kind === "with"
        ? page.waitForResponse((answer) => answer.url().endsWith("/api/Telemetry"))
        : Promise.resolve(null);
    await page.goto(url + own.pages["offer page"]);
    await page.waitForSelector("html[data-script=started]");
    const status = (await answered)?.status();
    if (status !== undefined && status !== 204) throw new Error(`The collector answered ${status}`);
    await page.waitForLoadState("networkidle");
    return await page.evaluate((limit) => {
      const { longTasks } = window as unknown as { longTasks: number[] };
      return {
        paint: performance.getEntriesByName("first-paint")[0]?.startTime ?? 0,
        blocking: longTasks.reduce((sum, duration) => sum + Math.max(0, duration - limit), 0),
      };
    }, LONG_TASK_MS);
  } finally {
    await context.close();
  }
}

function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
