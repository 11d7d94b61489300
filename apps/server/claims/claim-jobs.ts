import { creditClaimedSales } from "@farthing/core/cashback/operations.server.ts";
import { announceClaims } from "@farthing/core/claims/announce-claims.server.ts";
import { proposeClaims } from "@farthing/core/claims/proposals.server.ts";
import { CLAIM_LEASE_MS, dueClaims, stepClaim } from "@farthing/core/claims/work-claims.server.ts";
import type { UnsubscribeKeys } from "@farthing/core/mail-choices/unsubscribe-token.ts";
import type { NetworkRegistry } from "@farthing/core/networks/network-registry.ts";
import { NetworkUnavailableError } from "@farthing/core/networks/provider.ts";
import type { Db } from "@farthing/db/client.ts";
import { allSteps } from "../jobs/all-steps.ts";
import type { JobLogger } from "../jobs/job-logger.ts";
import { lookForSale } from "./look-for-sale.ts";
import { startJob, type Job } from "../jobs/start-job.ts";

export interface ClaimJobParts {
  db: Db;
  networks: NetworkRegistry;
  unsubscribeKeys: UnsubscribeKeys;
  logger: JobLogger;
  now?: () => Date;
}

const MAX_CLAIMED = 20;
const IDLE_MS = 3_000;
const PROPOSE_MS = 10 * 60_000;
/** Calls of a network's rate limit that claims leave for its report. */
const RESERVED_CALLS = 10;
const WAIT_FOR_CALLS_MS = 15 * 60_000;

/**
 * Opens, files and asks about claims, credits what they name, and writes to their members (C7). Runs in every process with
 * the role worker.
 */
export function startClaimJobs(parts: ClaimJobParts): Job {
  const { db, unsubscribeKeys: keys, logger, now = () => new Date() } = parts;
  const jobs = [
    startJob({
      name: "claims",
      logger,
      idleMs: IDLE_MS,
      round: () => workClaims({ ...parts, now }),
      nextDue: () => dueClaims.nextDue(db),
      now,
    }),
    startJob({
      name: "claim mails",
      logger,
      idleMs: IDLE_MS,
      round: () => announceClaims(db, { keys, now: now() }),
    }),
    startJob({
      name: "propose claims",
      logger,
      idleMs: PROPOSE_MS,
      async round() {
        const proposed = await proposeClaims(db, { now: now() });
        if (proposed > 0) logger.info({ proposed }, "members are asked about purchases that a network pushed");
        return 0;
      },
    }),
  ];
  return {
    async close() {
      await Promise.all(jobs.map((job) => job.close()));
    },
  };
}

/** Takes the next step of each claim that is due. Returns the number claimed. */
export async function workClaims(parts: ClaimJobParts & { now(): Date }): Promise<number> {
  const { db, now } = parts;
  const due = await dueClaims.claim(db, { now: now(), leaseMs: CLAIM_LEASE_MS, max: MAX_CLAIMED });
  await allSteps([
    ...due.map((lease) => () => workOn(parts, lease)),
    async () => {
      await creditClaimedSales(db, { now: now() });
    },
  ]);
  return due.length;
}

async function workOn(
  { db, networks, logger, now }: ClaimJobParts & { now(): Date },
  lease: Awaited<ReturnType<typeof dueClaims.claim>>[number],
): Promise<void> {
  const provider = networks.get(lease.networkSlug);
  const filer = provider?.claims ?? null;
  const callsNetwork = filer !== null || lease.state === "accepted";
  if (callsNetwork && provider && provider.callsLeft() <= RESERVED_CALLS) {
    await dueClaims.release(db, lease, { until: new Date(now().getTime() + WAIT_FOR_CALLS_MS) });
    return;
  }
  try {
    if (lease.state === "accepted") await lookForSale({ db, logger, now }, { lease, provider: provider ?? null });
    else await stepClaim(db, { lease, filer, now: now() });
  } catch (error) {
    const about = { claim: lease.id, network: lease.networkSlug };
    const message = error instanceof Error ? error.message : String(error);
    const state = await dueClaims.fail(db, lease, { now: now(), error: message });
    if (state === "buried") logger.error({ ...about, err: error }, "a claim was given up: it needs a person");
    else if (error instanceof NetworkUnavailableError)
      logger.warn({ ...about, problem: message }, "a claim waits until its network answers");
    else logger.error({ ...about, err: error }, "a claim could not be worked on; it is tried again later");
  }
}
