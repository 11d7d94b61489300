import { purchasesCsv } from "@farthing/core/cashback/purchases-csv.server.ts";
import { creditsCsv } from "@farthing/core/goodwill/credits-csv.server.ts";
import { downloadResponse } from "../../download-response.ts";
import { memberContext, servicesContext, visitContext } from "../../site-context.ts";
import type { Route } from "./+types/download-purchases";

/** Returns all purchases of this member as CSV, as fast as it is read, and below them what the club has credited (C3, C7). */
export function loader({ context }: Route.LoaderArgs) {
  const member = context.get(memberContext);
  const { brand } = context.get(visitContext);
  const { db, now } = context.get(servicesContext);
  const day = now().toISOString().slice(0, 10);
  const rows = async function* () {
    yield* purchasesCsv(db, { memberId: member.id });
    yield* creditsCsv(db, { memberId: member.id });
  };
  return downloadResponse(rows(), {
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": `attachment; filename="${brand.slug}-purchases-${day}.csv"`,
  });
}
