import { Spinner } from "@farthing/ui/spinner.tsx";
import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { readPayment, type FieldProblems, type PaymentLimits } from "./payment-progress.ts";
import { PaymentStatus } from "./payment-status.tsx";
import { useCardPayment } from "./use-card-payment.ts";

const noProblems: FieldProblems = { amount: null, reference: null };

/** What is paid and for what; the card itself is entered in the card form that the page around the frame opens. */
export function PaymentForm({
  partner,
  hostOrigin,
  bearer,
  limits,
}: {
  partner: string;
  hostOrigin: string;
  bearer: string | null;
  limits: PaymentLimits;
}) {
  const { payment, start, lookAgain, startOver } = useCardPayment({ hostOrigin, bearer });
  const [problems, setProblems] = useState(noProblems);
  const [isReady, setReady] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const isBusy = payment.step === "starting" || payment.step === "confirming";
  const isAsking = payment.step !== "paid" && payment.step !== "still-waiting" && payment.step !== "lost";
  // Before the script is there, the button would send the form nowhere.
  useEffect(() => setReady(true), []);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems]);

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isBusy || !button.current) return;
    const typed = new FormData(event.currentTarget);
    const text = (name: string) => String(typed.get(name) ?? "");
    const read = readPayment({ amount: text("amount"), reference: text("reference") }, limits);
    setProblems(read.ok ? noProblems : read.problems);
    if (!read.ok) return;
    // Safari does not focus a button that is pressed, and the focus comes back to what had it.
    if (document.activeElement === document.body) button.current.focus();
    void start(read.amountPence, read.reference, getComputedStyle(button.current).backgroundColor);
  }

  function payAgain() {
    form.current?.reset();
    startOver();
  }

  return (
    <>
      <form ref={form} noValidate method="post" hidden={!isAsking} onSubmit={submit}>
        <Field
          name="amount"
          label="Amount"
          hint="In pounds, like 12.34"
          problem={problems.amount}
          inputMode="decimal"
        />
        <Field name="reference" label="Reference" hint="What the payment is for" problem={problems.reference} />
        <button
          ref={button}
          type="submit"
          className={`button is-large is-wide${isBusy ? " is-busy" : ""}`}
          disabled={!isReady}
          aria-disabled={isBusy || undefined}
        >
          <span className="button-label">Continue to payment</span>
          {isBusy && <Spinner />}
        </button>
      </form>
      <PaymentStatus payment={payment} partner={partner} onLookAgain={lookAgain} onStartOver={payAgain} />
    </>
  );
}

function Field({
  name,
  label,
  hint,
  problem,
  inputMode,
}: {
  name: string;
  label: string;
  hint: string;
  problem: string | null;
  inputMode?: "decimal";
}) {
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <input
        id={name}
        name={name}
        type="text"
        inputMode={inputMode}
        autoComplete="off"
        required
        aria-invalid={problem !== null || undefined}
        aria-describedby={problem === null ? `${name}-hint` : `${name}-error`}
      />
      {problem === null ? (
        <p id={`${name}-hint`} className="soft field-hint">
          {hint}
        </p>
      ) : (
        <p id={`${name}-error`} className="field-error">
          {problem}
        </p>
      )}
    </div>
  );
}
