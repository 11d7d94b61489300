import { formatPence } from "@farthing/core/money/money.ts";
import type { WithdrawalPanel } from "@farthing/core/payouts/queries.server.ts";
import type { ReactNode } from "react";

/**
 * What a member can do about their money, each in a panel of its own: payouts (C6), claims (C7), and what friends bring (C8), once there is a
 * page for it.
 */
export function MoneyPanels({ withdrawal }: { withdrawal: WithdrawalPanel }) {
  return (
    <section aria-labelledby="panels">
      <h2 id="panels" className="display section-title">
        Good to know
      </h2>
      <div className="money-panels">
        <PayoutPanel withdrawal={withdrawal} />
        <ClaimsPanel />
      </div>
    </section>
  );
}

function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="money-panel">
      <h3 className="display">{title}</h3>
      {children}
    </div>
  );
}

function PayoutPanel({
  withdrawal: { payablePence, thresholdPence, open, lastFailure, isOnHold },
}: {
  withdrawal: WithdrawalPanel;
}) {
  const canWithdraw = !open && !isOnHold && payablePence >= thresholdPence;
  return (
    <Panel title="Getting paid">
      {lastFailure && (
        <p>
          <b>{formatPence(lastFailure.amountPence)} did not reach your bank account.</b> It is yours again.{" "}
          <a href="/money/withdraw">See why</a>.
        </p>
      )}
      {open ? (
        <p>
          <b>{formatPence(open.amountPence)} is on its way to your bank account.</b>{" "}
          <a href="/money/withdraw">See when it arrives</a>.
        </p>
      ) : isOnHold ? (
        <p>
          Withdrawals are on hold, because we have a question about your account. Your money is safe.{" "}
          <a href="/money/withdraw">See what to do</a>.
        </p>
      ) : canWithdraw ? (
        <p>What is yours stays in your account and does not run out. Withdraw it to your bank account when you like.</p>
      ) : (
        <p>
          What becomes yours stays in your account and does not run out. You can withdraw it from{" "}
          {formatPence(thresholdPence)} on.
        </p>
      )}
      <p className="button-row">
        <a className={canWithdraw ? "button" : "button is-quiet"} href="/money/withdraw">
          {canWithdraw ? `Withdraw ${formatPence(payablePence)}` : "Withdrawals"}
        </a>
        <a className="button is-quiet" href="/money/bank-details">
          Bank details
        </a>
      </p>
    </Panel>
  );
}

function ClaimsPanel() {
  return (
    <Panel title="Something missing or wrong?">
      <p>
        Every click has a receipt with the rate and the terms of that moment. Keep your order confirmation, and see{" "}
        <a href="/faq/cashback/my-purchase-is-not-there">what to do about a purchase that is not there</a>.
      </p>
    </Panel>
  );
}
