import { forgetOldMails } from "@farthing/core/mails/outbox.server.ts";
import { forgetBuyersAddresses } from "@farthing/core/gift-cards/forget-addresses.server.ts";
import { forgetOldPresents } from "@farthing/core/gift-cards/forget-presents.server.ts";
import { forgetOldLoginSteps } from "@farthing/core/sign-in/login-steps.server.ts";
import { forgetOldTries } from "@farthing/core/sign-in/login-tries.server.ts";
import { forgetOldDrafts } from "@farthing/core/registration/drafts.server.ts";
import { forgetOldResetRequests } from "@farthing/core/sign-in/reset-requests.server.ts";
import { forgetOldOperatorSessions } from "@farthing/core/operators/sessions.server.ts";
import { forgetExpiredSessions } from "@farthing/core/sign-in/sessions.server.ts";
import { forgetOldChallenges } from "@farthing/core/sign-in/passkey-challenges.server.ts";
import { forgetOldMemberTokens } from "@farthing/core/members/token.server.ts";
import { forgetOldRequests } from "@farthing/core/partners/requests.server.ts";
import { forgetOldTokens } from "@farthing/core/partners/mint-token.server.ts";
import { forgetOldWidgetSessions } from "@farthing/core/partners/widget-session.server.ts";
import { forgetPaidAccounts } from "@farthing/core/payouts/operations.server.ts";
import { forgetOldLookups } from "@farthing/core/payments/overdue-payments.server.ts";
import { forgetOldCardEvents } from "@farthing/core/payments/receive-card-event.server.ts";
import type { Db } from "@farthing/db/client.ts";
import { allSteps } from "../jobs/all-steps.ts";
import type { JobLogger } from "../jobs/job-logger.ts";
import { startJob, type Job } from "../jobs/start-job.ts";

const IDLE_MS = 15 * 60 * 1000;

/** Deletes expired rows (counts of tries, sessions, tokens, webhook ids, look-ups) every 15 minutes; nothing depends on when. */
export function startSweeping({
  db,
  logger,
  now = () => new Date(),
}: {
  db: Db;
  logger: JobLogger;
  now?: () => Date;
}): Job {
  return startJob({
    name: "sweeping",
    logger,
    idleMs: IDLE_MS,
    async round() {
      await sweepExpired(db, { now: now() });
      return 0;
    },
  });
}

/** One round. */
export function sweepExpired(db: Db, { now }: { now: Date }): Promise<void> {
  return allSteps([
    () => forgetOldTries(db),
    () => forgetOldLoginSteps(db, { now }),
    () => forgetOldMails(db, { now }),
    () => forgetOldResetRequests(db, { now }),
    () => forgetOldMemberTokens(db, { now }),
    () => forgetOldChallenges(db, { now }),
    () => forgetExpiredSessions(db, { now }),
    () => forgetOldOperatorSessions(db, { now }),
    () => forgetOldDrafts(db, { now }),
    () => forgetOldTokens(db, { now }),
    () => forgetOldRequests(db, { now }),
    () => forgetOldWidgetSessions(db, { now }),
    () => forgetOldCardEvents(db, { now }),
    () => forgetOldLookups(db),
    () => forgetPaidAccounts(db, { now }),
    () => forgetOldPresents(db, { now }),
    () => forgetBuyersAddresses(db, { now }),
  ]);
}
