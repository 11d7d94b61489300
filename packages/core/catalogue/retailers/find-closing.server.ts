import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { isProductSold } from "../../gift-cards/sold-products.server.ts";
import { isToBeTold } from "../../gift-cards/wallet-notices.server.ts";
import type { RetailerStatus } from "../catalogue-view.ts";
import { findRetailerRecord, type RetailerRecord } from "./find-retailer-record.server.ts";
import { isWorse } from "./retailer-schema.ts";

/** What stops, and who is told, when a retailer is paused, in administration or closed (A2). */
export interface ClosingPreview {
  liveOffers: number;
  /** Purchases that are tracked or confirmed and not payable yet, and how many members they are of. */
  purchases: { open: number; members: number };
  /** Codes of its offers that nobody has yet. */
  freeCodes: number;
  /** Names of its gift cards that are sold now. */
  giftCards: string[];
  /** Cards of it in wallets whose holders would be told of its trouble now. */
  heldCards: number;
}

/** Returns what a worse state of a retailer would stop. Reads all purchases that wait: for a question, not for a list. */
export async function findClosing(
  db: Db,
  { id: retailerId, liveOffers }: Pick<RetailerRecord, "id" | "liveOffers">,
  { now }: { now: Date },
): Promise<ClosingPreview> {
  const { rows } = await sql<Omit<ClosingPreview, "liveOffers">>`
    select (select json_build_object('open', count(*), 'members', count(distinct watch.member_id)) from cashback_watches watch
        join cashback_entries entry on entry.id = watch.entry_id where entry.retailer_id = ${retailerId}) as purchases,
      (select count(*)::int from offers offer join offer_codes code on code.offer_id = offer.id and code.code_kind = 'pool'
          and code.member_id is null and code.voided_at is null where offer.retailer_id = ${retailerId}) as "freeCodes",
      array(select product.name from gift_card_products product
        where product.retailer_id = ${retailerId} and ${isProductSold} order by 1) as "giftCards",
      (select count(*)::int from gift_card_products product join gift_card_lines line on line.product_id = product.id
          join wallet_cards wallet on wallet.line_id = line.id join members member on member.id = wallet.member_id
        where product.retailer_id = ${retailerId} and ${isToBeTold(now)}) as "heldCards"`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("The counts of a retailer gave no row.");
  return { liveOffers, ...row };
}

/** The states that stop something. */
export type WorseStatus = Exclude<RetailerStatus, "active">;

export interface ClosingToAsk {
  status: WorseStatus;
  closing: ClosingPreview;
}

/**
 * Returns what to ask before a worse state is saved (A2); null: the state is no worse, or the form, which showed `seen`, was opened before somebody
 * else's save, which is told first.
 */
export async function findClosingToAsk(
  db: Db,
  { slug, seen, status, now }: { slug: string; seen: string; status: RetailerStatus; now: Date },
): Promise<ClosingToAsk | null> {
  const record = await findRetailerRecord(db, { slug, now });
  if (!record || record.mergedInto || record.fingerprint !== seen) return null;
  if (status === "active" || !isWorse(record.status, status)) return null;
  return { status, closing: await findClosing(db, record, { now }) };
}
