/** What members read of a claim (C7). Pure. */
import { DECLINE_REASONS, type DeclineReason } from "../networks/decline-reason.ts";

/** Why a claim was declined: the reason's sentence, and what the retailer wrote. */
export function answerWords(reason: DeclineReason | null, answer: string | null): string | null {
  if (reason === null) return answer;
  if (answer === null) return DECLINE_REASONS[reason];
  // "Other" explains nothing beside the retailer's own words.
  return reason === "other" ? `The retailer wrote: “${answer}”` : `${DECLINE_REASONS[reason]} It wrote: “${answer}”`;
}

/** What is missing where nobody has asked for something else. */
export const EVIDENCE_WORDS = "Add the order confirmation: the retailer decides nothing without it.";
