import { claimDueEvents, dueEvents, type DueEvent } from "@farthing/core/networks/events.server.ts";
import type { NetworkRegistry } from "@farthing/core/networks/network-registry.ts";
import { NetworkUnavailableError, type NetworkProvider } from "@farthing/core/networks/provider.ts";
import type { Db } from "@farthing/db/client.ts";
import { allOf, allSteps } from "../jobs/all-steps.ts";
import type { JobLogger } from "../jobs/job-logger.ts";
import { takeInAnswer } from "./report-answer.ts";

export interface ConfirmParts {
  db: Db;
  networks: NetworkRegistry;
  now(): Date;
  logger: JobLogger;
}

/** Longer than a network's report may take. */
const LEASE_MS = 120_000;
const MAX_CLAIMED = 100;
/** The wait where a network does not answer and does not say how long to wait. */
const UNAVAILABLE_SECONDS = 15;
/** After so many parts in a row without an answer the network itself is away: the others are not asked for, which would use up its limit of calls. */
const MAX_SILENT = 2;

/**
 * Asks the networks' reports about the pushes that are due and stores what they answer (C2). A push whose transaction
 * the network does not know moves nothing. The networks are asked side by side: one that is away holds up no other. Returns the number of pushes claimed.
 */
export async function confirmDuePushes(parts: ConfirmParts): Promise<number> {
  const due = await claimDueEvents(parts.db, {
    networkSlugs: parts.networks.all.map(({ slug }) => slug),
    now: parts.now(),
    leaseMs: LEASE_MS,
    max: MAX_CLAIMED,
  });
  await allOf(groupBy(due, (event) => event.networkId).map((events) => confirm(parts, events)));
  return due.length;
}

/** Asks about the pushes of one network, as it splits them: a part without an answer holds up no other. */
async function confirm(parts: ConfirmParts, events: DueEvent[]): Promise<void> {
  const { db, networks, now, logger } = parts;
  const { networkSlug, until: leasedUntil } = events[0]!;
  const provider = networks.get(networkSlug)!;
  const eventsOf = Map.groupBy(events, (event) => event.networkTransactionId);
  const ids = [...eventsOf.keys()];
  const problems = new Set<string>();
  let silent = 0;
  let away: NetworkUnavailableError | null = null;
  const asked = provider.splitIds?.(ids) ?? [ids];
  await allSteps(
    asked.map((part) => async () => {
      const own = part.flatMap((id) => eventsOf.get(id)!);
      // Those that are not asked for come first the next time.
      const laterSeconds = away === null && asked.length > 1 ? UNAVAILABLE_SECONDS : 0;
      try {
        if (away) throw away;
        // The last answer has to arrive within the lease.
        if (leasedUntil.getTime() - now().getTime() < LEASE_MS / 2)
          throw new NetworkUnavailableError("The network answers too slowly to be asked about all pushes at once.");
        await confirmPart(parts, { provider, ids: part, events: own });
        silent = 0;
      } catch (error) {
        // The pushes are due again when their lease ends.
        if (!(error instanceof NetworkUnavailableError)) throw error;
        problems.add(error.message);
        silent += 1;
        if (silent === MAX_SILENT || error.retryAfterSeconds != null) away ??= error;
        const seconds = (error.retryAfterSeconds ?? UNAVAILABLE_SECONDS) + laterSeconds;
        const until = new Date(now().getTime() + seconds * 1000);
        for (const event of own) await dueEvents.release(db, event, { until, error: error.message });
      }
    }),
  );
  for (const problem of problems)
    logger.warn({ network: networkSlug, problem }, "pushes wait until the network answers");
}

async function confirmPart(
  { db, now, logger }: ConfirmParts,
  { provider, ids, events }: { provider: NetworkProvider; ids: readonly string[]; events: readonly DueEvent[] },
): Promise<void> {
  const { networkId, networkSlug } = events[0]!;
  const answer = await provider.fetchTransactionsById(ids);
  const { known } = await takeInAnswer(db, { networkId, answer, now: now(), logger });
  // A transaction that the report does not have is too new for it, or the push is forged.
  for (const event of events) {
    if (known.has(event.networkTransactionId)) continue;
    const error = "The network's report does not have this transaction.";
    const state = await dueEvents.fail(db, event, { now: now(), error });
    if (state === "buried") logger.warn({ network: networkSlug, push: event.id }, "a push stays unconfirmed");
  }
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return [...groups.values()];
}
