import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import type { CardIssuer } from "./issuer.ts";
import { defaultRewardBp } from "./rules.ts";
import { findTroubles, planTroubleNotices } from "./wallet-notices.server.ts";

export interface SyncedCatalogue {
  products: number;
  added: number;
  /** Products that the issuer sells no more, newly found. */
  withdrawn: number;
}

/**
 * Brings an issuer's products up to date (G5): adds new ones with the default reward, and withdraws what is gone or off
 * sale. Each product gets an address and its retailer's category. A reward that an operator has set stays, but never exceeds the issuer's discount.
 * @throws IssuerUnavailableError; RangeError for an empty catalogue, which would withdraw everything
 */
export async function syncCatalogue(db: Db, issuer: CardIssuer, { now }: { now: Date }): Promise<SyncedCatalogue> {
  const products = await issuer.catalogue();
  if (products.length === 0) throw new RangeError(`${issuer.slug} returned an empty catalogue, which is not believed.`);
  return db.transaction().execute(async (trx) => {
    const before = await findTroubles(trx, sql<boolean>`product.issuer = ${issuer.slug}`);
    let added = 0;
    for (const { issuerProductId, amounts, issuerDiscountBp, ...product } of products) {
      const values = {
        name: product.name,
        amounts_pence: amounts.kind === "fixed" ? [...amounts.amountsPence] : null,
        min_pence: amounts.kind === "range" ? amounts.minPence : null,
        max_pence: amounts.kind === "range" ? amounts.maxPence : null,
        step_pence: amounts.kind === "range" ? amounts.stepPence : null,
        issuer_discount_bp: issuerDiscountBp,
        is_reversible: product.isReversible,
        expires_after_months: product.expiresAfterMonths,
        redeemable_at: [...product.redeemableAt],
        terms: product.terms,
        synced_at: now,
      };
      const { isNew } = await trx
        .insertInto("gift_card_products")
        .values({
          ...values,
          id: newId(),
          issuer: issuer.slug,
          issuer_product_id: issuerProductId,
          reward_bp: defaultRewardBp(issuerDiscountBp),
          withdrawn_at: product.isOnSale ? null : now,
        })
        .onConflict((conflict) =>
          conflict.columns(["issuer", "issuer_product_id"]).doUpdateSet({
            ...values,
            reward_bp: sql`least(gift_card_products.reward_bp, excluded.issuer_discount_bp)`,
            withdrawn_at: product.isOnSale ? null : sql`coalesce(gift_card_products.withdrawn_at, ${now})`,
          }),
        )
        .returning(sql<boolean>`xmax = 0`.as("isNew"))
        .executeTakeFirstOrThrow();
      if (isNew) added += 1;
    }
    await sql`select name_gift_card_products()`.execute(trx);
    const { numUpdatedRows } = await trx
      .updateTable("gift_card_products")
      .set({ withdrawn_at: now })
      .where("issuer", "=", issuer.slug)
      .where("withdrawn_at", "is", null)
      .where("synced_at", "<", now)
      .executeTakeFirst();
    // A product may have got another retailer.
    await planTroubleNotices(trx, { before, now });
    return { products: products.length, added, withdrawn: Number(numUpdatedRows) };
  });
}
