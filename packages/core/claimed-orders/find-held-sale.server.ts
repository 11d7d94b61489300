import { sql, type RawBuilder } from "kysely";
import { unplainOrderKey } from "./claimed-orders.server.ts";
import { isOrder } from "./find-order.ts";
import { orderKey } from "./rules.ts";

/** Holds for a held `sale` with this number: the network's of the sale, or that of the order, however it is written or typed. */
export function hasNumber(q: string): RawBuilder<unknown> {
  return sql`sale.id in (
    select own.id from networks join network_transactions own on own.network_id = networks.id
      and own.network_transaction_id = ${q}
    union select id from network_transactions where ${isOrder(sql`order_reference`, q)} and order_reference is not null
    union select sale.id from network_transactions sale
      where sale.held_because is not null and sale.order_reference ~ '[^ -~]' and ${unplainOrderKey} = ${orderKey(q)})`;
}
