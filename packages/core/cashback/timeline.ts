/** The timeline of one purchase, as the member reads it (C3). Pure. */
import { DECISION_FACTS, DECLINE_REASONS, isDeclineReason, type DecisionFacts } from "../networks/decline-reason.ts";
import type { RateSnapshot } from "../clicks/rate-snapshot.ts";
import type { AmountChange, CashbackState, TimelineStep } from "./cashback-view.ts";

export interface TimelineFacts {
  state: CashbackState;
  isCorrection: boolean;
  clickedAt: Date;
  trackedAt: Date | null;
  confirmedAt: Date | null;
  payableAt: Date | null;
  paidAt: Date | null;
  declinedAt: Date | null;
  confirmExpected: { from: Date; to: Date } | null;
  /** Only for a confirmed purchase. */
  payableExpected?: { from: Date; to: Date } | null;
  /** Oldest first. */
  amountChanges: readonly AmountChange[];
}

/**
 * Returns the steps from click to payment: past steps with their dates, then future steps, with a range where one was promised. The steps of a
 * declined purchase end with the decline. A correction is never tracked or confirmed by itself. Each change of the amount is a step.
 */
export function timelineSteps(facts: TimelineFacts): TimelineStep[] {
  const steps = statesOf(facts);
  for (const amounts of facts.amountChanges) {
    // After "tracked" and earlier changes, and before the state that came with the change.
    const next = steps.findIndex(
      ({ step, at }) =>
        step !== "clicked" && step !== "tracked" && step !== "amended" && (at === null || at >= amounts.at),
    );
    steps.splice(next === -1 ? steps.length : next, 0, { step: "amended", at: amounts.at, expected: null, amounts });
  }
  return steps;
}

function statesOf(facts: TimelineFacts): TimelineStep[] {
  const happened = (step: TimelineStep["step"], at: Date): TimelineStep => ({ step, at, expected: null });
  const step = (
    name: TimelineStep["step"],
    at: Date | null,
    expected: TimelineStep["expected"] = null,
  ): TimelineStep => ({ step: name, at, expected: at ? null : expected });
  if (facts.isCorrection)
    return [happened("clicked", facts.clickedAt), step("payable", facts.payableAt), step("paid", facts.paidAt)];
  const begun = [happened("clicked", facts.clickedAt), step("tracked", facts.trackedAt)];
  if (facts.state === "declined")
    return [
      ...begun,
      ...(facts.confirmedAt ? [happened("confirmed", facts.confirmedAt)] : []),
      step("declined", facts.declinedAt),
    ];
  return [
    ...begun,
    step("confirmed", facts.confirmedAt, facts.confirmExpected),
    step("payable", facts.payableAt, facts.payableExpected ?? null),
    step("paid", facts.paidAt),
  ];
}

const WAITS_FOR: Readonly<Record<RateSnapshot["tracking"]["confirmsAfter"], string | null>> = {
  purchase: null,
  travel: "This retailer confirms cashback after you have travelled.",
  stay: "This retailer confirms cashback after your stay.",
};

/** Returns the sentence beside an entry, or null where none is needed. A declined entry always has one (C3). */
export function explainEntry(entry: {
  state: CashbackState;
  isCorrection: boolean;
  isOverdue: boolean;
  reasonCode: string | null;
  confirmsAfter: RateSnapshot["tracking"]["confirmsAfter"];
}): string | null {
  const reason =
    entry.reasonCode !== null && isDeclineReason(entry.reasonCode) ? DECLINE_REASONS[entry.reasonCode] : null;
  if (entry.state === "declined") return reason ?? DECLINE_REASONS.not_given;
  if (entry.isCorrection)
    return `${reason ?? DECLINE_REASONS.not_given} This corrects cashback that was already payable.`;
  if (reason) return reason;
  if (entry.isOverdue && entry.state === "confirmed") return "The retailer is taking longer than usual to pay us.";
  if (entry.state !== "tracked") return null;
  if (entry.isOverdue) return "The retailer is taking longer than usual to confirm this.";
  return WAITS_FOR[entry.confirmsAfter];
}

/** Returns who decided what was declined or changed, and what can be appealed; null where nothing was (C3). */
export function decisionOf(entry: {
  state: CashbackState;
  isCorrection: boolean;
  reasonCode: string | null;
}): DecisionFacts | null {
  if (entry.reasonCode !== null && isDeclineReason(entry.reasonCode)) return DECISION_FACTS[entry.reasonCode];
  return entry.state === "declined" || entry.isCorrection ? DECISION_FACTS.not_given : null;
}
