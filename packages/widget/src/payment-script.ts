import { finishReturn, takePayment } from "./take-payment.ts";

/** The second file of the script tag's widget. payment-part-by-tag.ts reads the symbol when this file has loaded. */
Object.assign(globalThis, { [Symbol.for("farthing-widget-payment")]: { finishReturn, takePayment } });
