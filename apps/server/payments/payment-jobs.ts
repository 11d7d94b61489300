import {
  claimOverduePayments,
  dueLookups,
  postponeLookup,
  settleOverduePayment,
  type OverduePayment,
} from "@farthing/core/payments/overdue-payments.server.ts";
import { accountFor, modeOf, NoCardAccountError, type CardAccounts } from "@farthing/core/payments/card-accounts.ts";
import { claimDueRefunds, dueRefunds, finishDueRefund } from "@farthing/core/payments/due-refunds.server.ts";
import { CardProviderUnavailableError, type CardProvider } from "@farthing/core/payments/provider.ts";
import type { Db } from "@farthing/db/client.ts";
import { allOf } from "../jobs/all-steps.ts";
import type { JobLogger } from "../jobs/job-logger.ts";
import { startJob, type Job } from "../jobs/start-job.ts";

export interface PaymentJobParts {
  db: Db;
  cards: CardAccounts;
  logger: JobLogger;
  now?: () => Date;
}

/** Longer than the provider may take for the calls that one payment needs. */
const LEASE_MS = 120_000;
const MAX_CLAIMED = 10;
const IDLE_MS = 15_000;

/**
 * Looks up payments whose webhook never came, and cancels abandoned ones (G3). Runs in every process with the
 * role worker.
 */
export function startPaymentJobs(parts: PaymentJobParts): Job {
  return startJob({
    name: "settle payments",
    logger: parts.logger,
    idleMs: IDLE_MS,
    round: async (ending) => (await settleOverdue(parts, ending)) + (await finishRefunds(parts)),
  });
}

/**
 * Looks up what is due. Returns the number claimed. What `ending` interrupts is due again at once, for the
 * next process.
 */
export async function settleOverdue(parts: PaymentJobParts, ending?: AbortSignal): Promise<number> {
  const { db, now = () => new Date() } = parts;
  const due = await claimOverduePayments(db, { now: now(), leaseMs: LEASE_MS, max: MAX_CLAIMED });
  await allOf(
    due.map(async (payment) => {
      await settle({ ...parts, now }, payment, ending);
      if (ending?.aborted) await dueLookups.release(db, payment, { until: now() });
      else await postponeLookup(db, { payment, now: now() });
    }),
  );
  return due.length;
}

/**
 * Finishes refunds whose caller died or got no answer: with the key of the first attempt, so that each is made once.
 * Returns the number claimed.
 */
export async function finishRefunds({ db, cards, logger, now = () => new Date() }: PaymentJobParts): Promise<number> {
  const claimed = await claimDueRefunds(db, { now: now(), leaseMs: LEASE_MS, max: MAX_CLAIMED });
  await allOf(
    claimed.map(async (due) => {
      const about = { refund: due.id, payment: due.publicId };
      try {
        const { outcome } = await finishDueRefund(db, cards, { due, now: now() });
        if (outcome === "refunded") logger.info(about, "a refund was finished that its caller had left");
        else if (outcome === "unsure") logger.warn(about, "a refund is too old to be sent; it is looked up later");
        else logger.error({ ...about, outcome }, "a refund needs a person");
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        const state = await dueRefunds.fail(db, due, { now: now(), error: why });
        if (state === "buried") logger.error({ ...about, err: error }, "a refund was given up: it needs a person");
        else if (error instanceof CardProviderUnavailableError || error instanceof NoCardAccountError)
          logger.warn({ ...about, err: error }, "a refund could not be finished; it is tried again later");
        else logger.error({ ...about, err: error }, "a refund could not be finished; it is tried again later");
      }
    }),
  );
  return claimed.length;
}

type Lookups = Pick<CardProvider, "findPayment" | "findRefunds" | "cancelPayment">;

async function settle(
  { db, cards, logger, now }: { db: Db; cards: CardAccounts; logger: JobLogger; now: () => Date },
  payment: OverduePayment,
  ending?: AbortSignal,
): Promise<void> {
  const about = { payment: payment.publicId };
  try {
    const account = accountFor(cards, payment.mode);
    const asked = ending ? untilEnding(account, ending) : account;
    const settled = await settleOverduePayment(db, asked, { payment, mode: modeOf(cards, account), now: now() });
    if (settled.outcome === "contradiction") logger.error({ ...about, why: settled.why }, "a payment needs a person");
    else if (settled.outcome === "unknown") logger.error(about, "the card provider does not know a payment of ours");
    else if (settled.changed)
      logger.info({ ...about, state: settled.payment.state }, "a payment was settled without its webhook");
  } catch (error) {
    // Other payments go on. This one is looked up again later.
    if (ending?.aborted) return;
    if (error instanceof CardProviderUnavailableError)
      logger.warn({ ...about, err: error }, "the card provider does not answer; a payment is looked up later");
    else logger.error({ ...about, err: error }, "a payment could not be looked up; it is tried again later");
  }
}

/**
 * Returns the provider with calls that reject when the process stops. A call in flight may still take effect; the next
 * look-up sees it.
 */
function untilEnding(cards: CardProvider, ending: AbortSignal): Lookups {
  const orEnd = async <T>(call: () => Promise<T>): Promise<T> => {
    ending.throwIfAborted();
    const { promise: ended, reject } = Promise.withResolvers<never>();
    const stop = () => reject(ending.reason);
    ending.addEventListener("abort", stop);
    try {
      return await Promise.race([call(), ended]);
    } finally {
      ending.removeEventListener("abort", stop);
    }
  };
  return {
    findPayment: (id) => orEnd(() => cards.findPayment(id)),
    findRefunds: (id) => orEnd(() => cards.findRefunds(id)),
    cancelPayment: (request) => orEnd(() => cards.cancelPayment(request)),
  };
}
