import type { PayoutView } from "@farthing/core/payouts/queries.server.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import type { ReactNode } from "react";
import { Notice } from "../../ui/text/notice.tsx";

export interface WithdrawalStep {
  label: string;
  text: string;
  isDone: boolean;
}

/**
 * A withdrawal that is under way, to a bank or as a gift card (C6): where it is, what holds it up, and the way to cancel it while it waits.
 * `children` are notices of its own kind, `last` a sentence about its end.
 */
export function OpenWithdrawal({
  action,
  title,
  payout,
  isStopped,
  steps,
  last,
  children,
}: {
  action: string;
  title: string;
  payout: PayoutView;
  isStopped: boolean;
  steps: readonly WithdrawalStep[];
  last: string;
  children?: ReactNode;
}) {
  return (
    <section className="withdraw-offer" aria-labelledby="open-payout">
      <p className="soft" id="open-payout">
        {title}
      </p>
      <p className="display withdraw-amount">
        <Amount pence={payout.amountPence} isPending />
      </p>
      {isStopped && (
        <Notice tone="warn" title="On hold">
          <p>We have a question about your account and have stopped this withdrawal. The money stays yours.</p>
        </Notice>
      )}
      {children}
      <ol className="payout-steps" role="list">
        {steps.map(({ label, text, isDone }) => (
          <li key={label} className={isDone ? "is-done" : undefined}>
            <b>{label}</b>
            <span className="soft">{text}</span>
          </li>
        ))}
      </ol>
      <p className="soft">{last}</p>
      {payout.state === "requested" && (
        <form method="post" action={action}>
          <input type="hidden" name="intent" value="cancel" />
          <input type="hidden" name="payout" value={payout.publicId} />
          <button type="submit" className="button is-quiet">
            Cancel the withdrawal
          </button>
        </form>
      )}
    </section>
  );
}
