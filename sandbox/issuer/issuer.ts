import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { amountText } from "../network/amounts.ts";
import type { State } from "../state/state.ts";
import type { Brand } from "./issuer-brands.ts";
import { readIssuerFaults } from "./issuer-faults.ts";

/** The gift-card issuer that the sandbox plays. */
export interface Issuer {
  state: State;
  brands: () => Readonly<Record<string, Brand>>;
  keys: IssuerKeys;
  /** The sandbox's time, which a scenario may move. */
  now: () => number;
  /** The real time, which signatures are compared with. */
  realNow: () => number;
}

export interface IssuerKeys {
  apiKey: string;
  secret: string;
}

/** An order for a card, as it was placed. */
export interface CardRow {
  client_reference: string;
  reference: string;
  brand: string;
  face_pence: number;
  cost_pence: number;
  /** Milliseconds since 1970: until then the order is in progress. */
  ready_at: number;
  code: string;
  pin: string;
  expires_on: string | null;
  placed_at: number;
  reversed_at: number | null;
  left_pence: number;
  /** How often the order was placed. */
  orders: number;
}

export type Refusal = "606" | "610" | "704" | "705";

const FLOAT_PENCE = 1_000_000;
const REVERSIBLE_MS = 48 * 60 * 60_000;

export function floatOf({ state }: Issuer): number {
  const row = state.one<{ value: string }>("select value from settings where name = 'issuer float'");
  return row ? Number(row.value) : FLOAT_PENCE;
}

export function setFloat({ state }: Issuer, pence: number): void {
  state.run(
    "insert into settings (name, value) values ('issuer float', ?) on conflict (name) do update set value = excluded.value",
    String(pence),
  );
}

/** Returns the brands as the catalogue lists them now. */
export function listedBrands(issuer: Issuer): Record<string, Brand> {
  const { withdrawn, discounts } = readIssuerFaults(issuer.state);
  return Object.fromEntries(
    Object.entries(issuer.brands())
      .filter(([slug]) => !withdrawn.includes(slug))
      .map(([slug, brand]) => [slug, { ...brand, discount: discounts[slug] ?? brand.discount }]),
  );
}

/** Returns why a card can't be sold; null if it can. 705: there is no such brand. */
export function stockProblem(issuer: Issuer, slug: string, facePence: number): Refusal | null {
  const { outOfStock, goneAmounts } = readIssuerFaults(issuer.state);
  const brand = listedBrands(issuer)[slug];
  if (!brand || brand.status.code !== "ENABLED") return "705";
  const limits = brand.digital_face_value_limits;
  const isOffered = brand.digital_denominations
    ? brand.digital_denominations.some((amount) => Math.round(Number(amount) * 100) === facePence)
    : !!limits && facePence >= Number(limits.lower) * 100 && facePence <= Number(limits.upper) * 100;
  if (!isOffered || goneAmounts.includes(`${slug}:${amountText(facePence)}`)) return "704";
  return outOfStock.includes(slug) ? "606" : null;
}

export function findCard({ state }: Issuer, clientReference: string): CardRow | undefined {
  return state.one<CardRow>("select * from issuer_cards where client_reference = ?", clientReference);
}

/** Places an order. The same reference is the same order. */
export function placeOrder(
  issuer: Issuer,
  order: { clientReference: string; brand: string; facePence: number },
): { outcome: "placed" | "repeated"; card: CardRow } | { outcome: "refused"; code: Refusal } {
  const { state, now } = issuer;
  return state.transaction(() => {
    const known = findCard(issuer, order.clientReference);
    if (known) {
      state.run("update issuer_cards set orders = orders + 1 where client_reference = ?", order.clientReference);
      return { outcome: "repeated", card: known };
    }
    const problem = stockProblem(issuer, order.brand, order.facePence);
    if (problem) return { outcome: "refused", code: problem };
    const brand = listedBrands(issuer)[order.brand];
    const cost = order.facePence - Math.floor((order.facePence * Math.round(Number(brand?.discount) * 100)) / 10_000);
    if (cost > floatOf(issuer)) return { outcome: "refused", code: "610" };
    setFloat(issuer, floatOf(issuer) - cost);
    const months = Number(brand?.["expiry_months"] ?? 0);
    const expires = new Date(now());
    expires.setUTCMonth(expires.getUTCMonth() + months);
    state.run(
      `insert into issuer_cards (client_reference, reference, brand, face_pence, cost_pence, ready_at, code, pin, expires_on, placed_at, left_pence, orders)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)`,
      order.clientReference,
      randomUUID(),
      order.brand,
      order.facePence,
      cost,
      now() + readIssuerFaults(state).pendingSeconds * 1000,
      randomBytes(10).toString("hex").toUpperCase(),
      String(randomInt(10_000)).padStart(4, "0"),
      months > 0 ? expires.toISOString().slice(0, 10) : null,
      now(),
      order.facePence,
    );
    return { outcome: "placed", card: findCard(issuer, order.clientReference) as CardRow };
  });
}

/** Takes a card back and returns its cost to the float. */
export function reverseCard(issuer: Issuer, clientReference: string): "000" | "702" | "711" | "712" {
  const { state, now } = issuer;
  return state.transaction(() => {
    const card = findCard(issuer, clientReference);
    if (!card) return "702";
    if (card.reversed_at !== null) return "000";
    if (!issuer.brands()[card.brand]?.transaction_types.includes("cancel")) return "712";
    const isLate = now() - card.placed_at > REVERSIBLE_MS || card.left_pence < card.face_pence;
    if (isLate || readIssuerFaults(state).tooLate) return "711";
    state.run(
      "update issuer_cards set reversed_at = ?, left_pence = 0 where client_reference = ?",
      now(),
      clientReference,
    );
    setFloat(issuer, floatOf(issuer) + card.cost_pence);
    return "000";
  });
}

export function latestCards({ state }: Issuer, max: number): CardRow[] {
  return state.all<CardRow>("select * from issuer_cards order by rowid desc limit ?", max);
}

export function forgetIssuer({ state }: Issuer): void {
  state.transaction(() => {
    state.run("delete from issuer_cards");
    state.run("delete from settings where name in ('issuer faults', 'issuer float')");
  });
}
