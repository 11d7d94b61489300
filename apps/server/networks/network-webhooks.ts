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
  /** The secret part of each network's address, by the network's slug. A network without one takes no pushes. */
  pushSecrets: Readonly<Record<string, string>>;
  now(): Date;
}

/** A push holds one transaction with its basket: a few kilobytes. */
const MOST_BYTES = 64 * 1024;

/**
 * Networks' pushes: POST or GET /webhooks/:network/:secret (product.md C2). A push is stored as it came and answered once that is
 * committed; it moves no money, so all that the secret keeps out is noise. An unknown network and a wrong secret look the same.
 */
export function networkWebhooks(services: WebhookServices): Hono {
  const app = new Hono();
  const limit = bodyLimit({
    maxSize: MOST_BYTES,
    onError: () =>
      problemResponse({ status: 413, title: "Too large", detail: `At most ${MOST_BYTES / 1024} kB can be sent here.` }),
  });

  app.get("/webhooks/:network/:secret", (c) =>
    receive(c, services, {
      contentType: "application/x-www-form-urlencoded",
      body: new TextEncoder().encode(new URL(c.req.url).search.slice(1)),
    }),
  );
  app.post("/webhooks/:network/:secret", limit, async (c) =>
    receive(c, services, {
      contentType: c.req.header("content-type") ?? "",
      body: new Uint8Array(await c.req.arrayBuffer()),
    }),
  );
  return app;
}

async function receive(
  c: Context,
  { db, networks, pushSecrets, now }: WebhookServices,
  push: RawPush,
): Promise<Response> {
  const slug = c.req.param("network")!;
  const provider = networks.get(slug);
  const secret = Object.hasOwn(pushSecrets, slug) ? pushSecrets[slug] : undefined;
  if (!isSecret(c.req.param("secret")!, secret) || !provider)
    return problemResponse({ status: 404, title: "Not found", detail: "There is nothing at this address." });
  if (c.req.method === "HEAD") return answer();
  if (push.body.length > MOST_BYTES) return problemResponse({ status: 414, title: "Too long" });
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

/** The same for a new push and a repeated one: the network has done its part. */
function answer(): Response {
  return new Response("OK", { headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" } });
}

/** Takes the same time wherever the difference is, and also where there is no secret to compare with. */
function isSecret(given: string, wanted: string | undefined): boolean {
  return isSameSecret(given, wanted ?? "") && Boolean(wanted);
}
