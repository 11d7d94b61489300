import type { Context, MiddlewareHandler } from "hono";
import type { State } from "../state/state.ts";
import type { Network } from "./network.ts";

/** What is wrong with a network now. With everything zero it works. Counts are of the next calls of its API. */
export interface Faults {
  /** Nothing answers, links included: 503 for every call. */
  down: boolean;
  /** Calls answered 429 with Retry-After. */
  refuse: number;
  retryAfterSeconds: number;
  /** Calls answered 500. */
  fail: number;
  /** Calls that are never answered: the connection stays open until the client gives up. */
  hang: number;
  /** Calls whose answer ends half way. */
  half: number;
  /** Calls whose first row is malformed. */
  malform: number;
  /** The network's clock is this far ahead of the club's. */
  clockSkewSeconds: number;
}

const none: Faults = {
  down: false,
  refuse: 0,
  retryAfterSeconds: 30,
  fail: 0,
  hang: 0,
  half: 0,
  malform: 0,
  clockSkewSeconds: 0,
};

/** An unanswered call ends after this time at the latest, so that a test that forgets it ends. */
const MAX_HANG_MS = 120_000;

export function readFaults(state: State, slug: string): Faults {
  const row = state.one<{ value: string }>("select value from settings where name = ?", `faults ${slug}`);
  return row ? { ...none, ...(JSON.parse(row.value) as Partial<Faults>) } : { ...none };
}

/** Changes the given faults; ignores values of the wrong type. Returns the current faults. */
export function writeFaults(state: State, slug: string, changes: Record<string, unknown>): Faults {
  const faults = readFaults(state, slug);
  if (typeof changes["down"] === "boolean") faults.down = changes["down"];
  for (const name of ["refuse", "retryAfterSeconds", "fail", "hang", "half", "malform", "clockSkewSeconds"] as const) {
    const value = changes[name];
    if (typeof value === "number" && Number.isSafeInteger(value) && (value >= 0 || name === "clockSkewSeconds"))
      faults[name] = value;
  }
  state.run(
    "insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value",
    `faults ${slug}`,
    JSON.stringify(faults),
  );
  return faults;
}

/** Plays the network's faults before its protocol answers. */
export function playFaults(network: Network, isLink: (path: string) => boolean): MiddlewareHandler {
  const { slug, state } = network;
  return async (context, next) => {
    const faults = readFaults(state, slug);
    if (faults.down) return refusal(context, 503, "Service Unavailable");
    if (isLink(context.req.path.slice(slug.length + 1))) return next();
    const take = (name: "refuse" | "fail" | "hang" | "half" | "malform"): boolean => {
      if (faults[name] === 0) return false;
      writeFaults(state, slug, { [name]: faults[name] - 1 });
      return true;
    };
    if (take("refuse")) {
      context.header("Retry-After", String(faults.retryAfterSeconds));
      return refusal(context, 429, "Too Many Requests");
    }
    if (take("fail")) return refusal(context, 500, "Internal Server Error");
    if (take("hang")) {
      await clientGivesUp(context.req.raw.signal);
      return refusal(context, 504, "Gateway Timeout");
    }
    await next();
    if (take("half")) {
      const text = await context.res.text();
      context.res = new Response(text.slice(0, Math.ceil(text.length / 2)), {
        status: context.res.status,
        headers: { "Content-Type": context.res.headers.get("content-type") ?? "application/json" },
      });
    } else if (faults.malform > 0) await malform(context, () => take("malform"));
  };
}

function refusal(context: Context, status: 429 | 500 | 503 | 504, message: string): Response {
  return context.json({ error: message }, status);
}

function clientGivesUp(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, MAX_HANG_MS);
    timer.unref();
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Replaces the dates of the first row of the answer's first list by words: a row that no adapter can read. */
async function malform(context: Context, take: () => boolean): Promise<void> {
  const text = await context.res.clone().text();
  const changed = spoilFirstRow(text);
  if (changed === text || !take()) return;
  context.res = new Response(changed, {
    status: context.res.status,
    headers: { "Content-Type": context.res.headers.get("content-type") ?? "application/json" },
  });
}

function spoilFirstRow(text: string): string {
  const list = text.indexOf("[{");
  if (list < 0) return text;
  return text.slice(0, list) + text.slice(list).replace(/"(\w*[dD]ate)":"[^"]*"/, '"$1":"soon"');
}
