import { NetworkUnavailableError } from "@farthing/core/networks/provider.ts";
import type { CallBudget } from "./call-budget.ts";
import { kindOf, readText, waitOf } from "./fetch-report.ts";
import { parseExactJson } from "./parse-exact-json.ts";

/** For networks that say more with an answer than a report: what it did not find, which page was refused, what became of a claim. */
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
  /** The parsed JSON, with numbers that JavaScript cannot hold as text; null where `isReadable` is false. */
  body: unknown;
  /** Whether the answer is whole JSON. */
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
    } catch (error) {
      throw new NetworkUnavailableError(`${network} did not answer a request (${kindOf(error)}).`);
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
          retryAfterSeconds:
            waitHeaders.map((name) => waitOf(response, name)).find((seconds) => seconds !== null) ?? null,
        });
      return { status: response.status, ...parse(text) };
    },
  };
}

function parse(text: string): { body: unknown; isReadable: boolean } {
  try {
    return { body: parseExactJson(text), isReadable: true };
  } catch {
    return { body: null, isReadable: false };
  }
}

/** Returns the text without the network's secrets, for sentences that quote what a network wrote. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length > 0)
    .reduce((cut, secret) => cut.replaceAll(secret, "[secret]"), text);
}
