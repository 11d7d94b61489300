import { NetworkUnavailableError } from "@farthing/core/networks/provider.ts";
import type { CallBudget } from "../call-budget.ts";

export interface AwinClientOptions {
  /** `https://api.awin.com`, with or without a slash at the end. */
  apiUrl: string;
  apiToken: string;
  publisherId: string;
  budget: CallBudget;
  timeoutMs: number;
  fetch: typeof fetch;
}

/** A report is a few megabytes at most; more is not a report. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * GET /publishers/{id}/transactions/ with these parameters. One call of the budget.
 * @throws NetworkUnavailableError when the budget is spent, or Awin does not answer, refuses, or answers something else than a list.
 */
export async function getAwinTransactions(
  options: AwinClientOptions,
  parameters: Record<string, string>,
): Promise<unknown[]> {
  if (!options.budget.take())
    throw new NetworkUnavailableError("Awin's limit of calls is reached.", {
      retryAfterSeconds: Math.ceil(options.budget.waitMs() / 1000),
    });
  const url = new URL(
    `${options.apiUrl.replace(/\/$/, "")}/publishers/${encodeURIComponent(options.publisherId)}/transactions/`,
  );
  url.search = new URLSearchParams({ ...parameters, timezone: "UTC" }).toString();
  const response = await ask(options, url);
  if (!response.ok) {
    const wait = Number(response.headers.get("retry-after"));
    await response.body?.cancel();
    throw new NetworkUnavailableError(`Awin answered ${response.status} to a report request.`, {
      retryAfterSeconds: Number.isFinite(wait) && wait > 0 ? wait : null,
    });
  }
  return readList(response);
}

async function ask(options: AwinClientOptions, url: URL): Promise<Response> {
  try {
    return await options.fetch(url, {
      headers: { authorization: `Bearer ${options.apiToken}`, accept: "application/json" },
      redirect: "error", // the token goes to Awin and nowhere else
      signal: AbortSignal.timeout(options.timeoutMs),
    });
  } catch (cause) {
    throw new NetworkUnavailableError("Awin did not answer a report request.", { cause });
  }
}

async function readList(response: Response): Promise<unknown[]> {
  try {
    if (Number(response.headers.get("content-length")) > MOST_BYTES)
      throw new RangeError("more than a report can hold");
    const list: unknown = await response.json();
    if (Array.isArray(list)) return list;
  } catch (cause) {
    throw new NetworkUnavailableError("Awin's answer to a report request could not be read.", { cause });
  }
  throw new NetworkUnavailableError("Awin answered a report request with something other than a list.");
}
