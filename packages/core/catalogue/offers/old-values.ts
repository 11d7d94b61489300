import type { RecordState } from "../../audit/find-state.server.ts";
import type { OfferForm } from "./offer-schema.ts";

/** The fields of a form, by their names in the audit log. */
const namesInLog = {
  ...{ kind: "kind", title: "title", headline: "headline", description: "description", terms: "terms" },
  ...{ exclusions: "exclusions", landing_url: "landingUrl", code: "code", adults_only: "adultsOnly" },
  ...{ starts_at: "startsAt", ends_at: "endsAt", popularity: "popularity" },
  ...{ categories: "categories", brands: "brands", variants: "variants" },
} as const satisfies Record<string, keyof OfferForm>;

export interface OldValues {
  fields: Partial<OfferForm>;
  /** Set where the change published or withdrew the offer. */
  status: "live" | "withdrawn" | null;
}

/** Returns the values that a change of the log has replaced; null where there is nothing to write back. */
export function oldValues({
  before,
  after,
}: {
  before: RecordState | null;
  after: RecordState | null;
}): OldValues | null {
  if (!before || !after) return null;
  const differs = (name: string) => JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  const fields = Object.entries(namesInLog)
    .filter(([name]) => name in before && differs(name))
    .map(([name, field]) => [field, valueOf(field, before[name])]);
  const status = differs("status") ? (before["status"] as "live" | "withdrawn") : null;
  if (fields.length === 0 && status === null) return null;
  return { fields: Object.fromEntries(fields) as Partial<OfferForm>, status };
}

function valueOf(field: keyof OfferForm, value: unknown): unknown {
  return (field === "startsAt" || field === "endsAt") && typeof value === "string" ? new Date(value) : value;
}
