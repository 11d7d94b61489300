import type { PayoutView, TakenCard, WithdrawalView } from "@farthing/core/payouts/queries.server.ts";
import { formatPence, formatPounds } from "@farthing/core/money/money.ts";
import { href } from "react-router";
import { dayAndMonth } from "../../ui/text/british-dates.ts";
import { Notice } from "../../ui/text/notice.tsx";
import { BackInBalance } from "./back-in-balance.tsx";
import { OpenWithdrawal } from "./open-withdrawal.tsx";

/** What became of the card that a member has just taken: it is here, on its way, or could not be made. */
export function CardNews({ view: { open, past } }: { view: WithdrawalView }) {
  const [last] = past;
  if (open?.card)
    return (
      <Notice tone="good" isUrgent title="Done. Your card is being made.">
        <p>
          This usually takes a few seconds. <a href={`${href("/money/withdraw")}?note=card`}>Look again</a>, or wait for
          our e-mail.
        </p>
      </Notice>
    );
  if (!last?.card) return null;
  if (last.state === "paid")
    return (
      <Notice tone="good" isUrgent title={`Your ${last.card.name} card is here`}>
        <p>
          {formatPounds(last.card.facePence)} to spend.{" "}
          <a href={href("/money/gift-cards/:card", { card: last.card.publicId })}>Open the card</a>
        </p>
      </Notice>
    );
  return (
    <Notice tone="warn" isUrgent title={`There is no ${last.card.name} card`}>
      <p>
        {last.reason} <BackInBalance isWhole={last.isWhole} />
      </p>
    </Notice>
  );
}

/** The gift card that is under way: where it is, what holds it up, and the way to cancel it. */
export function OpenCard({
  action,
  payout,
  card,
  isOnHold,
  now,
}: {
  action: string;
  payout: PayoutView;
  card: TakenCard;
  isOnHold: boolean;
  now: Date;
}) {
  const isHeld = card.state === "held";
  const isGoingBack = card.state === "reversing" || card.state === "refunding";
  const steps = [
    { label: "Asked for", text: dayAndMonth(payout.requestedAt, now), isDone: true },
    {
      label: isHeld ? "Being checked" : "Being made",
      text: isHeld ? "By a person, within 72 hours" : "Usually within seconds, at most a day",
      isDone: isHeld || payout.state === "processing",
    },
    isGoingBack
      ? { label: "Back in your balance", text: "It could not be made", isDone: false }
      : { label: "In your gift cards", text: "We write to you", isDone: false },
  ];
  return (
    <OpenWithdrawal
      action={action}
      title={`${card.name} gift card, ${formatPounds(card.facePence)}`}
      payout={payout}
      isStopped={isHeld && isOnHold}
      steps={steps}
      last={`If it can’t be made, ${formatPence(payout.amountPence)} goes back to your balance.`}
    />
  );
}
