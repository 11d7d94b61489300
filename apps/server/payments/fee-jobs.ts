import { accountFor } from "@farthing/core/payments/card-accounts.ts";
import { dueFees, readFee } from "@farthing/core/payments/due-fees.server.ts";
import { allOf } from "../jobs/all-steps.ts";
import { startJob, type Job } from "../jobs/start-job.ts";
import type { PaymentJobParts } from "./payment-jobs.ts";

/** Longer than the provider may take for one call. */
const LEASE_MS = 120_000;
const MAX_CLAIMED = 10;

const IDLE_MS = 30_000;

/** Reads the fees of payments that were taken (G3). Runs in every process with the role worker. */
export function startFeeJobs(parts: PaymentJobParts): Job {
  return startJob({ name: "card fees", logger: parts.logger, idleMs: IDLE_MS, round: () => readFees(parts) });
}

/** Reads what the card provider keeps of payments that were taken, and books it (G3). Returns the number claimed. */
export async function readFees({ db, cards, logger, now = () => new Date() }: PaymentJobParts): Promise<number> {
  const claimed = await dueFees.claim(db, { now: now(), leaseMs: LEASE_MS, max: MAX_CLAIMED });
  await allOf(
    claimed.map(async (due) => {
      try {
        await readFee(db, accountFor(cards, "live"), { due, now: now() });
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        await dueFees.fail(db, due, { now: now(), error: why });
        logger.warn({ payment: due.publicId, err: error }, "a fee could not be read; it is tried again later");
      }
    }),
  );
  return claimed.length;
}
