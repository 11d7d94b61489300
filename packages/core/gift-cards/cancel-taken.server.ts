import type { Db } from "@farthing/db/client.ts";
import { changeLine, findLine } from "./line-row.server.ts";

/**
 * Cancels a gift card that a member took out of their cashback, before its issuer was asked: while it waits to be looked
 * at by a person, or for its first step. The money is back in the balance when this returns `cancelled`.
 */
export async function cancelGiftCard(
  db: Db,
  { brandId, memberId, publicId, now }: { brandId: string; memberId: string; publicId: string; now: Date },
): Promise<"cancelled" | "too-late" | "unknown"> {
  const known = await db
    .selectFrom("payouts as payout")
    .innerJoin("gift_card_orders as orders", "orders.payout_id", "payout.id")
    .innerJoin("gift_card_lines as line", "line.order_id", "orders.id")
    .select("line.id")
    .where("payout.public_id", "=", publicId)
    .where("payout.member_id", "=", memberId)
    .where("payout.brand_id", "=", brandId)
    .executeTakeFirst();
  const line = known && (await findLine(db, { id: known.id }));
  if (!line) return "unknown";
  const go = { reason: "cancelled", by: "member", now } as const;
  if (line.state === "awaiting_payment")
    return (await changeLine(db, line, { ...go, state: "cancelled", nextStepAt: null })) ? "cancelled" : "too-late";
  if (line.state !== "held" || line.cardState !== "none") return "too-late";
  if (!(await changeLine(db, line, { ...go, state: "refunding", nextStepAt: now }))) return "too-late";
  // If the process dies here, the saga's next step does the same.
  const refunding = await findLine(db, { id: line.id });
  if (refunding?.state === "refunding") await changeLine(db, refunding, { ...go, state: "refunded", nextStepAt: null });
  return "cancelled";
}
