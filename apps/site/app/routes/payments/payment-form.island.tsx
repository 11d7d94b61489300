import { formatPence } from "@farthing/core/money/money.ts";
import { CheckedForm } from "@farthing/ui/forms/checked-form.tsx";
import { TextField } from "@farthing/ui/forms/text-field.tsx";
import { Spinner } from "@farthing/ui/loading/spinner.tsx";
import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { island } from "../../islands/island.tsx";
import { readPayment, type PaymentLimits, type PriceOnPage, type TypedPayment } from "./payment-progress.ts";
import { endsForm, PaymentStatus } from "./payment-status.tsx";
import { useCardPayment } from "./use-card-payment.ts";

/**
 * The amount and what it is for, or a button alone where the partner's server has fixed both. The card is entered in the
 * card form that the page around the frame opens.
 */
function PaymentForm({
  partner,
  hostOrigin,
  bearer,
  limits,
  fixed,
}: {
  partner: string;
  hostOrigin: string;
  bearer: string | null;
  limits: PaymentLimits;
  fixed: PriceOnPage | null;
}) {
  const { payment, start, lookAgain, startOver } = useCardPayment({ hostOrigin, bearer, isPriceFixed: fixed !== null });
  const [isReady, setReady] = useState(false);
  const [turn, setTurn] = useState(0);
  const button = useRef<HTMLButtonElement>(null);
  const isBusy = payment.step === "starting" || payment.step === "confirming";
  const isAsking = !endsForm(payment);
  // Before the script runs, the button would send the form nowhere.
  useEffect(() => setReady(true), []);

  const problemsOf = (typed: TypedPayment) => {
    const read = readPayment(typed, limits);
    return read.ok ? { amount: null, reference: null } : read.problems;
  };

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isBusy || !button.current) return;
    const typed = new FormData(event.currentTarget);
    const text = (name: string) => String(typed.get(name) ?? "");
    const read = fixed
      ? { ok: true as const, ...fixed }
      : readPayment({ amount: text("amount"), reference: text("reference") }, limits);
    if (!read.ok) return; // the form has shown what is wrong
    // Safari does not focus a pressed button, and focus later returns to the element that had it.
    if (document.activeElement === document.body) button.current.focus();
    void start(read.amountPence, read.reference, actionColour(button.current));
  }

  function payAgain() {
    setTurn(turn + 1); // an empty form
    startOver();
  }

  return (
    <>
      <div hidden={!isAsking}>
        <CheckedForm
          key={turn}
          action="/pay"
          labels={fixed ? {} : { amount: "Amount", reference: "Reference" }}
          onSend={submit}
        >
          {!fixed && (
            <>
              <TextField
                name="amount"
                label="Amount"
                autoComplete="off"
                inputMode="decimal"
                required
                help="In pounds, like 12.34"
                check={(amount) => problemsOf({ amount, reference: "-" }).amount ?? ""}
              />
              <TextField
                name="reference"
                label="Reference"
                autoComplete="off"
                required
                help="What the payment is for"
                check={(reference) => problemsOf({ amount: "1", reference }).reference ?? ""}
              />
            </>
          )}
          <button
            ref={button}
            type="submit"
            className={`button is-large is-wide${isBusy ? " is-busy" : ""}`}
            disabled={!isReady}
            aria-disabled={isBusy || undefined}
          >
            <span className="button-label">
              {fixed ? `Pay ${formatPence(fixed.amountPence)}` : "Continue to payment"}
            </span>
            {isBusy && <Spinner />}
          </button>
        </CheckedForm>
      </div>
      {fixed && isAsking && (
        <p className="soft pay-next">You enter your card on the next step, with the card provider.</p>
      )}
      <PaymentStatus
        payment={payment}
        partner={partner}
        button={fixed ? "Pay" : "Continue to payment"}
        onLookAgain={lookAgain}
        onStartOver={fixed ? null : payAgain}
      />
    </>
  );
}

/**
 * Returns the theme's colour of buttons, as the browser resolves it. The button itself may be hovered, or fading from
 * one colour to the other.
 */
function actionColour(button: HTMLElement): string {
  const swatch = document.createElement("span");
  swatch.style.backgroundColor = "var(--action)";
  button.append(swatch);
  const colour = getComputedStyle(swatch).backgroundColor;
  swatch.remove();
  return colour;
}

export default island("payment-form", PaymentForm);
