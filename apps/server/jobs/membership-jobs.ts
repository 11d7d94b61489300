import { deleteDueAttachments } from "@farthing/core/attachments/store.server.ts";
import { endMemberships, tellOfRenewals } from "@farthing/core/verification-requests/memberships-ending.server.ts";
import { forgetOldWorkEmailChecks } from "@farthing/core/verification-requests/work-email.server.ts";
import type { Db } from "@farthing/db/client.ts";
import type { JobLogger } from "./job-logger.ts";
import { startLoop } from "./loop.ts";

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
  const deleted = await deleteDueAttachments(db, { now: at });
  const told = await tellOfRenewals(db, { now: at });
  const ended = await endMemberships(db, { now: at });
  await forgetOldWorkEmailChecks(db, { now: at });
  if (deleted + told + ended > 0) logger.info({ deleted, told, ended }, "memberships were looked after");
  return deleted + told + ended;
}
