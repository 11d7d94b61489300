import type { BasisPoints, Pence } from "../money/money.ts";

/**
 * What gift cards need from an issuer (G5). Amounts are pence sterling. An adapter stores nothing: core keeps each
 * line's reference and calls again until the outcome is known.
 */

/** Which amounts a card may have: a list, or any multiple of `stepPence` from `minPence` to `maxPence`. */
export type CardAmounts =
  | { kind: "fixed"; amountsPence: readonly Pence[] }
  | { kind: "range"; minPence: Pence; maxPence: Pence; stepPence: Pence };

export interface IssuerProduct {
  /** The issuer's id of the product. */
  issuerProductId: string;
  name: string;
  amounts: CardAmounts;
  /** What the issuer takes off the face value. */
  issuerDiscountBp: BasisPoints;
  /** False: the issuer lists it and does not sell it now. */
  isOnSale: boolean;
  /** Whether an issued card can be reversed. */
  isReversible: boolean;
  /** Months from issue to expiry; null where the issuer does not say. */
  expiresAfterMonths: number | null;
  redeemableAt: readonly ("online" | "in-store")[];
  /** The retailer's terms, in plain text. */
  terms: string;
}

/** A card to issue, and what finds it again. */
export interface CardOrder {
  /** Our reference of the line: 5 to 50 characters of A–Z, a–z, 0–9, "-" and "_". */
  clientReference: string;
  issuerProductId: string;
  faceValuePence: Pence;
}

export interface IssuedCard {
  issuerReference: string;
  /** What a shop needs. Secret: anyone who reads it can spend the card. */
  code: string;
  pin: string | null;
  /** Where the card is shown by the issuer; null where it has no page. */
  url: string | null;
  barcode: { kind: string; value: string } | null;
  /** YYYY-MM-DD; null where it does not expire or the issuer does not say. */
  expiresOn: string | null;
  faceValuePence: Pence;
  /** What the issuer took out of the float. */
  costPence: Pence;
}

/** Why the issuer made no card and will make none for this reference, unless it is asked again. */
export type NoCardReason = "out-of-stock" | "insufficient-float" | "denomination-unavailable" | "refused";

export type IssueAnswer =
  | { outcome: "issued"; card: IssuedCard }
  /** The issuer works on it. Ask again with the same reference. */
  | { outcome: "pending" }
  | { outcome: NoCardReason };

export type ReverseAnswer =
  /** The card is worth nothing any more, and its cost is back in the float. Also the answer when it was reversed before. */
  | "reversed"
  /** The issuer knows no order with this reference. */
  | "never-issued"
  | "too-late"
  /** The issuer does not reverse this product. */
  | "not-reversible"
  /** The issuer still works on the order. */
  | "pending";

export type StockAnswer = "in-stock" | "out-of-stock" | "denomination-unavailable";

export interface CardIssuer {
  /** As in `gift_card_products.issuer`. */
  readonly slug: string;

  /** Returns every product, also those that are not on sale. @throws IssuerUnavailableError */
  catalogue(): Promise<IssuerProduct[]>;

  /** @throws IssuerUnavailableError */
  checkStock(card: Omit<CardOrder, "clientReference">): Promise<StockAnswer>;

  /**
   * Issues a card, once per `clientReference`: further calls return the order as it is now, and never make a second
   * card. An order that ended without a card is tried again.
   * @throws IssuerUnavailableError: nothing is known. A card may have been issued; call again with the same reference.
   */
  issue(card: CardOrder): Promise<IssueAnswer>;

  /** Takes an issued card back, or finds that there is none. May be repeated. @throws IssuerUnavailableError */
  reverse(card: CardOrder): Promise<ReverseAnswer>;

  /** Returns what is left on a card; null where the product has no such check. @throws IssuerUnavailableError */
  balance(card: CardOrder & { issuerReference: string }): Promise<Pence | null>;

  /** Returns what is left of the money that we have with the issuer. @throws IssuerUnavailableError */
  float(): Promise<Pence>;
}

/**
 * Thrown when the issuer does not answer, or not with what its API documents. The call may have taken effect. The
 * message is ours: it repeats nothing of an answer, because answers hold codes.
 */
export class IssuerUnavailableError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "IssuerUnavailableError";
  }
}

/** Returns whether an issuer does not answer. By its name: a page's bundle has a class of its own, the adapter the server's. */
export function isIssuerUnavailable(error: unknown): boolean {
  return error instanceof Error && error.name === "IssuerUnavailableError";
}
