import { claimDueDeliveries, type DeliveryResult, settleDelivery } from "@farthing/core/partners/webhooks.server.ts";
import { signWebhook, webhookSecret } from "@farthing/core/partners/webhook-rules.ts";
import type { Db } from "@farthing/db/client.ts";
import { allOf } from "../jobs/all-steps.ts";
import type { JobLogger } from "../jobs/job-logger.ts";
import { startLoop } from "../jobs/loop.ts";
import { postWebhook, type WebhookPost } from "./post-webhook.ts";

export interface WebhookJobParts {
  db: Db;
  /** What endpoints' secrets are derived from. */
  webhookKey: string;
  /** Development: endpoints may be on this machine. */
  allowPrivate: boolean;
  logger: JobLogger;
  now?: () => Date;
}

/** Longer than a post may take, so that two processes don't post the same delivery at a time. */
const LEASE_MS = 60_000;
const MOST = 20;
const IDLE_MS = 2_000;

/** Tells partners' endpoints what happened, for processes with the role worker; any number of them may (product.md W10). */
export function startWebhookJobs(parts: WebhookJobParts): { close(): Promise<void> } {
  const ending = new AbortController();
  const loop = startLoop({
    onError: (error) => parts.logger.error({ err: error, job: "deliver webhooks" }, "a job failed and will run again"),
    round: async () => ((await deliverDue(parts, ending.signal)) > 0 ? 0 : IDLE_MS),
  });
  return {
    close() {
      ending.abort();
      return loop.close();
    },
  };
}

/** Sends what is due, once each, and gives how many were taken. What `ending` interrupts stays taken: the next process sends it when the lease is over. */
export async function deliverDue(parts: WebhookJobParts, ending?: AbortSignal): Promise<number> {
  const { db, webhookKey, allowPrivate, logger, now = () => new Date() } = parts;
  const due = await claimDueDeliveries(db, { now: now(), leaseMs: LEASE_MS, most: MOST });
  await allOf(
    due.map(async ({ id, webhookId, secretVersion, url, body, attempts }) => {
      const secret = webhookSecret(webhookKey, { id: webhookId, version: secretVersion });
      const signature = signWebhook(secret, body, now());
      const result = await post({ url, body, signature, allowPrivate, signal: ending });
      if (result.status === null && ending?.aborted) return;
      const outcome = await settleDelivery(db, { id, attempts, ...result, now: now() });
      if (outcome === "given-up") logger.warn({ delivery: id, ...result }, "a partner's webhook was given up");
    }),
  );
  return due.length;
}

/** What can't even be tried (an address that is none) counts as a try: it must not come back for ever. */
async function post(webhook: WebhookPost): Promise<DeliveryResult> {
  try {
    return await postWebhook(webhook);
  } catch (error) {
    return { status: null, error: error instanceof Error ? error.message : "It could not be sent." };
  }
}
