import { NetworkUnavailableError } from "@farthing/core/networks/provider.ts";
import type { CallBudget } from "./call-budget.ts";

export interface NetworkApiOptions {
  /** The network's name, for messages. */
  network: string;
  /** Addresses with another origin are refused: the credentials go to the network and nowhere else. */
  apiUrl: string;
  /** Headers of every request, for example the credentials. */
  headers: Readonly<Record<string, string>>;
  budget: CallBudget;
  /** The headers that say how many seconds to wait, the first one first. */
  waitHeaders?: readonly string[];
  timeoutMs?: number | undefined;
  fetch?: typeof fetch | undefined;
}

export interface ApiRequest {
  method?: "GET" | "POST";
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

export interface ApiAnswer {
  status: number;
  /** The parsed JSON; `unreadable` where the answer is not whole JSON. */
  body: unknown;
  isReadable: boolean;
}

export interface NetworkApi {
  /**
   * Sends one request and takes one call of the budget. Answers with status 200 to 299, 400, 404 and 422 are returned.
   * @throws NetworkUnavailableError when the budget is spent, or the network does not answer or answers with another status. Its message is ours:
   * networks repeat tokens and addresses in their errors.
   */
  send(url: URL, request?: ApiRequest): Promise<ApiAnswer>;
}

/** A report is a few megabytes at most; more is not a report. */
const MAX_BYTES = 64 * 1024 * 1024;
const RETURNED = new Set([400, 404, 422]);

export function createNetworkApi(options: NetworkApiOptions): NetworkApi {
  const { network, budget, headers, waitHeaders = ["retry-after"], timeoutMs = 30_000 } = options;
  const { origin } = new URL(options.apiUrl);
  const send = options.fetch ?? fetch;

  async function answerOf(url: URL, { method = "GET", headers: more, body }: ApiRequest): Promise<[Response, string]> {
    try {
      const response = await send(url, {
        method,
        headers: { accept: "application/json", ...more, ...headers },
        body: body ?? null,
        redirect: "error",
        signal: AbortSignal.timeout(timeoutMs),
      });
      return [response, await readText(response)];
    } catch {
      // What went wrong may hold the address or a piece of the answer; neither is passed on.
      throw new NetworkUnavailableError(`${network} did not answer a request.`);
    }
  }

  return {
    async send(url, request = {}) {
      if (url.origin !== origin)
        throw new NetworkUnavailableError(`${network} named an address on another server, which is not called.`);
      if (!budget.take())
        throw new NetworkUnavailableError(`${network}'s limit of calls is reached.`, {
          retryAfterSeconds: Math.ceil(budget.waitMs() / 1000),
        });
      const [response, text] = await answerOf(url, request);
      if (!response.ok && !RETURNED.has(response.status))
        throw new NetworkUnavailableError(`${network} answered ${response.status} to a request.`, {
          retryAfterSeconds: waitSeconds(response.headers, waitHeaders),
        });
      return { status: response.status, ...parseExactJson(text) };
    },
  };
}

/**
 * Parses JSON. Integers beyond 2^53 and decimals that a float would change become text with the network's own digits: ids stay themselves, and amounts
 * are read exactly. `isReadable` is false for anything that is not whole JSON.
 */
export function parseExactJson(text: string): { body: unknown; isReadable: boolean } {
  try {
    const body: unknown = JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
      const source = context?.source;
      return typeof value === "number" && source !== undefined && !isExact(value, source) ? source : value;
    });
    return { body, isReadable: true };
  } catch {
    return { body: null, isReadable: false };
  }
}

function isExact(value: number, source: string): boolean {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return false;
  // 12.50 and 12.5 are the same number; more than 15 significant digits may not survive.
  return source.replace(/[^0-9]/g, "").replace(/^0+/, "").length <= 15 || String(value) === source;
}

/** @throws RangeError when the answer is longer than any report. */
async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += (chunk as Uint8Array).byteLength;
    if (bytes > MAX_BYTES) throw new RangeError("more than a report can hold");
    text += decoder.decode(chunk as Uint8Array, { stream: true });
  }
  return text + decoder.decode();
}

function waitSeconds(headers: Headers, names: readonly string[]): number | null {
  for (const name of names) {
    const seconds = Number(headers.get(name));
    if (Number.isFinite(seconds) && seconds > 0) return Math.min(Math.ceil(seconds), 86_400);
  }
  return null;
}

/** Returns the text without the network's secrets, for sentences that quote what a network wrote. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.filter((secret) => secret.length > 0).reduce((cut, secret) => cut.replaceAll(secret, "[secret]"), text);
}
