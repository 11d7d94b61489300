import {
  claimOverduePayments,
  postponeLookup,
  settleOverduePayment,
  type OverduePayment,
} from "@farthing/core/payments/overdue-payments.server.ts";
import { CardProviderUnavailableError, type CardProvider } from "@farthing/core/payments/provider.ts";
import type { Db } from "@farthing/db/client.ts";
import { allOf } from "../jobs/all-steps.ts";
import type { JobLogger } from "../jobs/job-logger.ts";
import { startLoop } from "../jobs/loop.ts";

export interface PaymentJobParts {
  db: Db;
  cards: CardProvider;
  logger: JobLogger;
  now?: () => Date;
}

/** Longer than the provider may take for the calls that one payment needs, so that two processes don't ask about the same at a time. */
const LEASE_MS = 120_000;
const MOST = 10;
const IDLE_MS = 15_000;

/** Asks the card provider about payments whose webhook never came and cancels abandoned ones, for processes with the role worker; any number may (product.md G3). */
export function startPaymentJobs(parts: PaymentJobParts): { close(): Promise<void> } {
  const ending = new AbortController();
  const loop = startLoop({
    onError: (error) => parts.logger.error({ err: error, job: "settle payments" }, "a job failed and will run again"),
    round: async () => ((await settleOverdue(parts, ending.signal)) === MOST ? 0 : IDLE_MS),
  });
  return {
    close() {
      ending.abort();
      return loop.close();
    },
  };
}

/** Looks up what is due, and gives how many were taken. What `ending` interrupts stays taken: the next process looks it up when the lease is over. */
export async function settleOverdue(parts: PaymentJobParts, ending?: AbortSignal): Promise<number> {
  const { db, now = () => new Date() } = parts;
  const due = await claimOverduePayments(db, { now: now(), leaseMs: LEASE_MS, most: MOST });
  const cards = ending ? untilEnding(parts.cards, ending) : parts.cards;
  await allOf(
    due.map(async (payment) => {
      await settle({ ...parts, cards, now }, payment, ending);
      if (!ending?.aborted) await postponeLookup(db, { payment, now: now() });
    }),
  );
  return due.length;
}

type Lookups = Pick<CardProvider, "findPayment" | "cancelPayment">;

async function settle(
  { db, cards, logger, now }: { db: Db; cards: Lookups; logger: JobLogger; now: () => Date },
  payment: OverduePayment,
  ending?: AbortSignal,
): Promise<void> {
  const about = { payment: payment.publicId };
  try {
    const settled = await settleOverduePayment(db, cards, { payment, now: now() });
    if (settled.outcome === "contradiction") logger.error({ ...about, why: settled.why }, "a payment needs a person");
    else if (settled.outcome === "unknown") logger.error(about, "the card provider does not know a payment of ours");
    else if (settled.changed)
      logger.info({ ...about, state: settled.payment.state }, "a payment was settled without its webhook");
  } catch (error) {
    // One payment's trouble is not the others': it is looked up again later.
    if (ending?.aborted) return;
    if (error instanceof CardProviderUnavailableError)
      logger.warn({ ...about, err: error }, "the card provider does not answer; a payment is looked up later");
    else logger.error({ ...about, err: error }, "a payment could not be looked up; it is tried again later");
  }
}

/** The provider, but calls end at once when the process does. A call that was under way may still have its effect; the next look-up sees it. */
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
    cancelPayment: (request) => orEnd(() => cards.cancelPayment(request)),
  };
}
