import type { PartnerMode } from "./mode.ts";

/** An order that is paid once (W10): the partner's own name for it, of one mode. */
export interface Order {
  partnerId: string;
  mode: PartnerMode;
  reference: string;
}

/** The payment by which an order is paid or being paid. */
export interface OrderPayment {
  publicId: string;
  /** A state of payments. */
  state: string;
}
