import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { postTransfer } from "../ledger/operations.server.ts";
import type { Pence } from "../money/money.ts";
import { planInsolvencyNotices } from "./wallet-notices.server.ts";

/**
 * Books money that was paid to an issuer. The bank's reference makes it happen once.
 * @returns false if that reference was booked before
 * @throws TransferConflictError for the same reference with another amount
 */
export async function bookFloatPayment(
  db: Db,
  { issuer, amountPence, reference, now }: { issuer: string; amountPence: Pence; reference: string; now: Date },
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const key = `issuer_float:${issuer}:${reference}`;
    const before = await trx
      .selectFrom("ledger_transfers")
      .select("cause_id")
      .where("transfer_key", "=", key)
      .executeTakeFirst();
    const { outcome } = await postTransfer(trx, {
      key,
      kind: "issuer_float_paid",
      legs: [
        { account: { kind: "issuer_float" }, amountPence: -amountPence },
        { account: { kind: "club_float_paid" }, amountPence },
      ],
      cause: { kind: "issuer_float", id: before?.cause_id ?? newId() },
      happenedAt: now,
    });
    return outcome === "posted";
  });
}

/** Returns what of a product's sale its page shows, as text: a decision about another state comes too late. */
export function seenSale({ stoppedAt, isInsolvent }: { stoppedAt: Date | null; isInsolvent: boolean }): string {
  return `${stoppedAt?.toISOString() ?? "sold"} ${isInsolvent}`;
}

/**
 * Stops or resumes the sale of a product. If its retailer is insolvent, the owners of unused cards are told, once (G6); it stays
 * insolvent until the sale is resumed.
 * @param seen what a page showed of one product; `stale`: somebody has decided since, and nothing is done
 */
export async function stopProduct(
  db: Db,
  {
    issuerProductId,
    because,
    isInsolvent = false,
    seen,
    now,
  }: {
    issuerProductId: string;
    because: string | null;
    isInsolvent?: boolean;
    seen?: { publicId: string; sale: string };
    now: Date;
  },
): Promise<"done" | "stale" | "unknown"> {
  return db.transaction().execute(async (trx) => {
    const stored = await trx
      .selectFrom("gift_card_products")
      .select(["public_id as publicId", "stopped_at as stoppedAt", "is_insolvent as isInsolvent"])
      .where("issuer_product_id", "=", issuerProductId)
      .orderBy("id")
      .forUpdate()
      .execute();
    const shown = seen && stored.find(({ publicId }) => publicId === seen.publicId);
    if (shown && seenSale(shown) !== seen.sale) return "stale";
    const isStopped = because !== null;
    const stopped = await trx
      .updateTable("gift_card_products")
      .set((product) => ({
        stopped_at: isStopped ? now : null,
        stopped_because: because,
        is_insolvent: isStopped && (isInsolvent || product.ref("is_insolvent")),
      }))
      .where("issuer_product_id", "=", issuerProductId)
      .returning("id")
      .execute();
    if (isStopped && isInsolvent)
      for (const { id: productId } of stopped) await planInsolvencyNotices(trx, { productId, now });
    return stopped.length > 0 ? "done" : "unknown";
  });
}

/** Sets what buyers get of a product. False: there is no such product, or the issuer's discount is smaller. */
export async function setReward(
  db: Db,
  {
    issuerProductId,
    kind,
    basisPoints,
  }: { issuerProductId: string; kind: "discount" | "cashback"; basisPoints: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("gift_card_products")
    .set({ reward_kind: kind, reward_bp: basisPoints })
    .where("issuer_product_id", "=", issuerProductId)
    .where("issuer_discount_bp", ">=", basisPoints)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
