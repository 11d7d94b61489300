import { NetworkUnavailableError } from "@farthing/core/networks/provider.ts";
import type { CallBudget } from "./call-budget.ts";

export interface ReportClient {
  /** The network's name, for messages. */
  network: string;
  /** Headers of every request, for example the token. */
  headers: Readonly<Record<string, string>>;
  budget: CallBudget;
  timeoutMs: number;
  fetch: typeof fetch;
}

/** A report is a few megabytes at most; more is not a report. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Requests a network's report with GET and returns the parsed JSON. Takes one call of the budget.
 * @throws NetworkUnavailableError when the budget is spent, or the network does not answer, refuses, or answers something else than JSON.
 */
export async function fetchReport(client: ReportClient, url: URL): Promise<unknown> {
  const { network, budget } = client;
  if (!budget.take())
    throw new NetworkUnavailableError(`${network}'s limit of calls is reached.`, {
      retryAfterSeconds: Math.ceil(budget.waitMs() / 1000),
    });
  const response = await request(client, url);
  if (!response.ok) {
    const wait = Number(response.headers.get("retry-after"));
    await response.body?.cancel();
    throw new NetworkUnavailableError(`${network} answered ${response.status} to a report request.`, {
      retryAfterSeconds: Number.isFinite(wait) && wait > 0 ? wait : null,
    });
  }
  return readJson(network, response);
}

/**
 * Returns the list that an answer consists of.
 * @throws NetworkUnavailableError when the answer is anything else.
 */
export function listOf(network: string, answer: unknown): unknown[] {
  if (Array.isArray(answer)) return answer;
  throw new NetworkUnavailableError(`${network} answered a report request with something other than a list.`);
}

async function request({ network, headers, timeoutMs, fetch }: ReportClient, url: URL): Promise<Response> {
  try {
    return await fetch(url, {
      headers: { ...headers, accept: "application/json" },
      redirect: "error", // the token goes to the network and nowhere else
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (cause) {
    throw new NetworkUnavailableError(`${network} did not answer a report request.`, { cause });
  }
}

async function readJson(network: string, response: Response): Promise<unknown> {
  try {
    if (Number(response.headers.get("content-length")) > MAX_BYTES) throw new RangeError("more than a report can hold");
    return await response.json();
  } catch (cause) {
    throw new NetworkUnavailableError(`${network}'s answer to a report request could not be read.`, { cause });
  }
}
