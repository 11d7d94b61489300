import { dueMails } from "@farthing/core/mails/outbox.server.ts";
import {
  answerResetRequests,
  dueResetRequests,
  type FailedResetRequest,
} from "@farthing/core/sign-in/reset-requests.server.ts";
import type { Pool } from "pg";
import { allSteps } from "../jobs/all-steps.ts";
import { startJob, type Job } from "../jobs/start-job.ts";
import { openMailer, type MailerParts } from "./mailer.ts";

export interface MailJobParts extends MailerParts {
  pool: Pool;
  /** Key of the hashes that stand for strangers' addresses in the counts of mails. */
  mailCountSecret: string;
}

const IDLE_MS = 5_000;

/**
 * Sends what waits in the outbox (M9). Runs in every process with the role worker, and keeps one connection to hear of
 * new mails.
 */
export function startMailJobs({ pool, mailCountSecret, ...parts }: MailJobParts): Job {
  const { db, logger, now = () => new Date() } = parts;
  const mailer = openMailer(parts);
  const onFailure = ({ id, attempts, state, error }: FailedResetRequest) => {
    const { name, code } = error as { name?: string; code?: string };
    const about = { resetRequest: id, attempts, code: code ?? name };
    if (state === "buried") logger.error(about, "a request for a new password was given up");
    if (state === "waiting")
      logger.warn(about, "a request for a new password could not be answered and will be tried again");
  };
  const job = startJob({
    name: "send mails",
    logger,
    idleMs: IDLE_MS,
    async round(ending) {
      let answered = 0;
      let sent = 0;
      await allSteps([
        async () => (answered = await answerResetRequests(db, { secret: mailCountSecret, now: now(), onFailure })),
        async () => (sent = await mailer.sendDue(() => ending.aborted)),
      ]);
      return answered + sent;
    },
    async nextDue() {
      const [request, mail] = [await dueResetRequests.nextDue(db), await dueMails.nextDue(db)];
      return request && mail ? new Date(Math.min(request.getTime(), mail.getTime())) : (request ?? mail);
    },
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
