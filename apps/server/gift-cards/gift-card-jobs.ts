import { advanceLine, type SagaParts } from "@farthing/core/gift-cards/advance-line.server.ts";
import { dueLines } from "@farthing/core/gift-cards/due-lines.server.ts";
import { duePresents, stepPresent } from "@farthing/core/gift-cards/due-presents.server.ts";
import { readFloats } from "@farthing/core/gift-cards/floats.server.ts";
import { isIssuerUnavailable, IssuerUnavailableError } from "@farthing/core/gift-cards/issuer.ts";
import { dueNotices, stepNotice } from "@farthing/core/gift-cards/wallet-notices.server.ts";
import type { UnsubscribeKeys } from "@farthing/core/mail-choices/unsubscribe-token.ts";
import { syncCatalogue } from "@farthing/core/gift-cards/sync-catalogue.server.ts";
import { NoCardAccountError } from "@farthing/core/payments/card-accounts.ts";
import { CardProviderUnavailableError } from "@farthing/core/payments/provider.ts";
import { allOf } from "../jobs/all-steps.ts";
import type { JobLogger } from "../jobs/job-logger.ts";
import { startJob, type Job } from "../jobs/start-job.ts";

export interface GiftCardJobParts extends SagaParts {
  logger: JobLogger;
  unsubscribeKeys: UnsubscribeKeys;
}

/** Longer than one step may take: an issuer's call ends after 15 s, a card provider's after 16 s. */
const LEASE_MS = 120_000;
const MAX_CLAIMED = 10;
const IDLE_MS = 5_000;
const NOTICE_IDLE_MS = 60_000;
const SYNC_MS = 60 * 60_000;
const CATALOGUE_IDLE_MS = 60_000;
const FLOAT_IDLE_MS = 60_000;

/**
 * Advances gift-card lines, reads the issuers' catalogues every hour and their floats every five minutes (G4, G5), sends presents and writes to the owners of cards
 * (G6). Without issuers only the floats are looked after: those of an issuer that was removed are forgotten.
 */
export function startGiftCardJobs(parts: GiftCardJobParts): Job {
  const { logger } = parts;
  const jobs = [
    startJob({ name: "gift-card floats", logger, idleMs: FLOAT_IDLE_MS, round: () => readFloatsRound(parts) }),
    ...(parts.issuers.size > 0 ? startCardJobs(parts) : []),
  ];
  return { close: async () => void (await Promise.all(jobs.map((job) => job.close()))) };
}

/** The jobs that need an issuer. */
function startCardJobs(parts: GiftCardJobParts): Job[] {
  const { db, logger } = parts;
  return [
    startJob({
      name: "gift cards",
      logger,
      idleMs: IDLE_MS,
      round: () => advanceLines(parts),
      nextDue: () => dueLines.nextDue(db),
      now: () => parts.now(),
    }),
    startJob({
      name: "presents",
      logger,
      idleMs: IDLE_MS,
      round: () => sendPresents(parts),
      nextDue: () => duePresents.nextDue(db),
      now: () => parts.now(),
    }),
    startJob({
      name: "gift-card notices",
      logger,
      idleMs: NOTICE_IDLE_MS,
      round: () => sendNotices(parts),
    }),
    startJob({ name: "gift-card catalogues", logger, idleMs: CATALOGUE_IDLE_MS, round: catalogueRound(parts) }),
  ];
}

/** Takes one step with each line that is due. Returns the number claimed. */
export async function advanceLines(parts: GiftCardJobParts): Promise<number> {
  const { db, logger, now } = parts;
  const claimed = await dueLines.claim(db, { now: now(), leaseMs: LEASE_MS, max: MAX_CLAIMED });
  await allOf(
    claimed.map(async (due) => {
      const about = { line: due.publicId };
      try {
        const step = await advanceLine(parts, due.id);
        if (step.outcome === "waiting") await dueLines.fail(db, due, { now: now(), error: step.why });
        if (step.outcome === "over") await dueLines.settle(db, due, { next_step_at: null });
      } catch (error) {
        const isOutside =
          error instanceof IssuerUnavailableError ||
          error instanceof CardProviderUnavailableError ||
          error instanceof NoCardAccountError;
        await dueLines.fail(db, due, { now: now(), error: error instanceof Error ? error.message : "unknown" });
        if (isOutside) logger.warn({ ...about, err: error }, "a gift card's step is tried again later");
        else logger.error({ ...about, err: error }, "a gift card's step failed and is tried again later");
      }
    }),
  );
  return claimed.length;
}

/** Takes the next step of each present that is due. Returns the number claimed. */
export async function sendPresents({ db, logger, now }: GiftCardJobParts): Promise<number> {
  const claimed = await duePresents.claim(db, { now: now(), leaseMs: LEASE_MS, max: MAX_CLAIMED });
  for (const lease of claimed) {
    try {
      await stepPresent(db, { lease, now: now() });
    } catch (error) {
      await duePresents.fail(db, lease, { now: now(), error: error instanceof Error ? error.message : "unknown" });
      logger.error({ present: lease.publicId, err: error }, "a present could not be sent; it is tried again later");
    }
  }
  return claimed.length;
}

/** Tells the owners of cards what is due. Returns the number of cards. */
export async function sendNotices({ db, logger, unsubscribeKeys: keys, now }: GiftCardJobParts): Promise<number> {
  const claimed = await dueNotices.claim(db, { now: now(), leaseMs: LEASE_MS, max: MAX_CLAIMED });
  for (const lease of claimed) {
    try {
      await stepNotice(db, { lease, keys, now: now() });
    } catch (error) {
      await dueNotices.fail(db, lease, { now: now(), error: error instanceof Error ? error.message : "unknown" });
      logger.error(
        { line: lease.publicId, err: error },
        "the owner of a gift card could not be told; tried again later",
      );
    }
  }
  return claimed.length;
}

/** Reads the floats that were not read for five minutes. An issuer that fails is asked again in the next round. */
export async function readFloatsRound({ db, issuers, logger, now }: GiftCardJobParts): Promise<number> {
  for (const { issuer, error } of await readFloats(db, { issuers, now: now() })) {
    const about = { issuer, err: error };
    if (isIssuerUnavailable(error)) logger.info(about, "an issuer's float could not be read; it is read later");
    else logger.error(about, "reading an issuer's float failed and is tried again later");
  }
  return 0;
}

/**
 * Returns a round that reads the catalogues that were not read for an hour. An issuer that does not answer is asked again
 * in the next round.
 */
function catalogueRound({ db, issuers, logger, now }: GiftCardJobParts): () => Promise<number> {
  const readAt = new Map<string, number>();
  return async () => {
    for (const issuer of issuers.values()) {
      const at = now();
      if (at.getTime() - (readAt.get(issuer.slug) ?? 0) < SYNC_MS) continue;
      try {
        await syncCatalogue(db, issuer, { now: at });
        readAt.set(issuer.slug, at.getTime());
      } catch (error) {
        if (!(error instanceof IssuerUnavailableError)) throw error;
        logger.info({ issuer: issuer.slug, err: error }, "an issuer's catalogue could not be read; it is read later");
      }
    }
    return 0;
  };
}
