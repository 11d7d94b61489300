import { formatPence } from "@farthing/core/money/money.ts";
import { useEffect, useRef } from "react";
import type { CardPayment } from "./use-card-payment.ts";

const LAST_STEPS: readonly CardPayment["step"][] = ["paid", "paid-before", "returned", "still-waiting", "lost"];

/** Returns whether there is nothing more to ask for. */
export const endsForm = ({ step }: CardPayment): boolean => LAST_STEPS.includes(step);

type Words = [tone: "info" | "good" | "warn" | "bad", title: string, text?: string];

/**
 * The state of the payment in words. Screen readers announce each change. Where the form has ended, it receives the
 * form's focus.
 */
export function PaymentStatus({
  payment,
  partner,
  button,
  onLookAgain,
  onStartOver,
}: {
  payment: CardPayment;
  partner: string;
  /** What the button that starts a payment says. */
  button: string;
  onLookAgain(): void;
  /** Null: the session makes one payment. */
  onStartOver: (() => void) | null;
}) {
  const section = useRef<HTMLDivElement>(null);
  const { step } = payment;
  const hasEnded = endsForm(payment);
  useEffect(() => {
    if (hasEnded && document.hasFocus()) section.current?.focus();
  }, [hasEnded]);
  const [tone, title, text] = wordsFor(payment, { partner, button }) ?? [];
  return (
    <div ref={section} tabIndex={-1} className="payment-status">
      <div role="status">
        {title && (
          <div className={`notice is-${tone}`}>
            <p className="notice-title">{title}</p>
            {text && <p>{text}</p>}
          </div>
        )}
      </div>
      {step === "still-waiting" && (
        <button type="button" className="button" onClick={onLookAgain}>
          Check again
        </button>
      )}
      {(step === "paid" || step === "returned") && onStartOver && (
        <button type="button" className="button is-quiet" onClick={onStartOver}>
          Make another payment
        </button>
      )}
    </div>
  );
}

function wordsFor(payment: CardPayment, { partner, button }: { partner: string; button: string }): Words | null {
  switch (payment.step) {
    case "ready":
      return null;
    case "starting":
      return ["info", "Preparing the payment"];
    case "card-form":
      return [
        "info",
        "Enter your card in the window that opened",
        `No payment has arrived yet. If you closed the window, press ${button} to open it again: this payment can’t be taken twice.`,
      ];
    case "card-form-closed":
      return [
        "info",
        "The card form is closed",
        `No payment has arrived yet. Press ${button} to open it again: this payment can’t be taken twice. If no card form opens, tell ${partner}.`,
      ];
    case "attempt-failed":
      return [
        "bad",
        "The last attempt did not go through",
        `Your bank or the card provider declined it. Press ${button} to try another card: this payment can’t be taken twice.`,
      ];
    case "confirming":
      return [
        "info",
        "Waiting for the payment to be confirmed",
        "This usually takes a few seconds. Please keep this page open.",
      ];
    case "still-waiting":
      return [
        "warn",
        "The payment is not confirmed yet",
        `Please don’t pay again. Check again in a minute; ${partner} is told as soon as it is confirmed.`,
      ];
    case "paid":
      return [
        "good",
        "Payment received",
        `${formatPence(payment.amountPence)} for ${payment.reference}, to ${partner}.`,
      ];
    case "paid-before":
      return ["good", "This has been paid", `${partner} has your payment. Nothing more was taken.`];
    case "returned":
      return [
        "info",
        "Your payment is being confirmed",
        `Please don’t pay again: ${partner} is told as soon as it is confirmed.`,
      ];
    case "declined":
      return [
        "bad",
        "The payment did not go through",
        `Your bank or the card provider declined it, and nothing was taken. Press ${button} to try another card.`,
      ];
    case "cancelled":
      return ["bad", "The payment was cancelled", "Nothing was taken. You can start a new one."];
    case "lost":
      return [
        "warn",
        "We can’t see the payment from here any more",
        `Please don’t pay again before you have asked ${partner} whether the payment arrived.`,
      ];
    case "alone":
      return [
        "bad",
        "This page works inside a shop’s page only",
        "Nothing was taken. Go back to the shop and start the payment there.",
      ];
    case "refused":
      return ["bad", "The payment could not be started", refusal(payment.status, button)];
  }
}

/** What to do about a payment that our server did not start. */
function refusal(status: number, button: string): string {
  if (status === 401 || status === 403)
    return "The session on this page has ended. If you have not paid, reload the page around it and start again.";
  if (status === 429) return "Too many payments were started here. If you have not paid, reload the page around it.";
  if (status === 422 || status === 400) return "Check the amount and the reference, then try again.";
  return `Wait a moment, then press ${button} again.`;
}
