import { NetworkUnavailableError } from "@farthing/core/networks/provider.ts";
import { readBody } from "../read-body.ts";
import type { CallBudget } from "./call-budget.ts";
import { parseExactJson } from "./parse-exact-json.ts";

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
const MAX_WAIT_SECONDS = 86_400;

/**
 * Requests a network's report and returns the parsed JSON, with numbers that JavaScript cannot hold as text. Takes one call of the budget. A request is a
 * GET; with `body` it is a POST of that value as JSON.
 * @throws NetworkUnavailableError when the budget is spent, or the network does not answer, refuses, or answers something else than JSON. Its message says
 *   nothing that the network said: an answer may repeat the token.
 */
export async function fetchReport(client: ReportClient, url: URL, body?: unknown): Promise<unknown> {
  const { network, budget } = client;
  if (!budget.take())
    throw new NetworkUnavailableError(`${network}'s limit of calls is reached.`, {
      retryAfterSeconds: Math.ceil(budget.waitMs() / 1000),
    });
  const response = await request(client, url, body);
  if (!response.ok) {
    const retryAfterSeconds = waitOf(response);
    await response.body?.cancel().catch(() => {}); // nothing is read of it
    throw new NetworkUnavailableError(`${network} answered ${response.status} to a report request.`, {
      retryAfterSeconds,
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

async function request(
  { network, headers, timeoutMs, fetch }: ReportClient,
  url: URL,
  body: unknown,
): Promise<Response> {
  try {
    return await fetch(url, {
      headers: {
        ...headers,
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      redirect: "error", // the token goes to the network and nowhere else
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (error) {
    throw new NetworkUnavailableError(`${network} did not answer a report request (${kindOf(error)}).`);
  }
}

/**
 * Returns the seconds of Retry-After, which is a number of seconds or a date (RFC 9110, 10.2.3); null without one. `header` is its name at networks that
 * have one of their own.
 */
export function waitOf(response: Response, header = "retry-after", now = () => new Date()): number | null {
  const text = response.headers.get(header)?.trim() ?? "";
  if (text === "") return null;
  const wait = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now().getTime()) / 1000;
  return Number.isFinite(wait) && wait > 0 ? Math.min(Math.ceil(wait), MAX_WAIT_SECONDS) : null;
}

async function readJson(network: string, response: Response): Promise<unknown> {
  try {
    return parseExactJson(await readText(response));
  } catch (error) {
    throw new NetworkUnavailableError(`${network}'s answer to a report request could not be read (${kindOf(error)}).`);
  }
}

/** Reads the body, and stops where it grows beyond what a report can hold. */
export async function readText(response: Response): Promise<string> {
  return readBody(response, MAX_BYTES);
}

/** The kind of an error, whose message may repeat the address or the answer. */
export function kindOf(error: unknown): string {
  const code: unknown =
    error instanceof Error && error.cause instanceof Error && "code" in error.cause && error.cause.code;
  return typeof code === "string" ? code : error instanceof Error ? error.name : "unknown";
}
