import { IssuerUnavailableError } from "@farthing/core/gift-cards/issuer.ts";
import { z } from "zod";
import { readBody } from "../../read-body.ts";
import { signTillo } from "./tillo-signature.ts";

export interface TilloSettings {
  apiKey: string;
  /** Signs requests. */
  secret: string;
  /** `https://app.tillo.io`, or a stand-in. */
  apiUrl: string;
  /** Which of our agreed sectors an order belongs to. */
  sector: string;
}

export interface TilloRequest {
  method: "GET" | "POST";
  /** The path below /api/v2, without a leading slash. */
  path: string;
  /** What the signature calls it; by default the path with hyphens. */
  endpoint?: string;
  /** The values of the request that are signed, in order. */
  signed?: readonly string[];
  query?: Readonly<Record<string, string>>;
  body?: object;
}

export interface TilloAnswer {
  status: number;
  /** `000` for success. */
  code: string;
  data: unknown;
}

const answerSchema = z.object({ code: z.coerce.string(), data: z.unknown().optional() });

/** A buyer waits for some of the calls; orders are asynchronous, so the issuer has no reason to be slow. */
const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/**
 * Sends one signed request. Returns every answer that has Tillo's form, errors included.
 * @throws IssuerUnavailableError where there is none, or one that says nothing about the order (429, 5xx)
 */
export async function callTillo(
  settings: TilloSettings,
  request: TilloRequest,
  { fetch: send = fetch, now = () => new Date() }: { fetch?: typeof fetch; now?: () => Date },
): Promise<TilloAnswer> {
  const { method, path, endpoint = path.replaceAll("/", "-"), signed = [], query = {}, body } = request;
  const timestamp = now().getTime();
  const url = new URL(`${settings.apiUrl}/api/v2/${path}`);
  url.search = new URLSearchParams(query).toString();
  let status: number;
  let text: string;
  try {
    const response = await send(url, {
      method,
      headers: {
        Accept: "application/json",
        "API-Key": settings.apiKey,
        Signature: signTillo(settings, { method, endpoint, values: signed, timestamp }),
        Timestamp: String(timestamp),
        ...(body ? { "Content-Type": "application/json" } : {}),
      },
      body: body ? JSON.stringify(body) : null,
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    status = response.status;
    text = await readBody(response, MAX_ANSWER_BYTES);
  } catch (error) {
    throw new IssuerUnavailableError(`Tillo did not answer (${error instanceof Error ? error.name : "unknown"}).`);
  }
  const parsed = answerSchema.safeParse(parseJson(text));
  if (status === 401 || status === 403)
    throw new IssuerUnavailableError(
      "Tillo refused our credentials: check TILLO_API_KEY, TILLO_API_SECRET and the list of IP addresses.",
    );
  if (!parsed.success) throw new IssuerUnavailableError(`Tillo's answer could not be read (${status}).`);
  const { code, data } = parsed.data;
  if (status === 429 || (status >= 500 && !isAboutTheOrder(code)))
    throw new IssuerUnavailableError(`Tillo answered ${status}.`);
  return { status, code, data };
}

/** Business errors (6xx, 7xx) are answers, whatever status they come with; 603 says that the retailer is down. */
function isAboutTheOrder(code: string): boolean {
  return /^[67]\d\d$/.test(code) && code !== "603";
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
