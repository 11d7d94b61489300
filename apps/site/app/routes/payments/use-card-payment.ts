import type { Pence } from "@farthing/core/money/money.ts";
import { connectHost, type HostConnection } from "@farthing/widget/frame";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { whenCardFormCloses } from "./card-form-focus.ts";
import { formStepOf, progressOf } from "./payment-progress.ts";
import { paymentsClient, type Answered } from "./payments-client.ts";

export type CardPayment =
  | {
      step:
        | "ready"
        | "starting"
        | "card-form"
        | "card-form-closed"
        | "attempt-failed"
        | "confirming"
        | "still-waiting"
        | "declined"
        | "cancelled"
        | "lost"
        | "paid-before"
        | "returned";
    }
  | { step: "refused"; status: number }
  | { step: "alone" }
  | { step: "paid"; amountPence: Pence; reference: string };

const RESIZE_DELAY_MS = 300;
const POLL_INTERVAL_MS = 1000;
/** How often the page looks at a payment whose card form is open: the notice of a declined attempt says it here too. */
const FORM_POLL_INTERVAL_MS = 5000;
/** How often it looks after the form has closed: a notice of the last attempt may be some seconds late. */
const MAX_CLOSED_POLLS = 8;
/** The steps at which a return takes the place of what the page says. */
const BEFORE_RETURN: readonly CardPayment["step"][] = ["ready", "card-form", "card-form-closed"];

/**
 * The card form opens at the earliest this long after the button was pressed. Otherwise the second press of a double
 * click would land on its background and close it.
 */
const DOUBLE_CLICK_MS = 500;

/**
 * Takes a payment together with the page around the frame: creates it on our server, asks the host page to open the
 * card form and, when that reports that it is done, waits until our server confirms it. `hostOrigin` is the only origin
 * that messages go to and come from.
 */
export function useCardPayment({
  hostOrigin,
  bearer,
  isPriceFixed,
}: {
  hostOrigin: string;
  bearer: string | null;
  /** The session makes one payment. */
  isPriceFixed: boolean;
}) {
  const [payment, setPayment] = useState<CardPayment>({ step: "ready" });
  const host = useRef<HostConnection>(null);
  const looking = useRef<AbortController>(null);
  /** The payment that the card form is open for, and what was seen of it since it was reported. */
  const asked = useRef<{ paymentId: string; contextToken: string } & Report>(null);
  /**
   * Until it is paid or cancelled, the same amount for the same thing is the same payment, however often the button
   * is pressed.
   */
  const attempt = useRef<{ what: string; key: string }>(null);
  const client = paymentsClient(bearer);

  const onPaymentComplete = useEffectEvent((token: string) => {
    if (asked.current?.contextToken === token) void confirm();
    // An earlier visit's payment, which left the page around the frame and has come back. This visit may not look it up.
    // Where that page learnt it late, it says so instead of opening the card form.
    else setPayment((now) => (BEFORE_RETURN.includes(now.step) ? { step: "returned" } : now));
  });

  useEffect(() => {
    const connection = connectHost({
      hostOrigins: [hostOrigin],
      identifier: "pay",
      resizeDelayMs: RESIZE_DELAY_MS,
      onPaymentComplete: ({ token }) => onPaymentComplete(token),
    });
    host.current = connection;
    return () => {
      looking.current?.abort();
      connection.close();
    };
  }, [hostOrigin]);

  async function start(amountPence: Pence, reference: string, colour: string): Promise<void> {
    if (window.parent === window) return setPayment({ step: "alone" });
    const what = JSON.stringify([amountPence, reference]);
    if (attempt.current?.what !== what) attempt.current = { what, key: crypto.randomUUID() };
    looking.current?.abort();
    setPayment({ step: "starting" });
    const doubleClickIsOver = new Promise((resolve) => setTimeout(resolve, DOUBLE_CLICK_MS));
    const started = await client.start({ amountPence, reference, idempotencyKey: attempt.current.key });
    if (!started.ok) {
      const { status } = started;
      if (status === 409 && isPriceFixed) return setPayment({ step: "paid-before" });
      if (status === 423) return setPayment({ step: "still-waiting" }); // paid from another page, perhaps
      if (status === 409 || status === 410) attempt.current = null;
      // Nothing was taken: the page around the frame can open another one.
      if (status === 401) host.current?.fail({ status: 401, reason: "session-ended" });
      return setPayment({ step: "refused", status });
    }
    const { paymentId, contextToken, ...intent } = started.value;
    const wasAsked = asked.current?.paymentId === paymentId;
    asked.current = { paymentId, contextToken, wasProcessing: false, reportedAt: null };
    // Ask again: it may be paid by now, and the message may have been lost.
    if (wasAsked && !(await isOpen(paymentId))) return confirm();
    await doubleClickIsOver;
    setPayment({ step: "card-form" });
    void watchCardForm(paymentId);
    host.current?.requestPayment({ ...intent, color: colour, context: { token: contextToken } });
  }

  async function isOpen(paymentId: string): Promise<boolean> {
    const found = await client.find(paymentId);
    return !found.ok || formStepOf(found.value.state) !== "reported";
  }

  /** Says what becomes of the payment while its card form is open, and after the payer has closed it. */
  async function watchCardForm(paymentId: string): Promise<void> {
    const { signal } = (looking.current = new AbortController());
    let isClosed = false;
    let closedPolls = 0;
    let wake = new AbortController();
    whenCardFormCloses((closed) => {
      isClosed = closed;
      closedPolls = 0;
      const step = closed ? "card-form-closed" : "card-form";
      setPayment((now) => (now.step.startsWith("card-form") ? { step } : now));
      wake.abort();
    }, signal);
    for (; ; closedPolls += Number(isClosed)) {
      // After the last of these polls, only a card form that opens or closes ends the pause.
      const interval = closedPolls < MAX_CLOSED_POLLS ? POLL_INTERVAL_MS : null;
      await pause(isClosed ? interval : FORM_POLL_INTERVAL_MS, AbortSignal.any([signal, wake.signal]));
      wake = new AbortController();
      if (signal.aborted) return;
      const found = await client.find(paymentId);
      if (signal.aborted) return;
      if (isRefusal(found)) return;
      const step = found.ok ? formStepOf(found.value.state) : null;
      if (step === "reported") return confirm();
      if (step) setPayment((now) => (now.step === "returned" ? now : { step }));
    }
  }

  async function confirm(): Promise<void> {
    if (!asked.current) return setPayment({ step: "ready" });
    looking.current?.abort();
    const { signal } = (looking.current = new AbortController());
    const report = asked.current;
    report.reportedAt ??= Date.now();
    setPayment({ step: "confirming" });
    for (let polls = 1; !signal.aborted; polls += 1) {
      const found = await client.find(report.paymentId);
      if (signal.aborted) return;
      if (found.ok && found.value.state === "processing") report.wasProcessing = true;
      const next = afterPoll(found, polls, report);
      if (next) {
        if (next.step === "paid" || next.step === "cancelled") attempt.current = asked.current = null;
        return setPayment(next);
      }
      await pause(POLL_INTERVAL_MS, signal);
    }
  }

  return { payment, start, lookAgain: () => void confirm(), startOver: () => setPayment({ step: "ready" }) };
}

interface Report {
  /** Whether the bank was seen to process what was entered in the card form. */
  wasProcessing: boolean;
  /** When the page around the frame first said that the payment was made; null: it has not. */
  reportedAt: number | null;
}

/**
 * Returns the state of the payment after one poll; null to poll again. A failed poll says nothing about the payment.
 */
function afterPoll(
  found: Answered<{ state: Parameters<typeof progressOf>[0]; amountPence: Pence; reference: string }>,
  polls: number,
  { wasProcessing, reportedAt }: Report,
): CardPayment | null {
  if (isRefusal(found)) return { step: "lost" };
  const step = progressOf(found.ok ? found.value.state : "processing", polls, {
    wasProcessing,
    reportedForMs: reportedAt === null ? 0 : Date.now() - reportedAt,
  });
  if (step === "waiting") return null;
  if (step !== "paid") return { step };
  return found.ok ? { step, amountPence: found.value.amountPence, reference: found.value.reference } : null;
}

/** Returns whether our server says that this page may not see the payment. */
function isRefusal(found: Answered<unknown>): boolean {
  return !found.ok && found.status >= 400 && found.status < 500 && found.status !== 429;
}

/** Waits until the signal aborts, or for `ms` at most; null: for as long as that takes. */
function pause(ms: number | null, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = ms === null ? undefined : setTimeout(resolve, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
