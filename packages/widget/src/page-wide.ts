import type { Frame } from "./open-frame.ts";
import type { PaymentModal } from "./payment-modal.ts";
import type { Return } from "./return-url.ts";

export type ScriptPolicy = { createScriptURL(url: string): string };

/** `isPaid`: whether the payment was taken. Undefined: not asked, or not answered. */
export type Returned = Return & { isPaid?: Promise<boolean> | undefined };

/**
 * What all copies of the widget on a page share, such as a script tag's and a package's: one modal, one Trusted Types policy, one payer who has come
 * back. The code that takes payments can load twice for one copy too.
 */
type PageWide = {
  open?: { modal: PaymentModal; clientSecret: string } | undefined;
  policy?: ScriptPolicy | undefined;
  /** The return that this page was loaded with, until it is settled. */
  returned?: Returned | undefined;
  /** The frame that the last call of `finishReturn` has told of the return. */
  told?: Frame | undefined;
};

const KEY = Symbol.for("farthing-widget");
const page = globalThis as { [KEY]?: PageWide };

export const pageWide = (): PageWide => (page[KEY] ??= {});
