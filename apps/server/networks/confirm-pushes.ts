import { claimDueEvents, postponeEvent, type DueEvent } from "@farthing/core/networks/events.server.ts";
import type { NetworkRegistry } from "@farthing/core/networks/network-registry.ts";
import { NetworkUnavailableError } from "@farthing/core/networks/provider.ts";
import type { Db } from "@farthing/db/client.ts";
import { allSteps } from "../jobs/all-steps.ts";
import type { JobLogger } from "../jobs/job-logger.ts";
import { takeInAnswer } from "./report-answer.ts";

export interface ConfirmParts {
  db: Db;
  networks: NetworkRegistry;
  now(): Date;
  logger: JobLogger;
}

/** Waits between asking for a transaction that the network does not know (yet). After the last one the push stays unconfirmed. */
const WAITS_SECONDS = [2, 5, 15, 60, 300, 900, 3_600, 21_600];
const LEASE_MS = 120_000;
const MOST = 100;
const UNAVAILABLE_SECONDS = 15;

/**
 * Asks the networks' reports about the pushes that are due and stores what they answer (product.md C2). A push whose transaction the
 * network does not know moves nothing. Gives how many pushes were looked at.
 */
export async function confirmDuePushes(parts: ConfirmParts): Promise<number> {
  const due = await claimDueEvents(parts.db, {
    networkSlugs: parts.networks.all.map((one) => one.slug),
    now: parts.now(),
    leaseMs: LEASE_MS,
    most: MOST,
  });
  await allSteps(groupBy(due, (event) => event.networkId).map((events) => () => confirm(parts, events)));
  return due.length;
}

async function confirm({ db, networks, now, logger }: ConfirmParts, events: DueEvent[]): Promise<void> {
  const { networkId, networkSlug } = events[0]!;
  try {
    const ids = [...new Set(events.map((event) => event.networkTransactionId))];
    const answer = await networks.get(networkSlug)!.fetchTransactionsById(ids);
    const { known } = await takeInAnswer(db, { networkId, answer, now: now(), logger });
    // The network's word is the answer to "is it true?": what it does not list may be too new for its report, or forged.
    for (const event of events) if (!known.has(event.networkTransactionId)) await askLater(db, event, now());
  } catch (error) {
    if (!(error instanceof NetworkUnavailableError)) throw error; // the lease brings them back
    logger.warn({ network: networkSlug, problem: error.message }, "pushes wait until the network answers");
    const nextAttemptAt = new Date(now().getTime() + (error.retryAfterSeconds ?? UNAVAILABLE_SECONDS) * 1000);
    for (const event of events)
      await postponeEvent(db, { id: event.id, nextAttemptAt, problem: error.message, now: now(), isUnanswered: true });
  }
}

async function askLater(db: Db, event: DueEvent, now: Date): Promise<void> {
  const wait = WAITS_SECONDS[event.attempts - 1];
  const nextAttemptAt = wait === undefined ? null : new Date(now.getTime() + wait * 1000);
  await postponeEvent(db, {
    id: event.id,
    nextAttemptAt,
    problem: "The network's report does not have this transaction.",
    now,
  });
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return [...groups.values()];
}
