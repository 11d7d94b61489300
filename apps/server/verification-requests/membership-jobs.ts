import { deleteDueAttachments } from "@farthing/core/attachments/store.server.ts";
import { endMemberships, tellOfRenewals } from "@farthing/core/verification-requests/memberships-ending.server.ts";
import { forgetOldWorkEmailChecks } from "@farthing/core/verification-requests/work-email.server.ts";
import type { Db } from "@farthing/db/client.ts";
import { allSteps } from "../jobs/all-steps.ts";
import type { JobLogger } from "../jobs/job-logger.ts";
import { startLoop } from "../jobs/loop.ts";

export interface MembershipJobParts {
  db: Db;
  logger: JobLogger;
  now?: () => Date;
}

const IDLE_MS = 60_000;

/** Deletes proof that has done its work, tells of memberships that run out, and ends them; for processes with the role worker, any number of them (product.md M4). */
export function startMembershipJobs(parts: MembershipJobParts): { close(): Promise<void> } {
  return startLoop({
    onError: (error) => parts.logger.error({ err: error, job: "memberships" }, "a job failed and will run again"),
    round: async () => ((await lookAfterMemberships(parts)) > 0 ? 0 : IDLE_MS),
  });
}

/** One round. Gives how much there was to do. */
export async function lookAfterMemberships({
  db,
  logger,
  now = () => new Date(),
}: MembershipJobParts): Promise<number> {
  const at = now();
  const done = { deleted: 0, told: 0, ended: 0 };
  const much = () => done.deleted + done.told + done.ended;
  await allSteps([
    async () => (done.deleted = await deleteDueAttachments(db, { now: at })),
    async () => (done.told = await tellOfRenewals(db, { now: at })),
    async () => (done.ended = await endMemberships(db, { now: at })),
    () => forgetOldWorkEmailChecks(db, { now: at }),
  ]).finally(() => {
    if (much() > 0) logger.info(done, "memberships were looked after");
  });
  return much();
}
