/** A card with its code, as a page shows it and a device keeps it. */
export interface ShownCard {
  /** The line's public id, or the present's. */
  publicId: string;
  name: string;
  /** `£25.00` */
  value: string;
  /** `3 December 2027`; null: it does not expire, or the issuer does not say. */
  expires: string | null;
  code: string;
  pin: string | null;
  /** The issuer's own page of the card. Secret, as the code is. */
  url: string | null;
  bar: { width: number; path: string } | null;
  qr: { size: number; path: string } | null;
}
