import { answerResetRequests } from "@farthing/core/sign-in/password-reset.server.ts";
import { dueMails } from "@farthing/core/mails/outbox.server.ts";
import type { Pool } from "pg";
import { allSteps } from "../jobs/all-steps.ts";
import { startJob, type Job } from "../jobs/start-job.ts";
import { openMailer, type MailerParts } from "./mailer.ts";

const IDLE_MS = 5_000;

/**
 * Sends what waits in the outbox (M9). Runs in every process with the role worker, and keeps one connection to hear of
 * new mails.
 */
export function startMailJobs({ pool, ...parts }: MailerParts & { pool: Pool }): Job {
  const { db, logger, now = () => new Date() } = parts;
  const mailer = openMailer(parts);
  const job = startJob({
    name: "send mails",
    logger,
    idleMs: IDLE_MS,
    async round(ending) {
      let claimed = 0;
      await allSteps([
        () => answerResetRequests(db, { now: now() }),
        async () => (claimed = await mailer.sendDue(() => ending.aborted)),
      ]);
      return claimed;
    },
    nextDue: () => dueMails.nextDue(db),
    now,
    wakeOn: { pool, channel: "mails" },
  });
  return {
    async close() {
      await job.close();
      parts.sender.close();
    },
  };
}
