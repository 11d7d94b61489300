import { accountFor, modeOf } from "@farthing/core/payments/card-accounts.ts";
import { dueDisputes, findUnheardDisputes } from "@farthing/core/payments/due-disputes.server.ts";
import { CardProviderUnavailableError } from "@farthing/core/payments/provider.ts";
import { readPayment } from "@farthing/core/payments/read-payment.server.ts";
import { allOf } from "../jobs/all-steps.ts";
import { startJob, type Job } from "../jobs/start-job.ts";
import type { PaymentJobParts } from "./payment-jobs.ts";

/** Longer than the provider may take for the calls that one payment needs. */
const LEASE_MS = 120_000;
const MAX_CLAIMED = 10;
const IDLE_MS = 30_000;
const HOUR_MS = 60 * 60_000;

/**
 * Reads open disputes again each day, and looks for disputes whose webhooks never came each hour (G3). Runs in every process
 * with the role worker.
 */
export function startDisputeJobs(parts: PaymentJobParts): Job {
  let searchedAt = -Infinity;
  return startJob({
    name: "disputes",
    logger: parts.logger,
    idleMs: IDLE_MS,
    round: async () => {
      if (performance.now() - searchedAt >= HOUR_MS) {
        searchedAt = performance.now();
        await findDisputes(parts);
      }
      return lookAtDisputes(parts);
    },
  });
}

/** Reads open disputes again, each once a day. Returns the number claimed. */
export async function lookAtDisputes({ db, cards, logger, now = () => new Date() }: PaymentJobParts): Promise<number> {
  const claimed = await dueDisputes.claim(db, { now: now(), leaseMs: LEASE_MS, max: MAX_CLAIMED });
  await allOf(
    claimed.map(async (due) => {
      const about = { dispute: due.publicId, payment: due.paymentPublicId };
      try {
        const account = accountFor(cards, due.mode);
        const { providerPaymentId } = due;
        const read = await readPayment(db, account, {
          ...{ providerPaymentId, about: "all" as const, mode: modeOf(cards, account), now: now() },
        });
        if (read.outcome === "contradiction") logger.error({ ...about, why: read.why }, "a dispute needs a person");
        if (read.outcome === "unknown") logger.error(about, "the card provider does not know a payment of ours");
      } catch (error) {
        logger.warn({ ...about, err: error }, "a dispute could not be looked up; it is tried again tomorrow");
      }
      // A dispute that has changed has its next look already, and this lease is over.
      await dueDisputes.fail(db, due, { now: now(), error: null });
    }),
  );
  return claimed.length;
}

/**
 * Looks for disputes whose webhooks never came, for example because the provider is not set up to send them. Returns the
 * number found.
 */
export async function findDisputes({ db, cards, logger, now = () => new Date() }: PaymentJobParts): Promise<number> {
  let found = 0;
  for (const account of new Set([cards.live, cards.test])) {
    if (!account) continue;
    try {
      for (const providerPaymentId of await findUnheardDisputes(db, account, { now: now() })) {
        await readPayment(db, account, { providerPaymentId, about: "all", mode: modeOf(cards, account), now: now() });
        logger.warn(
          { providerPaymentId },
          "a dispute was found that no webhook told of: send charge.dispute.* events (docs/configuration.md)",
        );
        found += 1;
      }
    } catch (error) {
      if (!(error instanceof CardProviderUnavailableError)) throw error;
      logger.warn({ err: error }, "the card provider does not answer; disputes are looked for later");
    }
  }
  return found;
}
