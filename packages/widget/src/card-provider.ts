import type { Environment } from "./environments.ts";
import type { LoadScript } from "./load-script.ts";
import type { PaymentIntentPayload } from "./messages.ts";

/** An error of the provider, which has a code, or an error while reaching it, which has none. */
export type CardProblem = { message: string; code?: string; decline_code?: string };

/** One card form for one payment intent. */
export type CardForm = {
  /** Resolves when the form is usable and the provider has confirmed the amount, to whether the intent is already paid. Rejects with a CardProblem. */
  ready: Promise<boolean>;
  /**
   * Asks the provider to take the payment, and whether it has taken it if its answer is lost. Resolves to undefined on success and never rejects.
   * Stays pending if the provider leaves the page.
   */
  confirm(returnUrl: string): Promise<CardProblem | undefined>;
  /** Asks the provider whether it has taken the payment: also after `destroy`. Resolves to false if it does not answer. Never rejects. */
  isPaid(): Promise<boolean>;
  /** Removes the form. Can be called at any time. */
  destroy(): void;
};

/** What the widget needs from a card provider. */
export type CardProvider = {
  openForm(options: {
    intent: PaymentIntentPayload;
    pence: number;
    fields: HTMLElement;
    locale: string | undefined;
    appearance: Record<string, unknown> | undefined;
    onEscape: () => void;
  }): CardForm;
  /** Resolves to why the payment with this client secret was not taken; undefined where it was. Rejects if the provider does not answer. */
  findProblem(clientSecret: string): Promise<CardProblem | undefined>;
};

/** Loads the provider's client script for an environment, once per page, on the first payment. Gives up when the signal aborts. */
export type LoadCardProvider = (
  environment: Environment,
  loadScript: LoadScript,
  signal: AbortSignal,
) => Promise<CardProvider>;
