/** A programme's terms in words. Every figure is the programme's own. Pure. */
import { formatPence, type Pence } from "../money/money.ts";

export interface ProgrammeTerms {
  friendPence: Pence;
  inviterPence: Pence;
  minCashbackPence: Pence;
  withinDays: number;
  maxPerYear: number;
  endsAt: Date | null;
}

const dates = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Europe/London",
  day: "numeric",
  month: "long",
  year: "numeric",
});

/** Returns what is on offer in one sentence: "You get £5.00 and your friend gets £5.00." */
export function offerInWords({ friendPence, inviterPence }: ProgrammeTerms): string {
  if (inviterPence === 0) return `Your friend gets ${formatPence(friendPence)}.`;
  if (friendPence === 0) return `You get ${formatPence(inviterPence)} for each friend.`;
  return `You get ${formatPence(inviterPence)}, and your friend gets ${formatPence(friendPence)}.`;
}

/** Returns the terms as the friend reads them: what must happen, by when, and what can end it. */
export function friendTerms(terms: ProgrammeTerms): string[] {
  return [
    `Join with this invitation${terms.endsAt ? ` before ${dates.format(terms.endsAt)}` : ""}, as somebody who has no account here yet.`,
    "Confirm your e-mail address and prove your membership. A purchase can come first; the bonus waits for the proof.",
    `Buy something through us within ${terms.withinDays} days of joining: one purchase that earns at least ${formatPence(terms.minCashbackPence)} of cashback.`,
    "When the shop has confirmed that purchase, the bonus is confirmed. When the shop has paid us for it, the bonus is yours to withdraw.",
    "If the shop takes that purchase’s cashback back and no other purchase qualifies, we take the bonus back. We never ask you to pay.",
    "One bonus for each person. We check bonuses that look as if one person had both accounts.",
  ];
}

/** Returns the terms as the inviter reads them. */
export function inviterTerms(terms: ProgrammeTerms): string[] {
  return [
    `Your friend joins through your link${terms.endsAt ? ` before ${dates.format(terms.endsAt)}` : ""}, has no account here yet, confirms their e-mail address and proves their membership.`,
    `Within ${terms.withinDays} days of joining, they make one purchase through us that earns them at least ${formatPence(terms.minCashbackPence)} of cashback.`,
    "When the shop has confirmed that purchase, both bonuses are confirmed. When the shop has paid us for it, they can be withdrawn.",
    "If the shop takes that purchase’s cashback back and no other purchase qualifies, we take both bonuses back. We never ask you to pay.",
    ...(terms.inviterPence > 0
      ? [
          `You can earn ${terms.maxPerYear === 1 ? "one bonus" : `up to ${terms.maxPerYear} bonuses, ${formatPence(terms.maxPerYear * terms.inviterPence)} together,`} in any 365 days. Friends beyond that still get theirs.`,
        ]
      : []),
    "You can’t invite yourself. We check bonuses that look as if one person had both accounts.",
  ];
}

/** Returns an example in pounds, with a purchase at a rate of 4 % that just qualifies. */
export function exampleInWords(terms: ProgrammeTerms): string {
  const salePence = Math.ceil(terms.minCashbackPence / 4) * 100;
  const cashbackPence = (salePence * 4) / 100;
  const bonuses = [
    ...(terms.friendPence > 0 ? [`${formatPence(terms.friendPence)} for your friend`] : []),
    ...(terms.inviterPence > 0 ? [`${formatPence(terms.inviterPence)} for you`] : []),
  ];
  return `For example: your friend spends ${formatPence(salePence)} at a shop that gives 4% cashback. That earns them ${formatPence(cashbackPence)} of cashback and, once the shop has paid, brings ${bonuses.join(" and ")}.`;
}
