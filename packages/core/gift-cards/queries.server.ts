import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { accountId } from "../ledger/operations.server.ts";
import type { Pence } from "../money/money.ts";
import type { CardState, LineState } from "./rules.ts";

export interface ListedLine {
  publicId: string;
  orderPublicId: string;
  product: string;
  state: LineState;
  cardState: CardState;
  reason: string | null;
  facePence: Pence;
  paidPence: Pence;
  attempts: number;
  lastError: string | null;
  nextStepAt: Date | null;
  placedAt: Date;
}

const columns = sql`line.public_id as "publicId", orders.public_id as "orderPublicId", product.name as product, line.state,
  line.card_state as "cardState", line.reason, line.face_pence as "facePence",
  line.price_pence + line.fee_pence as "paidPence", line.attempts, line.last_error as "lastError",
  line.next_step_at as "nextStepAt", orders.placed_at as "placedAt"`;
const tables = sql`gift_card_lines line join gift_card_orders orders on orders.id = line.order_id
  join gift_card_products product on product.id = line.product_id`;

/** Returns the lines that are paid and not decided, the oldest first: held ones, and those that the saga works on. */
export async function listOpenLines(db: Db, { max }: { max: number }): Promise<ListedLine[]> {
  const { rows } = await sql<ListedLine>`
    select ${columns} from ${tables}
    where line.state in ('held', 'issuing', 'reversing', 'refunding') or (line.state in ('refunded', 'charged_back') and line.card_state = 'possible')
    order by orders.placed_at, line.id limit ${max}`.execute(db);
  return rows;
}

export interface LineHistory extends ListedLine {
  changes: {
    version: number;
    state: string;
    cardState: string;
    reason: string | null;
    changedBy: string;
    changedAt: Date;
  }[];
}

/** Returns a line, or the lines of an order, with what happened to each. Never a code. */
export async function findLines(db: Db, { publicId }: { publicId: string }): Promise<LineHistory[]> {
  const { rows } = await sql<LineHistory>`
    select ${columns}, (
      select coalesce(jsonb_agg(jsonb_build_object('version', version, 'state', state, 'cardState', card_state,
        'reason', reason, 'changedBy', changed_by, 'changedAt', changed_at) order by version), '[]')
      from gift_card_line_changes change where change.line_id = line.id) as changes
    from ${tables} where line.id in (
      select id from gift_card_lines where public_id = ${publicId}
      union all select inside.id from gift_card_lines inside join gift_card_orders placed on placed.id = inside.order_id
        where placed.public_id = ${publicId})
    order by line.line_number`.execute(db);
  return rows.map((row) => ({
    ...row,
    changes: row.changes.map((change) => ({ ...change, changedAt: new Date(change.changedAt) })),
  }));
}

/** Returns what the books say is with issuers. */
export async function bookedFloat(db: Db): Promise<Pence> {
  const { rows } = await sql<{ pence: Pence }>`
    select coalesce(-sum(amount_pence), 0)::bigint as pence from ledger_entries
    where account_id = ${accountId({ kind: "issuer_float" })}`.execute(db);
  return rows[0]?.pence ?? 0;
}

/**
 * Returns the public ids of the products that an issuer names so: several, where two issuers use the name.
 * @param minDiscountBp only those of which the issuer gives at least this discount
 */
export async function findProductIds(
  db: Db,
  { issuerProductId, minDiscountBp = 0 }: { issuerProductId: string; minDiscountBp?: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom("gift_card_products")
    .select("public_id as publicId")
    .where("issuer_product_id", "=", issuerProductId)
    .where("issuer_discount_bp", ">=", minDiscountBp)
    .orderBy("id")
    .execute();
  return rows.map(({ publicId }) => publicId);
}
