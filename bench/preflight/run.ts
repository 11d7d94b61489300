/**
 * The pre-flight check (C1): measures how much later a click opens the retailer with the check than without it, where the network's host answers and
 * where it never does, in Chromium, from the press of the button to the opening of the tab. All three take turns in one run.
 * Run alone with: node bench/preflight/run.ts [--runs 20]
 * Needs a built site and Chromium (bin/find-browser.mjs). The network's host is a server of this benchmark.
 */
import { createServer } from "node:http";
import { once } from "node:events";
import { parseArgs } from "node:util";
import { chromium, type BrowserContext } from "@playwright/test";
import { openDatabase } from "@farthing/db/client.ts";
import { findBrowser } from "../../bin/find-browser.mjs";
import { report } from "../figures.ts";
import { startOwnServer, type OwnServer } from "../pages/own-server.ts";

const { values } = parseArgs({ options: { runs: { type: "string", default: "20" } } });
const PORT = 4807;
const PASSWORD = "Farthing-2026";
/** A check that finds nothing wrong ends within the button's half second. */
const HEALTHY_MS = 10;
/** 300 ms, and the few by which a timer is late. */
const UNHEALTHY_MS = 305;

const KINDS = ["without", "healthy", "unhealthy"] as const;
type Kind = (typeof KINDS)[number];

let answers = true;
// In development, networks' links lead to the port after the site's.
const host = createServer((_request, response) => {
  if (answers) response.end("User-agent: *\n");
}).listen(PORT + 1);
await once(host, "listening");
const own = await startOwnServer(PORT);
const executablePath = findBrowser();
const browser = await chromium.launch(executablePath ? { executablePath } : {});
try {
  const context = await browser.newContext();
  await context.addCookies([await logIn(own)]);
  const took: Record<Kind, number[]> = { without: [], healthy: [], unhealthy: [] };
  for (const kind of KINDS) await click(context, kind); // warm up
  for (let run = 0; run < Number(values.runs); run++)
    for (const kind of KINDS) took[kind].push(await click(context, kind));
  for (const kind of KINDS)
    console.log(
      `${kind}: median ${median(took[kind]).toFixed(1)} ms, slowest ${Math.max(...took[kind]).toFixed(1)} ms`,
    );
  const later = (kind: Kind) => median(took[kind]) - median(took.without);
  report({
    what: "a healthy click, later than without the check, median",
    value: Math.max(0, later("healthy")),
    unit: "ms",
    target: { atMost: HEALTHY_MS },
  });
  report({
    what: "a click whose network does not answer, later than without the check, median",
    value: later("unhealthy"),
    unit: "ms",
    target: { atMost: UNHEALTHY_MS },
  });
} finally {
  await browser.close();
  await own.stop();
  host.closeAllConnections();
  host.close();
}

/** Presses a deal button and returns the time until the tab would open. */
async function click(context: BrowserContext, kind: Kind): Promise<number> {
  answers = kind !== "unhealthy";
  const page = await context.newPage();
  try {
    await page.goto(own.server.url + own.pages.retailer);
    await page.waitForSelector("html[data-script=started]");
    const { ms, address } = await page.evaluate(async (isChecked) => {
      const control = document.querySelector<HTMLElement>("[data-checked-by]");
      if (!control) throw new Error("The page has no deal button with a check.");
      if (!isChecked) delete control.dataset["checkedBy"];
      const opened = new Promise<{ at: number; address: string }>((resolve) => {
        window.open = (to) => {
          resolve({ at: performance.now(), address: String(to) });
          return { opener: null } as Window;
        };
      });
      const pressed = performance.now();
      control.click();
      const { at, address: to } = await opened;
      return { ms: at - pressed, address: to };
    }, kind !== "without");
    const finding = new URL(address, own.server.url).searchParams.get("pre_flight");
    const wanted = { without: null, healthy: "healthy", unhealthy: "slow" }[kind];
    if (finding !== wanted) throw new Error(`A click ${kind} was found ${finding}: ${address}`);
    return ms;
  } finally {
    await page.close();
  }
}

async function logIn({ databaseUrl, server }: OwnServer): Promise<{ name: string; value: string; url: string }> {
  const { pool, close } = openDatabase({ url: databaseUrl });
  const { rows } = await pool.query<{ email: string }>(
    "select m.email from members m join brands b on b.id = m.brand_id where b.is_default and m.email like 'member@%'",
  );
  await close();
  const answer = await fetch(`${server.url}/login`, {
    method: "POST",
    redirect: "manual",
    headers: { Origin: server.url },
    body: new URLSearchParams({ email: rows[0]?.email ?? "", password: PASSWORD }),
  });
  const [name, value] = (answer.headers.getSetCookie()[0] ?? "").split(";")[0]!.split("=");
  if (!name || !value) throw new Error(`The demo member could not log in: ${answer.status}`);
  return { name, value, url: server.url };
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
