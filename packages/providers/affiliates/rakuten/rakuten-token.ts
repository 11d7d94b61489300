import { NetworkUnavailableError } from "@farthing/core/networks/provider.ts";
import { z } from "zod";
import { readBody } from "../../read-body.ts";

const answerSchema = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]{1,4096}$/),
  expires_in: z.number().positive().max(31_536_000),
});
/** Far above a token and what is said with it. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** A token is renewed before it expires on the way. */
const EARLY_MS = 60_000;

const noToken = (cause: string) => new NetworkUnavailableError(`Rakuten Advertising gave no access token (${cause}).`);

/**
 * Keeps an access token until it expires or is forgotten (POST /token with the client's id and secret, scope: the site's id). `get` throws
 * NetworkUnavailableError, whose message has the cause (an error's name or the status) and repeats nothing of the answer.
 */
export function createRakutenToken({
  apiUrl,
  clientId,
  clientSecret,
  siteId,
  timeoutMs,
  fetch,
  now,
}: {
  apiUrl: string;
  clientId: string;
  clientSecret: string;
  siteId: string;
  timeoutMs: number;
  fetch: typeof globalThis.fetch;
  now: () => Date;
}): { get(): Promise<string>; forget(): void } {
  let kept: { token: string; until: number } | null = null;
  let underway: Promise<string> | null = null;

  async function request(): Promise<string> {
    const answer = await post().catch((error: unknown) => {
      if (error instanceof NetworkUnavailableError) throw error;
      throw noToken(error instanceof Error ? error.name : "unknown");
    });
    const read = answerSchema.safeParse(answer);
    if (!read.success) throw noToken("its answer has none");
    kept = { token: read.data.access_token, until: now().getTime() + read.data.expires_in * 1000 - EARLY_MS };
    return kept.token;
  }

  async function post(): Promise<unknown> {
    const response = await fetch(`${apiUrl}/token`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`,
        accept: "application/json",
      },
      body: new URLSearchParams({ scope: siteId }),
      redirect: "error", // the secret goes to the network and nowhere else
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.ok) return JSON.parse(await readBody(response, MAX_ANSWER_BYTES)) as unknown;
    const { status } = response;
    await response.body?.cancel();
    if (status === 401 || status === 403)
      throw new NetworkUnavailableError(
        `Rakuten Advertising refused our credentials (${status}): check RAKUTEN_CLIENT_ID, RAKUTEN_CLIENT_SECRET and RAKUTEN_SITE_ID.`,
      );
    throw noToken(String(status));
  }

  return {
    async get() {
      if (kept && now().getTime() < kept.until) return kept.token;
      underway ??= request().finally(() => {
        underway = null;
      });
      return underway;
    },
    forget() {
      kept = null;
    },
  };
}
