import type { Environment } from "./environments.ts";
import type { PaymentIntentPayload } from "./messages.ts";

/** What the provider says went wrong, or an error on the way there. */
export type CardProblem = { message: string; code?: string };

/** One card form for one payment intent. */
export type CardForm = {
  /** Settles once the form can be used and the provider has confirmed the amount; rejects with a CardProblem. */
  ready: Promise<unknown>;
  /** Asks the provider to take the payment. Never rejects: undefined is success. Does not settle when the provider leaves the page. */
  confirm(returnUrl: string): Promise<CardProblem | undefined>;
  /** Removes the form. Safe at any time. */
  destroy(): void;
};

/** What the widget needs of a card provider. */
export type CardProvider = {
  openForm(options: {
    intent: PaymentIntentPayload;
    pence: number;
    fields: HTMLElement;
    onEscape: () => void;
  }): CardForm;
};

/** Loads the provider's client script for an environment, once per page and only when a payment is asked for. */
export type LoadCardProvider = (environment: Environment) => Promise<CardProvider>;
