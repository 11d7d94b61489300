import type { VoteOutcome } from "@farthing/core/votes/rules.ts";

/** What the page answers to a vote. */
export const voteThanks: Record<VoteOutcome, string> = {
  worked: "Thanks. You said today that it worked.",
  failed: "Thanks. You said today that it did not work. We look into codes that fail.",
};
