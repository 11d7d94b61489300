import { deleteDueAttachments } from "@farthing/core/attachments/store.server.ts";
import { endMemberships, tellOfRenewals } from "@farthing/core/verification-requests/memberships-ending.server.ts";
import { forgetOldWorkEmailChecks } from "@farthing/core/verification-requests/work-email.server.ts";
import type { Db } from "@farthing/db/client.ts";
import { allSteps } from "../jobs/all-steps.ts";
import type { JobLogger } from "../jobs/job-logger.ts";
import { startJob, type Job } from "../jobs/start-job.ts";

export interface MembershipJobParts {
  db: Db;
  logger: JobLogger;
  now?: () => Date;
}

const IDLE_MS = 60_000;

/**
 * Deletes proof that is no longer needed, and reminds of memberships that end, and ends them (M4). Runs in every
 * process with the role worker.
 */
export function startMembershipJobs(parts: MembershipJobParts): Job {
  return startJob({
    name: "memberships",
    logger: parts.logger,
    idleMs: IDLE_MS,
    round: () => advanceMemberships(parts),
  });
}

/** One round. Returns the number of files deleted, reminders sent and memberships ended. */
export async function advanceMemberships({ db, logger, now = () => new Date() }: MembershipJobParts): Promise<number> {
  const at = now();
  const done = { deleted: 0, told: 0, ended: 0 };
  const total = () => done.deleted + done.told + done.ended;
  await allSteps([
    async () => (done.deleted = await deleteDueAttachments(db, { now: at })),
    async () => (done.told = await tellOfRenewals(db, { now: at })),
    async () => (done.ended = await endMemberships(db, { now: at })),
    () => forgetOldWorkEmailChecks(db, { now: at }),
  ]).finally(() => {
    if (total() > 0) logger.info(done, "memberships were advanced");
  });
  return total();
}
