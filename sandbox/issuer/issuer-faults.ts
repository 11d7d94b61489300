import type { State } from "../state/state.ts";

/** What the issuer does wrong now. With everything off it issues at once and answers once. */
export interface IssuerFaults {
  /** Every call is answered 503, and nothing happens. */
  down: boolean;
  /** The next orders are carried out and answered 504: the caller does not learn of it. */
  loseAnswers: number;
  /** The next calls are never answered. Orders among them are carried out. */
  hang: number;
  /** New orders stay in progress for so long. */
  pendingSeconds: number;
  /** A repeated reference is refused as a duplicate (409) instead of being answered again. */
  refuseDuplicates: boolean;
  /** Reversals are refused as too late. */
  tooLate: boolean;
  /** Brands without stock. */
  outOfStock: string[];
  /** Amounts that are gone, as `<brand>:<amount>`: `sandbox-fixed:25.00`. */
  goneAmounts: string[];
  /** Brands that the catalogue no longer lists; orders for them are refused. */
  withdrawn: string[];
  /** Changed discounts, by brand: `{ "sandbox-fixed": "2.00" }`. */
  discounts: Record<string, string>;
}

const none: IssuerFaults = {
  down: false,
  loseAnswers: 0,
  hang: 0,
  pendingSeconds: 0,
  refuseDuplicates: false,
  tooLate: false,
  outOfStock: [],
  goneAmounts: [],
  withdrawn: [],
  discounts: {},
};

const NAME = "issuer faults";

export function readIssuerFaults(state: State): IssuerFaults {
  const row = state.one<{ value: string }>("select value from settings where name = ?", NAME);
  return { ...none, ...(row ? (JSON.parse(row.value) as Partial<IssuerFaults>) : {}) };
}

/** Changes the given faults; ignores values of the wrong type. Returns the current faults. */
export function writeIssuerFaults(state: State, changes: Record<string, unknown>): IssuerFaults {
  const faults = readIssuerFaults(state);
  for (const name of ["down", "refuseDuplicates", "tooLate"] as const) {
    const value = changes[name];
    if (typeof value === "boolean") faults[name] = value;
  }
  for (const name of ["loseAnswers", "hang", "pendingSeconds"] as const) {
    const value = changes[name];
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) faults[name] = value;
  }
  for (const name of ["outOfStock", "goneAmounts", "withdrawn"] as const) {
    const value = changes[name];
    if (Array.isArray(value) && value.every((one) => typeof one === "string")) faults[name] = value;
  }
  const { discounts } = changes;
  if (typeof discounts === "object" && discounts !== null && !Array.isArray(discounts))
    faults.discounts = Object.fromEntries(
      Object.entries(discounts).filter(([, value]) => typeof value === "string" && /^\d{1,2}\.\d\d$/.test(value)),
    ) as Record<string, string>;
  state.run(
    "insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value",
    NAME,
    JSON.stringify(faults),
  );
  return faults;
}
