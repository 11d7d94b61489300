import type { CashbackItem, CashbackState, TimelineStep } from "@farthing/core/cashback/cashback-view.ts";
import { formatPence } from "@farthing/core/money/money.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import { dateRange, dayAndMonth } from "../../ui/text/british-dates.ts";
import { RetailerMark } from "../../ui/cards/retailer-mark.tsx";

const stateWords: Record<CashbackState, { label: string; tone: string }> = {
  tracked: { label: "Pending", tone: "is-warn" },
  confirmed: { label: "Confirmed", tone: "" },
  payable: { label: "Yours", tone: "is-good" },
  paid: { label: "Paid", tone: "is-good" },
  declined: { label: "Declined", tone: "is-bad" },
};

/** The words for each step, once it has happened and while it is still to come. */
const stepWords: Record<TimelineStep["step"], { done: string; ahead: string }> = {
  clicked: { done: "You followed our link", ahead: "You follow our link" },
  tracked: { done: "The shop told us of your purchase", ahead: "The shop tells us of your purchase" },
  amended: { done: "The amount changed", ahead: "The amount changes" },
  confirmed: { done: "The shop confirmed it", ahead: "The shop confirms it" },
  payable: { done: "The shop has paid us: it is yours", ahead: "Yours, once the shop has paid us" },
  paid: { done: "Paid out to you", ahead: "Paid out to you" },
  declined: { done: "The shop declined it", ahead: "The shop declines it" },
};

/** What the closed row says about the next step. */
const nextWords: Partial<Record<TimelineStep["step"], string>> = {
  confirmed: "Confirmation",
  payable: "Yours",
  paid: "Payment",
};

/** One purchase, from the click to the payment. Past steps are solid, expected ones are dashed (C3). */
export function CashbackEntry({ item, now, isOpen }: { item: CashbackItem; now: Date; isOpen: boolean }) {
  const state = stateWords[item.state];
  const isPending = item.state === "tracked" || item.state === "confirmed";
  // The timeline states the reason once.
  const isInTimeline = item.steps.some(({ amounts }) => amounts?.because === item.reason);
  const reason = isInTimeline && item.state !== "declined" ? null : item.reason;
  const next = item.steps.find(({ at, expected }) => at === null && expected !== null);
  return (
    <li className="cashback-item">
      <details open={isOpen}>
        <summary>
          <RetailerMark slug={item.retailer.slug} size={44} />
          <span className="cashback-item-what">
            <b>{item.retailer.name}</b>
            <small className="soft">
              {formatPence(item.purchasePence)} counted for cashback, bought on {dayAndMonth(item.purchasedAt, now)}
              {next?.expected &&
                !isOpen &&
                `. ${nextWords[next.step] ?? "Next step"} expected ${dateRange(next.expected.from, next.expected.to, now)}`}
            </small>
          </span>
          <span className={`cashback-item-much is-${item.state}`}>
            <Amount pence={item.cashbackPence} isPending={isPending} />
            <span className={`tag ${state.tone}`}>{state.label}</span>
          </span>
        </summary>
        <div className="cashback-item-more">
          {reason && <p className="cashback-reason">{reason}</p>}
          <ol className="timeline" role="list">
            {item.steps.filter(isSure).map((step, index) => (
              <Step key={index} step={step} now={now} />
            ))}
          </ol>
          <p className="soft cashback-receipt">
            What counts is what the shop tells us: the price without VAT and delivery, unless its page says otherwise.{" "}
            {item.offerTitle && <>{item.offerTitle}. </>}Click number{" "}
            <span className="figures">{item.clickNumber}</span>: quote it if you write to us.
          </p>
        </div>
      </details>
    </li>
  );
}

/** Members cannot request a payout yet, so a payout that has not been made is not announced. */
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
