import type { BonusView } from "@farthing/core/referrals/queries.server.ts";
import { type BonusState, daysAfter, lastDayOf, REPORT_DAYS } from "@farthing/core/referrals/rules.ts";
import { dayAndMonth } from "../../ui/text/british-dates.ts";

export interface BonusWords {
  label: string;
  text: string;
  tone: "waits" | "good" | "over";
}

/** Returns how far a bonus is, as its inviter reads it. A hold has no reason here: only operators know it. */
export function inviterWords(bonus: BonusView, now: Date): BonusWords {
  const until = dayAndMonth(lastDayOf(bonus.qualifyUntil), now);
  return wordsOf(bonus, now, {
    invited: { label: "Has joined", text: `They have until ${until} to buy something that counts.` },
    qualifying: { label: "On its way", text: "Something has still to be confirmed." },
  });
}

/** The same for a member's own welcome bonus. */
export function friendWords(
  bonus: BonusView & { minCashbackPence: number; isVerified: boolean },
  { now, minCashback }: { now: Date; minCashback: string },
): BonusWords {
  const until = dayAndMonth(lastDayOf(bonus.qualifyUntil), now);
  return wordsOf(bonus, now, {
    invited: {
      label: "Waits for your purchase",
      text: `Buy something by ${until} that earns at least ${minCashback} of cashback.`,
    },
    qualifying: {
      label: "On its way",
      text: bonus.isVerified
        ? "The shop has not confirmed your purchase yet."
        : "We have your purchase. Prove your membership, so that it counts.",
    },
  });
}

type Words = Pick<BonusWords, "label" | "text">;

function wordsOf(
  { state, endReason, qualifyUntil }: BonusView,
  now: Date,
  { invited, qualifying }: { invited: Words; qualifying: Words },
): BonusWords {
  const lastDay = lastDayOf(qualifyUntil);
  const lastReport = dayAndMonth(daysAfter(lastDay, REPORT_DAYS), now);
  const timeUp = `The time to buy is over. A purchase made in time can still be reported until ${lastReport}.`;
  const words: Record<BonusState, BonusWords> = {
    invited: { ...invited, tone: "waits", ...(now >= qualifyUntil ? { text: timeUp } : {}) },
    qualifying: { ...qualifying, tone: "waits" },
    held: { label: "We are checking this", text: "You need not do anything. It takes a few days.", tone: "waits" },
    confirmed: { label: "Confirmed", text: "Yours once the shop has paid us.", tone: "waits" },
    payable: { label: "Yours", text: "We have put it into your balance.", tone: "good" },
    reversed: { label: "Taken back", text: "The shop took back the cashback of the purchase.", tone: "over" },
    expired: {
      label: "Ran out",
      text: `No purchase that counts was made by ${dayAndMonth(lastDay, now)}.`,
      tone: "over",
    },
    ended: { label: "Ended", text: END_WORDS[endReason ?? "left"], tone: "over" },
  };
  return words[state];
}

const END_WORDS = {
  refused: "We did not give this bonus. Write to us if you don’t know why.",
  capped: "You had earned as many bonuses as the terms allow. Your friend still gets theirs.",
  left: "The account was closed.",
};
