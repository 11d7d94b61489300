import { sql, type RawBuilder } from "kysely";
import { orderKey } from "./rules.ts";

/**
 * Holds for reported sales with the order number that an operator has typed, whatever its case, or has pasted as the network writes it. The expression is
 * that of the index network_transactions_order.
 * @param column `order_reference` of network_transactions
 */
export function isOrder(column: RawBuilder<unknown>, typed: string): RawBuilder<unknown> {
  return sql`upper(ltrim(btrim(${column}), '#')) in (${orderKey(typed)}, upper(ltrim(btrim(${typed}), '#')))`;
}
