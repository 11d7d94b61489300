import type { Db } from "@farthing/db/client.ts";
import { joinTransaction } from "../../audit/join-transaction.server.ts";
import { changeOffer, setOfferStatus, type OfferFaults } from "./change-offer.server.ts";
import { findOfferRecord, typedOfOffer } from "./find-offer-record.server.ts";
import { offerSchema } from "./offer-schema.ts";
import type { OldValues } from "./old-values.ts";

export type OfferUndo = { outcome: "changed" | "unchanged" | "unknown" } | { outcome: "refused"; faults: OfferFaults };

/**
 * Writes old values of an offer back, checked as if they were typed now: a category may be gone meanwhile. Fields that the change did
 * not touch stay as they are.
 */
export async function undoOffer(
  db: Db,
  { publicId, values, now }: { publicId: string; values: OldValues; now: Date },
): Promise<OfferUndo> {
  return await db.transaction().execute(async (trx): Promise<OfferUndo> => {
    const joined = joinTransaction(trx);
    const record = await findOfferRecord(trx, { publicId, isLocked: true });
    if (!record) return { outcome: "unknown" };
    const form = offerSchema.safeParse(typedOfOffer({ ...record, ...values.fields }));
    if (!form.success) {
      const faults: Record<string, string> = {};
      for (const { path, message } of form.error.issues) faults[String(path[0] ?? "form")] ??= message;
      return { outcome: "refused", faults };
    }
    const changed = await changeOffer(joined, { publicId, seen: record.fingerprint, form: form.data, now });
    if (changed.outcome === "refused") return changed;
    const isSet = values.status !== null && (await setOfferStatus(joined, { publicId, status: values.status, now }));
    return { outcome: changed.outcome === "changed" || isSet ? "changed" : "unchanged" };
  });
}
