import { random } from "@farthing/art/random.ts";
import type { DemoEntry } from "./demo-entry.ts";

/** A gift card as the issuer's catalogue lists it (packages/providers/issuers/tillo); its key is the retailer's slug. */
export interface DemoGiftCard {
  name: string;
  currency: "GBP";
  status: { code: "ENABLED" | "DISABLED" };
  discount: string;
  transaction_types: string[];
  digital_denominations: string[] | null;
  digital_face_value_limits: { lower: string; upper: string; minor: string } | null;
  expiry_months: number | null;
  redemption_locations: ("online" | "in-store")[];
  terms: string;
}

const DENOMINATIONS = [
  ["5", "10", "20", "50"],
  ["10", "25", "50", "100"],
  ["15", "30", "60"],
  ["10", "20", "30", "40", "50"],
  ["25", "50", "75", "100", "150"],
] as const;
const LIMITS = [
  ["1", "250", "0.01"],
  ["5", "200", "1.00"],
  ["10", "500", "5.00"],
] as const;
const SPENDING = [
  "Spend it at once or in several purchases.",
  "It pays for one purchase; what is left over is lost.",
  "Up to five cards can pay for one purchase.",
];
const LIMITED = [
  "It does not pay for other gift cards.",
  "It does not pay for delivery.",
  "It is not taken in outlets and concessions.",
];

/** Returns the gift card of a demo retailer: fixed amounts or a range, a discount, terms, where it counts, its expiry, which pages write beside the terms. */
export function demoGiftCard(seed: string, { editorial: { slug, name } }: DemoEntry): DemoGiftCard {
  const chance = random(`${seed}/gift-card/${slug}`);
  const isFixed = chance.percent(55);
  const [lower, upper, minor] = chance.pick(LIMITS);
  const months = chance.pick([6, 12, 12, 24, 24, 36, null]);
  return {
    name,
    currency: "GBP",
    status: { code: chance.percent(3) ? "DISABLED" : "ENABLED" },
    discount: quarters(chance.between(10, 44)),
    transaction_types: chance.percent(85) ? ["digital_issue", "cancel"] : ["digital_issue"],
    digital_denominations: isFixed ? [...chance.pick(DENOMINATIONS)] : null,
    digital_face_value_limits: isFixed ? null : { lower, upper, minor },
    expiry_months: months,
    redemption_locations: chance.pick([["online", "in-store"], ["online", "in-store"], ["online"], ["in-store"]]),
    terms: `${chance.pick(SPENDING)} ${chance.pick(LIMITED)}`,
  };
}

/** Returns quarters as a decimal: `2.75` for 11. */
function quarters(count: number): string {
  return `${Math.floor(count / 4)}.${String((count % 4) * 25).padStart(2, "0")}`;
}
