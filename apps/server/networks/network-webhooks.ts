import { isSameSecret } from "@farthing/core/secrets/secret-token.ts";
import { receivePush } from "@farthing/core/networks/events.server.ts";
import { findNetworkId } from "@farthing/core/networks/queries.server.ts";
import type { NetworkRegistry } from "@farthing/core/networks/network-registry.ts";
import type { RawPush } from "@farthing/core/networks/provider.ts";
import type { Db } from "@farthing/db/client.ts";
import { Hono, type Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { problemResponse } from "../http/problem.ts";

export interface WebhookServices {
  db: Db;
  networks: NetworkRegistry;
  /**
   * The secret in the URL of each network's webhook, by the network's slug. A network without a secret accepts
   * no pushes.
   */
  pushSecrets: Readonly<Record<string, string>>;
  now(): Date;
}

/** A push contains one transaction with its basket: a few kilobytes. */
const MAX_BYTES = 64 * 1024;

/**
 * Receives networks' pushes: POST or GET /webhooks/:network/:secret (C2). A push is stored as it came and answered
 * after the commit. It moves no money, so the secret only keeps out noise. An unknown network and a wrong secret get
 * the same answer.
 */
export function networkWebhooks(services: WebhookServices): Hono {
  const app = new Hono();
  const limit = bodyLimit({
    maxSize: MAX_BYTES,
    onError: () => problemResponse({ status: 413, title: "Too large", detail: `Send at most ${MAX_BYTES / 1024} kB.` }),
  });

  app.get("/webhooks/:network/:secret", (context) =>
    receive(context, services, {
      contentType: "application/x-www-form-urlencoded",
      body: new TextEncoder().encode(new URL(context.req.url).search.slice(1)),
    }),
  );
  app.post("/webhooks/:network/:secret", limit, async (context) =>
    receive(context, services, {
      contentType: context.req.header("content-type") ?? "",
      body: new Uint8Array(await context.req.arrayBuffer()),
    }),
  );
  return app;
}

async function receive(
  context: Context,
  { db, networks, pushSecrets, now }: WebhookServices,
  push: RawPush,
): Promise<Response> {
  const slug = context.req.param("network")!;
  const provider = networks.get(slug);
  const secret = Object.hasOwn(pushSecrets, slug) ? pushSecrets[slug] : undefined;
  if (!isSecret(context.req.param("secret")!, secret) || !provider)
    return problemResponse({ status: 404, title: "Not found", detail: "There is nothing at this address." });
  if (context.req.method === "HEAD") return answer();
  if (push.body.length > MAX_BYTES) return problemResponse({ status: 414, title: "Too long" });
  const networkId = await findNetworkId(db, { slug });
  if (!networkId)
    return problemResponse({
      status: 503,
      title: "Not ready",
      detail: "Send it again later.",
      headers: { "Retry-After": "60" },
    });
  await receivePush(db, { networkId, push, reading: provider.readPush(push), now: now() });
  return answer();
}

/** New and repeated pushes get the same answer. */
function answer(): Response {
  return new Response("OK", { headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" } });
}

/** Compares in constant time, also if there is no secret to compare with. */
function isSecret(given: string, wanted: string | undefined): boolean {
  return isSameSecret(given, wanted ?? "") && Boolean(wanted);
}
