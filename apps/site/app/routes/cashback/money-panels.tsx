import type { CashbackTimeline } from "@farthing/core/cashback/cashback-view.ts";
import type { ReactNode } from "react";

/**
 * What a member can do about their money, each in a panel of its own: payouts (C6), claims (C7), and what friends bring (C8), once there is a
 * page for it.
 */
export function MoneyPanels({ balances }: { balances: CashbackTimeline["balances"] }) {
  return (
    <section aria-labelledby="panels">
      <h2 id="panels" className="display section-title">
        Good to know
      </h2>
      <div className="money-panels">
        <PayoutPanel payablePence={balances.payablePence} />
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

function PayoutPanel({ payablePence }: { payablePence: number }) {
  return (
    <Panel title="Getting paid">
      <p>
        {payablePence > 0
          ? "What is yours stays in your account and does not run out."
          : "What becomes yours stays in your account and does not run out."}{" "}
        We can’t pay it out on request yet; if you <a href="/profile/privacy/close">close your account</a>, it goes to
        your bank account first.
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
