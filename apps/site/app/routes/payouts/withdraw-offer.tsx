import type { WithdrawalView } from "@farthing/core/payouts/queries.server.ts";
import { formatPence } from "@farthing/core/money/money.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import { href } from "react-router";
import { LoadingButton } from "../../ui/forms/loading-button.tsx";
import { soonAt } from "../../ui/text/british-dates.ts";
import { Notice } from "../../ui/text/notice.tsx";

/** What a member can withdraw now, or why they can't and what to do. */
export function WithdrawOffer({
  action,
  view,
  supportEmail,
  now,
}: {
  action: string;
  view: WithdrawalView;
  supportEmail: string;
  now: Date;
}) {
  const { payablePence, thresholdPence, details, isOnHold, closing } = view;
  return (
    <section className="withdraw-offer" aria-labelledby="withdraw-amount">
      <p className="soft" id="withdraw-amount">
        {payablePence < thresholdPence ? "Yours" : "You can withdraw"}
      </p>
      <p className="display withdraw-amount">
        <Amount pence={Math.max(0, payablePence)} />
      </p>
      {isOnHold ? (
        <Notice tone="warn" title="Withdrawals are on hold">
          <p>
            We have a question about your account. Your money is safe and stays yours. Please write to{" "}
            <a href={`mailto:${supportEmail}`}>{supportEmail}</a>.
          </p>
        </Notice>
      ) : closing ? (
        <Notice tone="info" title="Your account is being closed">
          <p>
            What happens to your money is on the page about closing.{" "}
            <a href={href("/profile/privacy/close")}>
              {closing === "requested" ? "See it, or keep your account" : "See it"}
            </a>
            .
          </p>
        </Notice>
      ) : payablePence < thresholdPence ? (
        <p>
          {payablePence < 0
            ? `${formatPence(-payablePence)} was taken back after we had paid you. We never ask for it: it comes off what you earn next.`
            : `You can withdraw from ${formatPence(thresholdPence)}: ${formatPence(thresholdPence - payablePence)} to go. Nothing runs out.`}
        </p>
      ) : details === null || details === "unreadable" ? (
        <>
          <p>
            {details === null
              ? "Tell us your bank account first."
              : "We can’t read your bank details any more. Please give them again."}
          </p>
          <p>
            <a className="button is-large" href="/money/bank-details">
              Give your bank details
            </a>
          </p>
        </>
      ) : (
        <>
          <p className="breaks">
            To {details.name}, account ending in {details.accountEnding}.{" "}
            <a href="/money/bank-details">Change the bank details</a>
          </p>
          {details.heldUntil && (
            <Notice tone="info" title="Your bank details are new">
              <p>
                To protect you, nothing is paid to them before {soonAt(details.heldUntil, now)}. You can ask now; it
                leaves after that.
              </p>
            </Notice>
          )}
          <form method="post" action={action}>
            <input type="hidden" name="intent" value="withdraw" />
            <LoadingButton className="is-large">Withdraw {formatPence(payablePence)}</LoadingButton>
          </form>
          <p className="soft">It takes about three working days. We may ask for your password first.</p>
        </>
      )}
      {!isOnHold && !closing && payablePence >= thresholdPence && (
        <p className="withdraw-other">
          Or have it within seconds: <a href={href("/money/withdraw/gift-cards")}>take a gift card</a>. Many cost less
          than they are worth.
        </p>
      )}
    </section>
  );
}
