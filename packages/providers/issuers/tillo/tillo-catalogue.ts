import type { CardAmounts, IssuerProduct } from "@farthing/core/gift-cards/issuer.ts";
import { z } from "zod";
import { poundsToPence } from "./tillo-money.ts";

const brandSchema = z.object({
  name: z.string().trim().min(1).max(200),
  currency: z.string(),
  status: z.object({ code: z.string() }),
  /** Per cent off the face value, such as `8.50`. */
  discount: z.coerce.string(),
  transaction_types: z.array(z.string()),
  digital_face_value_limits: z
    .object({ lower: z.coerce.string(), upper: z.coerce.string(), minor: z.coerce.string() })
    .nullish(),
  digital_denominations: z.array(z.coerce.string()).nullish(),
  expiry_months: z.number().int().positive().nullish(),
  redemption_locations: z.array(z.enum(["online", "in-store"])).nullish(),
  terms: z.string().max(20_000).nullish(),
});

/** Returns a brand of Tillo as a product; null where we can't sell it: not in pounds, not digital, or not readable. */
export function readBrand(slug: string, brand: unknown): IssuerProduct | null {
  const { data } = brandSchema.safeParse(brand);
  if (!data || data.currency !== "GBP" || !data.transaction_types.includes("digital_issue")) return null;
  const amounts = readAmounts(data);
  const issuerDiscountBp = poundsToPence(data.discount);
  if (!amounts || issuerDiscountBp === null || issuerDiscountBp > 5000 || !/^[a-z0-9-]{1,100}$/.test(slug)) return null;
  return {
    issuerProductId: slug,
    name: data.name,
    amounts,
    issuerDiscountBp,
    isOnSale: data.status.code === "ENABLED",
    isReversible: data.transaction_types.includes("cancel"),
    expiresAfterMonths: data.expiry_months ?? null,
    redeemableAt: data.redemption_locations ?? ["online", "in-store"],
    terms: data.terms ?? "",
  };
}

function readAmounts({
  digital_denominations: fixed,
  digital_face_value_limits: limits,
}: z.infer<typeof brandSchema>): CardAmounts | null {
  if (fixed && fixed.length > 0) {
    const amounts = fixed.map(poundsToPence);
    const known = amounts.filter((amount) => amount !== null && amount > 0) as number[];
    return known.length === amounts.length
      ? { kind: "fixed", amountsPence: [...new Set(known)].toSorted((one, other) => one - other) }
      : null;
  }
  if (!limits) return null;
  const [minPence, maxPence, stepPence] = [limits.lower, limits.upper, limits.minor].map(poundsToPence);
  if (!minPence || !maxPence || !stepPence || minPence > maxPence) return null;
  return { kind: "range", minPence, maxPence, stepPence };
}
