import type { TimelineStep } from "@farthing/core/cashback/cashback-view.ts";
import { formatPence } from "@farthing/core/money/money.ts";
import { dateRange, dayAndMonth } from "../../ui/text/british-dates.ts";
import { stepWords } from "./entry-words.ts";

/** The steps of a purchase from the click to the payment. Past steps are solid, expected ones are dashed (C3). */
export function Timeline({ steps, now }: { steps: readonly TimelineStep[]; now: Date }) {
  return (
    <ol className="timeline" role="list">
      {steps.filter(isSure).map((step, index) => (
        <Step key={index} step={step} now={now} />
      ))}
    </ol>
  );
}

/** Members withdraw when they like, so a payout that has not been made is not announced. */
function isSure({ step, at }: TimelineStep): boolean {
  return step !== "paid" || at !== null;
}

function Step({ step: { step, at, expected, amounts }, now }: { step: TimelineStep; now: Date }) {
  const isDone = at !== null;
  return (
    <li className={`timeline-step ${isDone ? "is-past" : "is-expected"}${step === "declined" ? " is-declined" : ""}`}>
      <span>
        {stepWords[step][isDone ? "done" : "ahead"]}
        {amounts && (
          <>
            : was <s className="figures">{formatPence(amounts.wasPence)}</s>, now{" "}
            <b className="figures">{formatPence(amounts.isPence)}</b>. {amounts.because}
          </>
        )}
      </span>
      <small className="soft">{when(at, expected, now)}</small>
    </li>
  );
}

function when(at: Date | null, expected: TimelineStep["expected"], now: Date): string {
  if (at) return dayAndMonth(at, now);
  return expected ? `Expected ${dateRange(expected.from, expected.to, now)}` : "Not yet";
}
