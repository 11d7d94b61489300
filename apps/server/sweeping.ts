import { forgetOldTries } from "@farthing/core/members/login-tries.server.ts";
import { forgetExpiredSessions } from "@farthing/core/members/operations.server.ts";
import type { Db } from "@farthing/db/client.ts";
import type { Logger } from "./logger.ts";

const everyMs = 15 * 60 * 1000;

/** Removes now and then what is over (counts of tries, sessions); nothing depends on when. Gives the function that stops it. */
export function startSweeping(db: Db, logger: Logger): () => void {
  const sweep = () =>
    Promise.all([forgetOldTries(db), forgetExpiredSessions(db)]).catch((error: unknown) =>
      logger.error({ err: error }, "sweeping failed"),
    );
  const timer = setInterval(() => void sweep(), everyMs);
  return () => clearInterval(timer);
}
