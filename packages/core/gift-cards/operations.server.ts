import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { postTransfer } from "../ledger/operations.server.ts";
import type { Pence } from "../money/money.ts";
import { findTroubles, planTroubleNotices } from "./wallet-notices.server.ts";

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
    const before = await findTroubles(trx, sql<boolean>`product.issuer_product_id = ${issuerProductId}`);
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
    await planTroubleNotices(trx, { before, now });
    return stopped.length > 0 ? "done" : "unknown";
  });
}

/** What buyers get of a product: basis points of its face value, off the price or as cashback. */
export interface Reward {
  kind: "discount" | "cashback";
  basisPoints: number;
}

/** Returns what buyers get as text: a form that was opened with another reward comes too late. */
export function seenReward({ kind, basisPoints }: Reward): string {
  return `${kind} ${basisPoints}`;
}

export type RewardChange =
  /** `refused`: there is no such product, or the issuer's discount is smaller. */
  | { outcome: "changed" | "unchanged" | "refused" }
  /** Somebody saved meanwhile: what buyers get now. */
  | { outcome: "stale"; stored: Reward };

/**
 * Sets what buyers get of a product (G4).
 * @param seen what a page showed of one product; without it the reward is set whatever it is
 */
export async function setReward(
  db: Db,
  {
    issuerProductId,
    seen,
    ...reward
  }: Reward & { issuerProductId: string; seen?: { publicId: string; reward: string } },
): Promise<RewardChange> {
  return db.transaction().execute(async (trx): Promise<RewardChange> => {
    const { rows: stored } = await sql<Reward & { publicId: string; maxBp: number }>`
      select public_id as "publicId", reward_kind as kind, reward_bp as "basisPoints", issuer_discount_bp as "maxBp"
      from gift_card_products where issuer_product_id = ${issuerProductId} order by id for update`.execute(trx);
    const shown = seen && stored.find(({ publicId }) => publicId === seen.publicId);
    if (shown && seenReward(shown) !== seen.reward)
      return { outcome: "stale", stored: { kind: shown.kind, basisPoints: shown.basisPoints } };
    if (!stored.some(({ maxBp }) => maxBp >= reward.basisPoints)) return { outcome: "refused" };
    if (stored.every((each) => seenReward(each) === seenReward(reward))) return { outcome: "unchanged" };
    await trx
      .updateTable("gift_card_products")
      .set({ reward_kind: reward.kind, reward_bp: reward.basisPoints })
      .where("issuer_product_id", "=", issuerProductId)
      .where("issuer_discount_bp", ">=", reward.basisPoints)
      .execute();
    return { outcome: "changed" };
  });
}
