import type { RecordState } from "../../audit/find-state.server.ts";
import { joinTransaction } from "../../audit/join-transaction.server.ts";
import type { Db } from "@farthing/db/client.ts";
import { changeRetailer, type RetailerFaults } from "./change-retailer.server.ts";
import { findRetailerRecord, formOf } from "./find-retailer-record.server.ts";
import { retailerSchema, typedOfRetailer, type RetailerForm } from "./retailer-schema.ts";

/** The fields of a form, by their names in the audit log. */
const namesInLog = {
  ...{ name: "name", short_info: "shortInfo", long_info: "longInfo", terms: "terms", homepage_url: "homepageUrl" },
  ...{ status: "status", accepts_claims: "acceptsClaims", adults_only: "adultsOnly", popularity: "popularity" },
  ...{ tracks_within_days_min: "tracksMin", tracks_within_days_max: "tracksMax", confirms_after: "confirmsAfter" },
  ...{ confirms_within_days_min: "confirmsMin", confirms_within_days_max: "confirmsMax" },
  ...{ main_category: "mainCategory", categories: "categories", brands: "brands" },
} as const satisfies Record<string, keyof RetailerForm>;

/** Returns the values that a change of the log has replaced; null where there is nothing to write back. */
export function oldRetailerValues({
  before,
  after,
}: {
  before: RecordState | null;
  after: RecordState | null;
}): Partial<RetailerForm> | null {
  if (!before || !after || isMerge(before, after)) return null;
  const fields = Object.entries(namesInLog)
    .filter(([name]) => name in before && JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map(([name, field]) => [field, before[name]]);
  return fields.length === 0 ? null : (Object.fromEntries(fields) as Partial<RetailerForm>);
}

/** A merge is not undone: what the two records had each can't be told apart any more. */
const isMerge = (before: RecordState, after: RecordState) =>
  ["merged_into", "merged_from"].some((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));

export type RetailerUndo =
  | { outcome: "changed" | "unchanged" | "unknown" }
  | { outcome: "refused"; faults: RetailerFaults };

/** Writes old values of a retailer back, checked as if they were typed now. Other fields stay as they are. */
export async function undoRetailer(
  db: Db,
  { slug, values, now }: { slug: string; values: Partial<RetailerForm>; now: Date },
): Promise<RetailerUndo> {
  return await db.transaction().execute(async (trx): Promise<RetailerUndo> => {
    const record = await findRetailerRecord(trx, { slug, isLocked: true });
    if (!record) return { outcome: "unknown" };
    const form = retailerSchema.safeParse(typedOfRetailer({ ...formOf(record), ...values }));
    if (!form.success) {
      const faults: Record<string, string> = {};
      for (const { path, message } of form.error.issues) faults[String(path[0] ?? "form")] ??= message;
      return { outcome: "refused", faults };
    }
    const change = { slug, seen: record.fingerprint, form: form.data, now };
    const changed = await changeRetailer(joinTransaction(trx), change);
    if (changed.outcome === "refused") return changed;
    return { outcome: changed.outcome === "stale" || changed.outcome === "merged" ? "unknown" : changed.outcome };
  });
}
