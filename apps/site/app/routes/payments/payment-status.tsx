import { formatPence } from "@farthing/core/money/money.ts";
import { useEffect, useRef } from "react";
import type { CardPayment } from "./use-card-payment.ts";

type Tone = "info" | "good" | "warn" | "bad";

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
  const endsForm =
    step === "paid" || step === "paid-before" || step === "returned" || step === "still-waiting" || step === "lost";
  useEffect(() => {
    if (endsForm && document.hasFocus()) section.current?.focus();
  }, [endsForm]);
  const words = wordsFor(payment, { partner, button });
  return (
    <div ref={section} tabIndex={-1} className="payment-status">
      <div role="status">
        {words && (
          <div className={`notice is-${words.tone}`}>
            <p className="notice-title">{words.title}</p>
            {words.text && <p>{words.text}</p>}
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

function wordsFor(
  payment: CardPayment,
  { partner, button }: { partner: string; button: string },
): { tone: Tone; title: string; text?: string } | null {
  switch (payment.step) {
    case "ready":
      return null;
    case "starting":
      return { tone: "info", title: "Preparing the payment" };
    case "card-form":
      return {
        tone: "info",
        title: "Enter your card in the window that opened",
        text: `No payment has arrived yet. If you closed the window, press ${button} to open it again: this payment can’t be taken twice.`,
      };
    case "card-form-closed":
      return {
        tone: "info",
        title: "The card form is closed",
        text: `No payment has arrived yet. Press ${button} to open it again: this payment can’t be taken twice. If no card form opens, tell ${partner}.`,
      };
    case "attempt-failed":
      return {
        tone: "bad",
        title: "The last attempt did not go through",
        text: `Your bank or the card provider declined it. Press ${button} to try another card: this payment can’t be taken twice.`,
      };
    case "confirming":
      return {
        tone: "info",
        title: "Waiting for the payment to be confirmed",
        text: "This usually takes a few seconds. Please keep this page open.",
      };
    case "still-waiting":
      return {
        tone: "warn",
        title: "The payment is not confirmed yet",
        text: `Please don’t pay again. Check again in a minute; ${partner} is told as soon as it is confirmed.`,
      };
    case "paid":
      return {
        tone: "good",
        title: "Payment received",
        text: `${formatPence(payment.amountPence)} for ${payment.reference}, to ${partner}.`,
      };
    case "paid-before":
      return {
        tone: "good",
        title: "This has been paid",
        text: `${partner} has your payment. Nothing more was taken.`,
      };
    case "returned":
      return {
        tone: "good",
        title: "You have paid",
        text: `Please don’t pay again: ${partner} is told as soon as it is confirmed.`,
      };
    case "declined":
      return {
        tone: "bad",
        title: "The payment did not go through",
        text: `Your bank or the card provider declined it, and nothing was taken. Press ${button} to try another card.`,
      };
    case "cancelled":
      return {
        tone: "bad",
        title: "The payment was cancelled",
        text: "Nothing was taken. You can start a new one.",
      };
    case "lost":
      return {
        tone: "warn",
        title: "We can’t see the payment from here any more",
        text: `Please don’t pay again before you have asked ${partner} whether the payment arrived.`,
      };
    case "alone":
      return {
        tone: "bad",
        title: "This page works inside a shop’s page only",
        text: "Nothing was taken. Go back to the shop and start the payment there.",
      };
    case "refused":
      return { tone: "bad", title: "The payment could not be started", text: refusal(payment.status, button) };
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
