import type { BankDetailsView } from "@farthing/core/bank-details/operations.server.ts";
import type { PayoutView } from "@farthing/core/payouts/queries.server.ts";
import { formatPounds } from "@farthing/core/money/money.ts";
import { href } from "react-router";
import { Amount } from "@farthing/ui/money/amount.tsx";
import { dayAndMonth, soonAt } from "../../ui/text/british-dates.ts";
import { Notice } from "../../ui/text/notice.tsx";
import { BackInBalance } from "./back-in-balance.tsx";
import { OpenWithdrawal } from "./open-withdrawal.tsx";

/** Returns the noon of a day in London, which is that day in every season. */
const noonOf = (day: string) => new Date(`${day}T12:00:00Z`);

/** The withdrawal that is under way: where it is, what holds it up, and the way to cancel it. */
export function OpenPayout({
  action,
  payout,
  details,
  isOnHold,
  now,
}: {
  action: string;
  payout: PayoutView;
  details: BankDetailsView | "unreadable" | null;
  isOnHold: boolean;
  now: Date;
}) {
  const isWaiting = payout.state === "requested";
  const heldUntil = details !== null && details !== "unreadable" ? details.heldUntil : null;
  const steps = [
    { label: "Asked for", text: dayAndMonth(payout.requestedAt, now), isDone: true },
    {
      label: "At the bank",
      // A batch that nobody has approved has not left.
      text: payout.entryDay === null ? "On the next working day" : "It is there now",
      isDone: payout.entryDay !== null,
    },
    {
      label: "In your account",
      text: payout.entryDay ? `By ${dayAndMonth(noonOf(payout.entryDay), now)}` : "About three working days later",
      isDone: false,
    },
  ];
  return (
    <OpenWithdrawal
      action={action}
      title="On its way to you"
      payout={payout}
      isStopped={isWaiting && isOnHold}
      steps={steps}
      last={`On your bank statement: ${payout.reference}`}
    >
      {isWaiting && (details === null || details === "unreadable") && (
        <Notice tone="warn" title="We don’t know where to pay you">
          <p>
            <a href="/money/bank-details">Give your bank details</a>; it leaves 72 hours after that.
          </p>
        </Notice>
      )}
      {isWaiting && heldUntil && (
        <Notice tone="info" title="Held, because your bank details are new">
          <p>To protect you, it does not leave before {soonAt(heldUntil, now)}.</p>
        </Notice>
      )}
    </OpenWithdrawal>
  );
}

const stateWords: Record<PayoutView["state"], string> = {
  requested: "Asked for",
  processing: "At the bank",
  paid: "Paid",
  failed: "Not paid",
  returned: "Came back",
};

const cardWords: Record<PayoutView["state"], string> = {
  requested: "Asked for",
  processing: "Being made",
  paid: "Taken as a gift card",
  failed: "No gift card",
  returned: "Gift card taken back",
};

/** Withdrawals that are over, the newest first. */
export function PastPayouts({ payouts, now }: { payouts: readonly PayoutView[]; now: Date }) {
  if (payouts.length === 0) return null;
  return (
    <section aria-labelledby="past-payouts">
      <h2 id="past-payouts" className="display section-title">
        Before
      </h2>
      <ul className="past-payouts" role="list">
        {payouts.map(({ publicId, state, amountPence, settledAt, requestedAt, reason, isWhole, reference, card }) => (
          <li key={publicId}>
            <p className="past-payout-head">
              <b>{card ? cardWords[state] : stateWords[state]}</b>
              <Amount pence={amountPence} />
            </p>
            <p className="soft">
              {dayAndMonth(settledAt ?? requestedAt, now)}
              {!card && state === "paid" && `, on your statement as ${reference}`}
              {card && `, ${card.name}, ${formatPounds(card.facePence)}`}
            </p>
            {card && state === "paid" && (
              <p>
                <a href={href("/money/gift-cards/:card", { card: card.publicId })}>Open the {card.name} card</a>
              </p>
            )}
            {reason && (
              <p>
                {reason} <BackInBalance isWhole={isWhole} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
