import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** A brand as the issuer's API lists it. */
export interface Brand {
  name: string;
  currency: string;
  status: { code: string };
  /** Per cent off the face value: `8.50`. */
  discount: string;
  transaction_types: string[];
  digital_face_value_limits?: { lower: string; upper: string; minor: string } | null;
  digital_denominations?: string[] | null;
  [field: string]: unknown;
}

/** What there is until the catalogue's file is written, and in tests. */
const builtIn: Readonly<Record<string, Brand>> = {
  "sandbox-fixed": {
    name: "Sandbox Fixed",
    currency: "GBP",
    status: { code: "ENABLED" },
    discount: "8.00",
    transaction_types: ["digital_issue", "cancel"],
    digital_denominations: ["10", "25", "50"],
    expiry_months: 24,
    redemption_locations: ["online", "in-store"],
    terms: "Spend it once or in parts.",
  },
  "sandbox-range": {
    name: "Sandbox Range",
    currency: "GBP",
    status: { code: "ENABLED" },
    discount: "5.50",
    transaction_types: ["digital_issue", "cancel"],
    digital_face_value_limits: { lower: "5", upper: "250", minor: "0.01" },
    expiry_months: 12,
    redemption_locations: ["online"],
    terms: "Online only.",
  },
  "sandbox-final": {
    name: "Sandbox Final",
    currency: "GBP",
    status: { code: "ENABLED" },
    discount: "3.00",
    transaction_types: ["digital_issue"],
    digital_denominations: ["20"],
    redemption_locations: ["in-store"],
    terms: "Can't be taken back.",
  },
};

/** Reads tillo-brands.json of a folder; again when the file has changed. */
export function openBrands(folder: string): () => Readonly<Record<string, Brand>> {
  const file = join(folder, "tillo-brands.json");
  let readAt = -1;
  let brands = builtIn;
  return () => {
    const changedAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? -1;
    if (changedAt !== readAt) {
      readAt = changedAt;
      brands = changedAt < 0 ? builtIn : (JSON.parse(readFileSync(file, "utf8")) as Record<string, Brand>);
    }
    return brands;
  };
}
