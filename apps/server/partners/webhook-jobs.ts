import {
  claimDueDeliveries,
  type DeliveryResult,
  dueDeliveries,
  settleDelivery,
} from "@farthing/core/partners/webhooks.server.ts";
import { secretsNow, signWebhook } from "@farthing/core/partners/webhook-rules.ts";
import type { Db } from "@farthing/db/client.ts";
import { allOf } from "../jobs/all-steps.ts";
import type { JobLogger } from "../jobs/job-logger.ts";
import { startJob, type Job } from "../jobs/start-job.ts";
import { postWebhook, type WebhookPost } from "./post-webhook.ts";

export interface WebhookJobParts {
  db: Db;
  /** Endpoints' secrets are derived from it. */
  webhookKey: string;
  /** Of old secrets: deliveries are signed with them as well, until partners have the new secrets. */
  oldWebhookKeys?: readonly string[];
  /** Development: endpoints may be on this machine. */
  allowPrivate: boolean;
  logger: JobLogger;
  now?: () => Date;
}

/** Longer than a post may take. */
const LEASE_MS = 60_000;
const MAX_CLAIMED = 20;
const IDLE_MS = 2_000;

/** Posts events to partners' endpoints (W10). Runs in every process with the role worker. */
export function startWebhookJobs(parts: WebhookJobParts): Job {
  return startJob({
    name: "deliver webhooks",
    logger: parts.logger,
    idleMs: IDLE_MS,
    round: (ending) => deliverDue(parts, ending),
  });
}

/**
 * Posts what is due, each delivery once. Returns the number claimed. What `ending` interrupts is due again at once, for
 * the next process.
 */
export async function deliverDue(parts: WebhookJobParts, ending?: AbortSignal): Promise<number> {
  const { db, webhookKey, oldWebhookKeys = [], allowPrivate, logger, now = () => new Date() } = parts;
  const due = await claimDueDeliveries(db, { now: now(), leaseMs: LEASE_MS, max: MAX_CLAIMED });
  await allOf(
    due.map(async (delivery) => {
      const { id, webhookId, secretVersion: version, previousSecretUntil: previousUntil, url, body } = delivery;
      const secrets = [webhookKey, ...oldWebhookKeys].flatMap((key) =>
        secretsNow(key, { id: webhookId, version, previousUntil }, now()),
      );
      const signature = signWebhook(secrets, body, now());
      const [attemptedAt, since] = [now(), performance.now()];
      const result = await post({ url, body, signature, allowPrivate, signal: ending });
      if (result.status === null && ending?.aborted) {
        await dueDeliveries.release(db, delivery, { until: now() });
        return;
      }
      const durationMs = performance.now() - since;
      const state = await settleDelivery(db, { delivery, ...result, attemptedAt, durationMs, now: now() });
      if (state === "buried") logger.warn({ delivery: id, ...result }, "a partner's webhook was given up");
    }),
  );
  return due.length;
}

/**
 * A delivery that can't even be attempted (its URL is not one) counts as a failed attempt, so that it does not come
 * back for ever.
 */
async function post(webhook: WebhookPost): Promise<DeliveryResult> {
  try {
    return await postWebhook(webhook);
  } catch (error) {
    return { status: null, error: error instanceof Error ? error.message : "It could not be sent." };
  }
}
