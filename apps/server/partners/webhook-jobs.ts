import {
  claimDueDeliveries,
  type DeliveryResult,
  type DueDelivery,
  dueDeliveries,
  settleDelivery,
} from "@farthing/core/partners/webhooks.server.ts";
import { secretsNow, signWebhook } from "@farthing/core/partners/webhook-rules.ts";
import type { Db } from "@farthing/db/client.ts";
import { throwAll } from "../jobs/all-steps.ts";
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
/** Posts that are in flight at a time, to all endpoints and to each. */
const MAX_IN_FLIGHT = 40;
const MAX_OF_ENDPOINT = 4;
const IDLE_MS = 2_000;

/** Posts events to partners' endpoints (W10). Runs in every process with the role worker. */
export function startWebhookJobs(parts: WebhookJobParts): Job {
  const deliveries = openDeliveries(parts);
  const job = startJob({
    name: "deliver webhooks",
    logger: parts.logger,
    idleMs: IDLE_MS,
    async round(ending) {
      const begun = await deliveries.begin(ending);
      // A place that becomes free is filled at once. What becomes due meanwhile is looked for all the same.
      return begun > 0 || (await deliveries.oneEnded(IDLE_MS)) ? 1 : 0;
    },
  });
  return {
    async close() {
      await job.close();
      await deliveries.allEnded();
    },
  };
}

/** Posts all that is due, each delivery once. Returns the number of deliveries. */
export async function deliverDue(parts: WebhookJobParts): Promise<number> {
  const deliveries = openDeliveries(parts);
  let count = 0;
  do count += await deliveries.begin();
  while (await deliveries.oneEnded());
  return count;
}

/**
 * Posts deliveries into free places: each is claimed when there is a place for it, and an endpoint has few of them, so that one that does not answer holds up no
 * other.
 */
function openDeliveries(parts: WebhookJobParts) {
  const { db, now = () => new Date() } = parts;
  /** The posts in flight, with their endpoints. */
  const inFlight = new Map<Promise<void>, string>();
  /** Of posts that have ended, for the next round: it is logged, and further rounds wait. */
  const faults: unknown[] = [];

  function busyEndpoints(): string[] {
    const counts = new Map<string, number>();
    for (const endpoint of inFlight.values()) counts.set(endpoint, (counts.get(endpoint) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= MAX_OF_ENDPOINT).map(([endpoint]) => endpoint);
  }

  return {
    /** Begins as many posts of what is due as there are places, and none once `ending` is aborted. Returns their number. */
    async begin(ending?: AbortSignal): Promise<number> {
      let begun = 0;
      while (inFlight.size < MAX_IN_FLIGHT && !ending?.aborted) {
        const claim = { now: now(), leaseMs: LEASE_MS, max: 1 };
        const busy = busyEndpoints();
        const [delivery] = await claimDueDeliveries(db, claim, busy);
        if (!delivery) {
          // The claim left out an endpoint of which a post has ended meanwhile: what is due there has a place now.
          const stillBusy = new Set(busyEndpoints());
          if (busy.some((endpoint) => !stillBusy.has(endpoint))) continue;
          break;
        }
        begun += 1;
        // The outcome could not be written (the database is away): the lease ends, and the delivery is due again.
        const posting: Promise<void> = deliver(parts, delivery, ending)
          .catch((fault: unknown) => void faults.push(fault))
          .finally(() => inFlight.delete(posting));
        inFlight.set(posting, delivery.webhookId);
      }
      return begun;
    },

    /** Waits until a post has ended, or for `maxMs`. False: none was in flight. @throws what went wrong in posts that have ended */
    async oneEnded(maxMs?: number): Promise<boolean> {
      throwAll(faults.splice(0));
      if (inFlight.size === 0) return false;
      const timer = Promise.withResolvers<void>();
      const timeout = maxMs === undefined ? undefined : setTimeout(timer.resolve, maxMs);
      await Promise.race([timer.promise, ...inFlight.keys()]);
      clearTimeout(timeout);
      throwAll(faults.splice(0));
      return true;
    },

    /** @throws as oneEnded does */
    async allEnded(): Promise<void> {
      await Promise.all(inFlight.keys());
      throwAll(faults.splice(0));
    },
  };
}

/** Posts a delivery and writes how it went. What `ending` interrupts is due again at once, for the next process. */
async function deliver(parts: WebhookJobParts, delivery: DueDelivery, ending?: AbortSignal): Promise<void> {
  const { db, webhookKey, oldWebhookKeys = [], allowPrivate, logger, now = () => new Date() } = parts;
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
