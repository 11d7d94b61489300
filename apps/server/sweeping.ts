import { forgetOldMails } from "@farthing/core/mails/outbox.server.ts";
import { forgetOldLoginSteps } from "@farthing/core/members/login-steps.server.ts";
import { forgetOldTries } from "@farthing/core/members/login-tries.server.ts";
import { forgetOldDrafts } from "@farthing/core/members/registration/drafts.server.ts";
import { forgetExpiredSessions } from "@farthing/core/members/operations.server.ts";
import { forgetOldChallenges } from "@farthing/core/members/passkeys.server.ts";
import { forgetOldMemberTokens } from "@farthing/core/members/token.server.ts";
import { forgetOldTokens } from "@farthing/core/partners/mint-token.server.ts";
import { forgetOldWidgetSessions } from "@farthing/core/partners/widget-session.server.ts";
import { forgetOldLookups } from "@farthing/core/payments/overdue-payments.server.ts";
import { forgetOldCardEvents } from "@farthing/core/payments/receive-card-event.server.ts";
import type { Db } from "@farthing/db/client.ts";
import type { Logger } from "./logger.ts";

const everyMs = 15 * 60 * 1000;

/** Removes now and then what is over (counts of tries, sessions, tokens, ids of webhooks, look-ups); nothing depends on when. Gives the function that stops it. */
export function startSweeping(db: Db, logger: Logger): () => void {
  const sweep = async () =>
    await Promise.all([
      forgetOldTries(db),
      forgetOldLoginSteps(db),
      forgetOldMails(db),
      forgetOldMemberTokens(db),
      forgetOldChallenges(db),
      forgetExpiredSessions(db),
      forgetOldDrafts(db),
      forgetOldTokens(db, { now: new Date() }),
      forgetOldWidgetSessions(db, { now: new Date() }),
      forgetOldCardEvents(db, { now: new Date() }),
      forgetOldLookups(db),
    ]);
  const timer = setInterval(() => {
    sweep().catch((error: unknown) => logger.error({ err: error }, "sweeping failed"));
  }, everyMs);
  return () => clearInterval(timer);
}
