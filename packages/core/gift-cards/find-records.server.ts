import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { accountId } from "../ledger/operations.server.ts";
import { findLine, type LineRow } from "./line-row.server.ts";
import { lineList, productColumns, type OperatorLine, type OperatorProduct } from "./list-lines.server.ts";
import { findLines, type LineHistory } from "./queries.server.ts";
import { refusalOf, type Decision } from "./resolve-line.server.ts";
import { isProductSold } from "./sold-products.server.ts";

/** A line with all that an operator needs to decide about it. Never a code. */
export interface LineRecord extends OperatorLine {
  issuerProductId: string;
  costPence: number;
  cashbackPence: number;
  attempts: number;
  nextStepAt: Date | null;
  paidAt: Date | null;
  issuedAt: Date | null;
  payment: LineRow["payment"];
  changes: LineHistory["changes"];
  /** The other lines of its order. */
  others: LineHistory[];
  /** Why each decision can't be made now; null: it can. */
  refusals: Record<Decision, string | null>;
}

/** Returns a line by its number; null: there is none. */
export async function findLineRecord(
  db: Db,
  { publicId, now }: { publicId: string; now: Date },
): Promise<LineRecord | null> {
  const line = await findLine(db, { publicId });
  if (!line) return null;
  const { from, select } = lineList({}, 1);
  const [listed, ofOrder] = await Promise.all([
    sql<OperatorLine>`select ${select} from ${from} where line.id = ${line.id}`.execute(db),
    findLines(db, { publicId: line.orderPublicId }),
  ]);
  const [row] = listed.rows;
  const own = ofOrder.find((each) => each.publicId === publicId);
  if (!row || !own) return null;
  return {
    ...row,
    issuerProductId: line.issuerProductId,
    costPence: line.costPence,
    cashbackPence: line.cashbackPence,
    attempts: own.attempts,
    nextStepAt: own.nextStepAt,
    paidAt: line.paidAt,
    issuedAt: line.issuedAt,
    payment: line.payment,
    changes: own.changes,
    others: ofOrder.filter((each) => each !== own),
    refusals: {
      issue: refusalOf(line, "issue", now),
      refund: refusalOf(line, "refund", now),
      refunded: refusalOf(line, "refunded", now),
      retry: refusalOf(line, "retry", now),
    },
  };
}

export interface ProductRecord extends OperatorProduct {
  /** Paid lines of it that are not decided yet. */
  openLines: number;
  /** Cards that were issued and may be unused. */
  issuedLines: number;
  /** The retailer of its name; null: the catalogue has none. */
  retailer: { slug: string; name: string } | null;
}

/** Returns a product by its number; null: there is none. */
export async function findProductRecord(db: Db, { publicId }: { publicId: string }): Promise<ProductRecord | null> {
  const { rows } = await sql<ProductRecord>`select ${productColumns}, counted.*,
      (select json_build_object('slug', seller.slug, 'name', seller.name) from retailers seller
        where seller.id = product.retailer_id) as retailer
    from gift_card_products product cross join lateral (
      select count(*) filter (where line.state in ('held', 'issuing', 'reversing', 'refunding'))::int as "openLines",
        count(*) filter (where line.state = 'issued')::int as "issuedLines"
      from gift_card_lines line where line.product_id = product.id) counted
    where product.public_id = ${publicId}`.execute(db);
  return rows[0] ?? null;
}

/** A gift-card product as its retailer's page names it. */
export interface RetailerProduct {
  publicId: string;
  name: string;
  issuer: string;
  isSold: boolean;
}

/** Returns the gift-card products of a retailer, by name. */
export async function findRetailerProducts(db: Db, { retailerId }: { retailerId: string }): Promise<RetailerProduct[]> {
  const { rows } = await sql<RetailerProduct>`
    select product.public_id as "publicId", product.name, product.issuer, ${isProductSold} as "isSold"
    from gift_card_products product where product.retailer_id = ${retailerId} order by product.name, product.id`.execute(
    db,
  );
  return rows;
}

/** What was paid to issuers lately, the newest first. */
export async function findFloatPayments(
  db: Db,
  { max }: { max: number },
): Promise<{ key: string; amountPence: number; happenedAt: Date }[]> {
  const { rows } = await sql<{ key: string; amountPence: number; happenedAt: Date }>`
    select transfer.transfer_key as key, entry.amount_pence as "amountPence", transfer.happened_at as "happenedAt"
    from ledger_entries entry join ledger_transfers transfer on transfer.id = entry.transfer_id
    where entry.account_id = ${accountId({ kind: "club_float_paid" })} order by entry.xact_id desc limit ${max}`.execute(
    db,
  );
  return rows;
}
