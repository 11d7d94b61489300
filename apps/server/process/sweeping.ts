import { forgetOldMails } from "@farthing/core/mails/outbox.server.ts";
import { forgetOldLoginSteps } from "@farthing/core/sign-in/login-steps.server.ts";
import { forgetOldTries } from "@farthing/core/sign-in/login-tries.server.ts";
import { forgetOldDrafts } from "@farthing/core/registration/drafts.server.ts";
import { forgetExpiredSessions } from "@farthing/core/sign-in/sessions.server.ts";
import { forgetOldChallenges } from "@farthing/core/sign-in/passkey-challenges.server.ts";
import { forgetOldMemberTokens } from "@farthing/core/members/token.server.ts";
import { forgetOldTokens } from "@farthing/core/partners/mint-token.server.ts";
import { forgetOldWidgetSessions } from "@farthing/core/partners/widget-session.server.ts";
import { forgetOldLookups } from "@farthing/core/payments/overdue-payments.server.ts";
import { forgetOldCardEvents } from "@farthing/core/payments/receive-card-event.server.ts";
import type { Db } from "@farthing/db/client.ts";
import { allSteps } from "../jobs/all-steps.ts";
import type { JobLogger } from "../jobs/job-logger.ts";
import { startLoop } from "../jobs/loop.ts";

const EVERY_MS = 15 * 60 * 1000;

/**
 * Deletes expired rows (counts of tries, sessions, tokens, webhook ids, look-ups) every 15 minutes; nothing depends on
 * when. Returns the function that stops it.
 */
export function startSweeping(db: Db, logger: JobLogger): () => Promise<void> {
  const loop = startLoop({
    onError: (error) => logger.error({ err: error, job: "sweeping" }, "a job failed and will run again"),
    async round() {
      const now = new Date();
      await allSteps([
        () => forgetOldTries(db),
        () => forgetOldLoginSteps(db, { now }),
        () => forgetOldMails(db, { now }),
        () => forgetOldMemberTokens(db, { now }),
        () => forgetOldChallenges(db, { now }),
        () => forgetExpiredSessions(db, { now }),
        () => forgetOldDrafts(db, { now }),
        () => forgetOldTokens(db, { now }),
        () => forgetOldWidgetSessions(db, { now }),
        () => forgetOldCardEvents(db, { now }),
        () => forgetOldLookups(db),
      ]);
      return EVERY_MS;
    },
  });
  return () => loop.close();
}
