import type { PaymentModal } from "./payment-modal.ts";

export type ScriptPolicy = { createScriptURL(url: string): string };

/** What all copies of the widget on a page share, such as a script tag's and a package's: one modal, one Trusted Types policy. */
type PageWide = { open?: { modal: PaymentModal; clientSecret: string } | undefined; policy?: ScriptPolicy | undefined };

const KEY = Symbol.for("farthing-widget");
const page = globalThis as { [KEY]?: PageWide };

export const pageWide = (): PageWide => (page[KEY] ??= {});
